"""The example and the three finesses of Sutherland's paper, to the letter."""

from __future__ import annotations

from setrograde.analysis.finesse import Finesse, applicable_finesses, branching
from setrograde.analysis.suit import CardClasses, card_classes, similar, solve_suit
from setrograde.bridge import Seat

IN_PLAY = "AQ32K654"


def example(west: str | None = None) -> CardClasses:
    """Figure 1: two tricks left, dummy on lead; the opponents hold the 4, 5, 6 and king."""
    return card_classes("32", "AQ", outstanding="K654", west=west)


def from_north(classes: CardClasses) -> Finesse:
    (finesse,) = [f for f in applicable_finesses(classes) if f.leader is Seat.NORTH]
    return finesse


def conditions(finesse: Finesse) -> list[str]:
    return [condition.text for condition in finesse.preconditions]


def test_ace_and_queen_are_similar_for_one_who_holds_ace_king_queen() -> None:
    assert similar("A", "Q", "AKQ")
    assert not similar("A", "Q", "AQ")
    assert not similar("A", "J", "AKQ")


def test_classes_of_the_example() -> None:
    classes = example()
    assert [classes.text(name) for name in "TFC"] == ["A", "Q", "K"]
    assert (classes.text("T", Seat.NORTH), classes.text("T", Seat.SOUTH)) == ("-", "A")
    assert (classes.text("F", Seat.NORTH), classes.text("F", Seat.SOUTH)) == ("-", "Q")
    assert (classes.text("L", Seat.NORTH), classes.text("L", Seat.SOUTH)) == ("32", "-")
    assert classes.text("L", Seat.EAST) == "654"


def test_parts_of_the_defenders_once_their_cards_are_known() -> None:
    classes = example(west="K4")
    assert (classes.text("C", Seat.WEST), classes.text("C", Seat.EAST)) == ("K", "-")
    assert (classes.text("L", Seat.WEST), classes.text("L", Seat.EAST)) == ("4", "65")


def test_without_the_ace_there_are_no_top_cards() -> None:
    assert card_classes("KQ2", "J3").text("T") == "-"


def test_simple_finesse() -> None:
    finesse = from_north(example())
    assert finesse.kind == "simple"
    assert conditions(finesse) == ["L_N ≠ ∅", "F_S ≠ ∅", "T_S ≠ ∅", "|C| = 1"]
    assert (finesse.tree.lead, finesse.tree.answers) == ("L_N", (("L_EW", "F_S"), ("C", "T_S")))
    assert finesse.if_onside == "S wins the trick"
    assert finesse.if_offside == "W or S wins the trick, W has the choice"


def test_indirect_finesse() -> None:
    """Figure 6a."""
    finesse = from_north(card_classes("32", "K4"))
    assert finesse.kind == "indirect"
    assert [text for text in conditions(finesse) if text != "|C| = 1"] == [
        "L_N ≠ ∅",
        "F_S ≠ ∅",
        "T_S = ∅",
        "|θ_S| ≥ 2",
    ]
    assert (finesse.tree.lead, finesse.tree.answers) == ("L_N", (("L_EW", "F_S"), ("C", "L_S")))
    assert finesse.if_onside == "E or S wins the trick, E has the choice"
    assert finesse.if_offside == "W or S wins the trick, W has the choice"


def test_high_card_finesse() -> None:
    """Figure 6b."""
    finesse = from_north(card_classes("QJ", "A4"))
    assert finesse.kind == "high card"
    assert conditions(finesse) == ["|F_N| ≥ 2", "T_S ≠ ∅", "L_S ≠ ∅", "|C| = 1"]
    assert (finesse.tree.lead, finesse.tree.answers) == ("F_N", (("L_EW", "L_S"), ("C", "T_S")))
    assert finesse.if_onside == "N or S takes the trick, choice by E"
    assert finesse.if_offside == "W or S takes the trick, choice by W"


def test_the_tree_over_classes_has_two_branches_for_four_cards() -> None:
    found = branching(example())
    assert (found.card_branches, found.class_branches) == (4, 2)


def test_the_finesse_of_the_example_wins_two_tricks_if_east_has_the_king() -> None:
    solution = solve_suit("32", "AQ", gone="JT987")
    outcome = solution.best(need=2)
    for layout, tricks in zip(solution.table.layouts, outcome.tricks, strict=True):
        assert tricks == (2 if "K" in layout.east else 1)
