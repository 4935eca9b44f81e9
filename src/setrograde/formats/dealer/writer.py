"""Write syntax trees of dealer scripts as text again."""

from __future__ import annotations

from setrograde.bridge import Seat, Suit, Vulnerability

from .expressions import BINDING
from .syntax import (
    Action,
    Average,
    Binary,
    Choice,
    EvalContract,
    Expression,
    Frequency,
    FrequencyTable,
    HandCount,
    HasCard,
    Holding,
    Imps,
    Level,
    Name,
    Number,
    Print,
    PrintExpressions,
    PrintHands,
    Random,
    Score,
    Script,
    ShapeItem,
    ShapeTest,
    SuitLength,
    Tricks,
    Unary,
)

__all__ = ["format_dealer", "format_expression"]

_STRENGTH = {operator: level for level, group in enumerate(BINDING, 1) for operator in group}
_UNARY = len(BINDING) + 1


def format_dealer(script: Script) -> str:
    """Write a script, a statement on each line; `parse_dealer` reads it again.

    >>> from setrograde.formats.dealer import parse_dealer
    >>> print(format_dealer(parse_dealer("a=hcp(north)>11 and spades(north)>4 a action printall")))
    a = hcp(north) > 11 && spades(north) > 4
    condition a
    action printall
    <BLANKLINE>
    """
    lines = []
    for word in ("generate", "produce", "seed"):
        number = getattr(script, word)
        if number is not None:
            lines.append(f"{word} {number}")
    if script.vulnerability is not Vulnerability.NONE:
        lines.append(f"vulnerable {script.vulnerability}")
    if script.dealer is not Seat.NORTH:
        lines.append(f"dealer {_seat(script.dealer)}")
    lines += [f"predeal {_holding(holding)}" for holding in script.predeal]
    if script.pointcount is not None:
        lines.append(f"pointcount {_numbers(script.pointcount)}")
    lines += [f"altcount {n} {_numbers(points)}" for n, points in script.altcounts.items()]
    lines += [
        f"{each.name} = {format_expression(each.expression)}"
        for each in script.definitions.values()
    ]
    if script.level is not None:
        lines.append(f"level {_level(script.level)}")
    if script.condition is not None:
        lines.append(f"condition {format_expression(script.condition)}")
    if script.actions:
        lines.append("action " + ",\n       ".join([_action(each) for each in script.actions]))
    return "".join([line + "\n" for line in lines])


def format_expression(expression: Expression) -> str:
    """Write an expression, with no more brackets than it needs.

    >>> from setrograde.formats.dealer import parse_expression
    >>> format_expression(parse_expression("((2 * (3 + (4))) - 5 >= 1) and not (1 ? 2 : 3)"))
    '2 * (3 + 4) - 5 >= 1 && !(1 ? 2 : 3)'
    """
    return _expression(expression, 0)


def _expression(part: Expression, least: int) -> str:
    """In brackets if it binds less than `least`."""
    text, strength = _with_strength(part)
    return f"({text})" if strength < least else text


def _with_strength(part: Expression) -> tuple[str, int]:
    match part:
        case Number():
            return str(part.value), _UNARY + 1
        case Name():
            return part.text, _UNARY + 1
        case Unary():
            return part.operator + _expression(part.operand, _UNARY), _UNARY
        case Binary():
            strength = _STRENGTH[part.operator]
            left = _expression(part.left, strength)
            right = _expression(part.right, strength + 1)
            return f"{left} {part.operator} {right}", strength
        case Choice():
            test, then = _expression(part.test, 1), _expression(part.then, 0)
            return f"{test} ? {then} : {_expression(part.otherwise, 0)}", 0
    return _call(part), _UNARY + 1


def _call(part: Expression) -> str:
    match part:
        case SuitLength():
            return f"{_suit(part.suit)}({_seat(part.seat)})"
        case HandCount():
            suit = "" if part.suit is None else f", {_suit(part.suit)}"
            return f"{part.name}({_seat(part.seat)}{suit})"
        case ShapeTest():
            shapes = " ".join([_shape(item, bool(at)) for at, item in enumerate(part.items)])
            return f"shape({_seat(part.seat)}, {shapes})"
        case HasCard():
            return f"hascard({_seat(part.seat)}, {part.card.rank}{part.card.suit})"
        case Tricks():
            return f"tricks({_seat(part.seat)}, {part.strain.name.lower()})"
        case Score():
            contract = f"x{part.level}{str(part.strain)[0]}{'x' * part.doubling}"
            word = "vul" if part.is_vulnerable else "nonvul"
            return f"score({word}, {contract}, {_expression(part.tricks, 0)})"
        case Imps():
            return f"imps({_expression(part.points, 0)})"
        case Random():
            return f"rnd({_expression(part.limit, 0)})"
    raise AssertionError(part)


def _shape(item: ShapeItem, is_later: bool) -> str:
    sign = "- " if item.is_excluded else "+ " if is_later else ""
    return f"{sign}{'any ' if item.is_any else ''}{item.pattern}"


def _action(action: Action) -> str:
    match action:
        case Print():
            if action.expression is None:
                return action.layout
            return f"{action.layout}({format_expression(action.expression)})"
        case PrintHands():
            return f"print({', '.join([_seat(seat) for seat in action.seats])})"
        case PrintExpressions():
            items = [
                _string(item) if isinstance(item, str) else format_expression(item)
                for item in action.items
            ]
            return f"printes({', '.join(items)})"
        case Average():
            return f"average {_label(action.label)}({format_expression(action.expression)})"
        case Frequency():
            return f"frequency {_label(action.label)}({_bounded(action)})"
        case FrequencyTable():
            both = f"{_bounded(action.rows)}, {_bounded(action.columns)}"
            return f"frequency {_label(action.label)}({both})"
        case EvalContract():
            return "evalcontract"
    raise AssertionError(action)


def _bounded(part: Frequency | Level) -> str:
    return f"{format_expression(part.expression)}, {part.low}, {part.high}"


def _level(level: Level) -> str:
    if level.low is None:
        return f"({format_expression(level.expression)})"
    return f"({_bounded(level)})"


def _holding(holding: Holding) -> str:
    for suit in Suit:
        length = holding.lengths[suit]
        ranks = holding.cards.holding(suit)
        if length is not None and not ranks:
            return f"{_suit(suit)}({_seat(holding.seat)})=={length}"
        if ranks:
            return f"{_seat(holding.seat)} {suit}{ranks}{'x' * ((length or 0) - len(ranks))}"
    raise AssertionError(holding)


def _label(label: str | None) -> str:
    return "" if label is None else f"{_string(label)} "


def _string(text: str) -> str:
    return '"' + text.replace("\n", "\\n") + '"'


def _numbers(points: tuple[int, ...]) -> str:
    return ", ".join(map(str, points))


def _seat(seat: Seat) -> str:
    return seat.name.lower()


def _suit(suit: Suit) -> str:
    return suit.name.lower()
