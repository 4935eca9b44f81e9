"""Actions: what is printed of each deal as it comes, and what is counted until the end."""

from __future__ import annotations

from collections.abc import Iterable

from setrograde.bridge import Deal, Seat
from setrograde.common.stop import StopFlag
from setrograde.formats.dealer.syntax import (
    Action,
    Average,
    EvalContract,
    Expression,
    Frequency,
    FrequencyTable,
    Print,
    PrintExpressions,
    PrintHands,
    Script,
)

from .batch import Batch, deal_of
from .evaluation import Evaluator
from .printing import (
    format_compact,
    format_hands,
    format_oneline,
    format_pages,
    format_pbn_deal,
)
from .statistics import Averaging, Counting1, Counting2, CountingContracts, Statistic

__all__ = ["Actions", "action_expressions", "prints_deals"]

_WEST_EAST = (Seat.WEST, Seat.EAST)


def prints_deals(actions: Iterable[Action]) -> bool:
    """True if something is printed of each deal, so that forty are enough."""
    return any(isinstance(each, Print | PrintHands | PrintExpressions) for each in actions)


def action_expressions(action: Action) -> list[Expression]:
    """The expressions that an action evaluates."""
    match action:
        case Print():
            return [] if action.expression is None else [action.expression]
        case PrintExpressions():
            return [item for item in action.items if not isinstance(item, str)]
        case Average() | Frequency():
            return [action.expression]
        case FrequencyTable():
            return [action.rows.expression, action.columns.expression]
    return []


class Actions:
    """The actions of a script at work."""

    def __init__(self, script: Script, evaluator: Evaluator, *, stop: StopFlag | None) -> None:
        self._script = script
        self._evaluator = evaluator
        self._produced = 0
        self._text: list[str] = []
        self._pages: list[Deal] = []
        self._actions: tuple[Action, ...] = script.actions or (Print("printall"),)
        self._counting = [_counting(action, stop) for action in self._actions]
        self._has_pages = any(isinstance(each, PrintHands) for each in self._actions)
        self._prints = prints_deals(self._actions)

    def add(self, batch: Batch) -> None:
        """Do everything for the deals of a batch, in order."""
        for counting in self._counting:
            if counting is not None:
                counting.add(batch, self._evaluator)
        if self._prints:
            self._print(batch)
        self._produced += len(batch)

    def _print(self, batch: Batch) -> None:
        values = {
            id(expression): self._evaluator.value(expression, batch).tolist()
            for action in self._actions
            if isinstance(action, Print | PrintExpressions)
            for expression in action_expressions(action)
        }
        for place, row in enumerate(batch.deals):
            deal = deal_of(row)
            if self._has_pages:
                self._pages.append(deal)
            for action in self._actions:
                if isinstance(action, Print):
                    value = values.get(id(action.expression), [None] * (place + 1))[place]
                    self._text.append(self._printed(action.layout, deal, place, value))
                elif isinstance(action, PrintExpressions):
                    for item in action.items:
                        is_text = isinstance(item, str)
                        self._text.append(str(item) if is_text else str(values[id(item)][place]))

    def _printed(self, layout: str, deal: Deal, place: int, value: int | None) -> str:
        number = self._produced + place + 1
        if layout == "printall":
            return f"{number:4d}.\n{format_hands(deal, list(Seat))}"
        if layout == "printew":
            return format_hands(deal, _WEST_EAST)
        if layout == "printpbn":
            script = self._script
            return format_pbn_deal(deal, number, script.dealer, script.vulnerability)
        if layout == "printcompact":
            return format_compact(deal) + ("" if value is None else f"{value}\n")
        return format_oneline(deal) + ("" if value is None else str(value)) + "\n"

    def statistics(self) -> tuple[Statistic, ...]:
        """What was counted, in the order of the actions."""
        return tuple([each.result() for each in self._counting if each is not None])

    def text(self) -> str:
        """Everything printed: the deals as they came, then pages and statistics."""
        parts = list(self._text)
        for action, counting in zip(self._actions, self._counting, strict=True):
            if isinstance(action, PrintHands):
                parts += [format_pages(self._pages, seat) for seat in action.seats]
            elif counting is not None:
                parts.append(f"{counting.result()}\n")
        return "".join(parts)


def _counting(
    action: Action, stop: StopFlag | None
) -> Averaging | Counting1 | Counting2 | CountingContracts | None:
    match action:
        case Average():
            return Averaging(action)
        case Frequency():
            return Counting1(action)
        case FrequencyTable():
            return Counting2(action)
        case EvalContract():
            return CountingContracts(stop)
    return None
