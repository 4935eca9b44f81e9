"""Read dealer scripts into syntax trees, by recursive descent."""

from __future__ import annotations

from setrograde.bridge import Card, Hand, Rank, Seat, Suit, Vulnerability
from setrograde.formats._text import text_of

from .expressions import ExpressionParser
from .lexer import Token
from .syntax import (
    Action,
    Average,
    Definition,
    EvalContract,
    Expression,
    Frequency,
    FrequencyTable,
    Holding,
    Level,
    Place,
    Print,
    PrintExpressions,
    PrintHands,
    Script,
)
from .words import ACTIONS, HOLDING, RESERVED, SEATS, SUITS, VULNERABILITIES

__all__ = ["parse_dealer", "parse_expression"]

_MOST_ROWS = 10_000


def parse_dealer(data: bytes | str, *, path: str = "<text>") -> Script:
    """Read a script; `path` is named in messages.

    >>> script = parse_dealer("opener = hcp(north) > 11 condition opener action printpbn")
    >>> script.actions
    (Print(layout='printpbn', expression=None),)
    >>> parse_dealer("hcp(nroth) > 11")
    Traceback (most recent call last):
    ...
    setrograde.formats.problems.FormatError: <text>:1:5: not a player: found 'nroth', \
expected north, east, south or west

    Raises `FormatError` at the first mistake.
    """
    return _ScriptParser(text_of(data, "utf-8", "latin-1"), path).script()


def parse_expression(text: str, *, path: str = "<text>") -> Expression:
    """Read one expression without names.

    >>> parse_expression("2 + 3").operator
    '+'
    """
    parser = ExpressionParser(text, path)
    expression = parser.expression()
    if parser.token.kind != "end":
        parser.fail("more than one expression", "an operator or the end")
    return expression


class _ScriptParser(ExpressionParser):
    """Statements and actions."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.condition: Expression | None = None
        self.actions: tuple[Action, ...] = ()
        self.numbers: dict[str, int] = {}
        self.vulnerability = Vulnerability.NONE
        self.dealer = Seat.NORTH
        self.holdings: list[Holding] = []
        self.pointcount: tuple[int, ...] | None = None
        self.altcounts: dict[int, tuple[int, ...]] = {}
        self.level: Level | None = None

    def script(self) -> Script:
        while self.token.kind != "end":
            self._statement()
        return Script(
            self.definitions,
            self.condition,
            self.actions,
            self.numbers.get("generate"),
            self.numbers.get("produce"),
            self.numbers.get("seed"),
            self.vulnerability,
            self.dealer,
            tuple(self.holdings),
            self.pointcount,
            self.altcounts,
            self.level,
        )

    def _statement(self) -> None:
        token = self.token
        word = token.text.lower() if token.kind == "word" else ""
        if token.kind == "word" and self.peek(1).text == "=" and self.peek(1).kind == "sign":
            self._definition()
        elif word in ("generate", "produce") or (word == "seed" and word not in self.definitions):
            self.advance()
            self.numbers[word] = self._count(word)
        elif word == "vulnerable":
            self.advance()
            self.vulnerability = self.choose(
                "a vulnerability", VULNERABILITIES, "none, NS, EW, all"
            )
        elif word == "dealer":
            self.advance()
            self.dealer = self.seat()
        elif word == "predeal":
            self.advance()
            self._predeal()
        elif word == "pointcount":
            self.advance()
            self.pointcount = self._points()
        elif word == "altcount":
            self.advance()
            number = self._count(word)
            if number > 9:
                self.fail("not the number of an alternate count", "0 to 9", self.peek(-1))
            self.altcounts[number] = self._points()
        elif word == "condition":
            self.advance()
            self.condition = self.expression()
        elif word == "action":
            self.advance()
            self.actions = self._actions()
        elif word == "level" and word not in self.definitions:
            self.advance()
            self.level = self._level(token.place)
        elif self.starts_expression():
            self.condition = self.expression()
        else:
            self.fail("not a statement", "a command, 'name = expression', a condition or an action")

    def _definition(self) -> None:
        token = self.advance()
        name = token.text
        if name.lower() in RESERVED:
            self.fail("a reserved word as a name", "a name of your own", token)
        if name[0].isdigit():
            self.fail("not a name", "a letter first", token)
        if name in self.definitions:
            self.fail("a name defined twice", "another name", token)
        self.advance()
        expression = self.expression()
        self.definitions[name] = Definition(name, expression, place=token.place)
        self.depths_by_name[name] = self.depth(expression)

    def _count(self, word: str) -> int:
        """A number that is not negative."""
        token = self.token
        if token.kind != "word" or not token.text.isdecimal():
            self.fail(f"no number after '{word}'", "a number, 0 or more")
        return self.number()

    def _points(self) -> tuple[int, ...]:
        """Up to 13 numbers, with commas between them or not."""
        start = self.token
        found: list[int] = []
        while True:
            minus = self.token.text == "-" and self.token.kind == "sign"
            ahead = self.peek(1) if minus else self.token
            if ahead.kind != "word" or not ahead.text.isdecimal():
                break
            found.append(self.signed())
            if self.is_sign(","):
                self.advance()
        if not 1 <= len(found) <= 13:
            self.fail("not a list of points", "1 to 13 numbers, for the ace first", start)
        return tuple(found)

    def _level(self, place: Place) -> Level:
        start = self.index
        if self.is_sign("("):
            self.advance()
            expression = self.expression()
            if self.is_sign(","):
                low, high = self._bounds()
                self.expect(")")
                return Level(expression, low, high, place=place)
            self.index = start
        return Level(self.expression(), place=place)

    # Cards dealt before

    def _predeal(self) -> None:
        start = self.token
        found = 0
        while True:
            word = self.token.text.lower() if self.token.kind == "word" else ""
            if word in SEATS:
                self.advance()
                self._holdings(SEATS[word])
            elif word in SUITS and self._is_length():
                self._length(SUITS[word])
            else:
                break
            found += 1
            if self.is_sign(","):
                self.advance()
        if not found:
            self.fail("no cards to deal", "like 'south SAQ542, HKJ87' or 'spades(north)==5'", start)

    def _holdings(self, seat: Seat) -> None:
        if self.is_sign(","):
            self.advance()
        if not self._is_holding(self.token):
            self.fail("not a holding", "a suit and its cards, like SAQ542 or HKxx")
        while self._is_holding(self.token):
            token = self.advance()
            self._add(self._holding(token, seat), token)
            if not (self.is_sign(",") and self._is_holding(self.peek(1))):
                break
            self.advance()

    def _is_holding(self, token: Token) -> bool:
        return token.kind == "word" and HOLDING.fullmatch(token.text) is not None

    def _holding(self, token: Token, seat: Seat) -> Holding:
        suit = Suit.from_text(token.text[0])
        ranks = token.text[1:].upper()
        named = ranks.replace("X", "")
        if len(set(named)) < len(named) or len(ranks) > 13:
            self.fail("a card twice in a holding", "each card once", token)
        cards = Hand.from_cards([Card(suit, Rank.from_text(rank)) for rank in named])
        length = len(ranks) if "X" in ranks else None
        return _with_length(seat, cards, suit, length, token.place)

    def _is_length(self) -> bool:
        """True at `spades(north)==5`, unless more of an expression follows."""
        signs = [self.peek(step).text for step in (1, 3, 4)]
        if signs != ["(", ")", "=="] or self.peek(2).text.lower() not in SEATS:
            return False
        after = self.peek(6)
        return after.kind != "sign" or after.text in (",", "(", "!")

    def _length(self, suit: Suit) -> None:
        place = self.token.place
        self.advance()
        self.expect("(")
        seat = self.seat()
        self.expect(")")
        self.expect("==")
        token = self.token
        length = self.signed()
        if not 0 <= length <= 13:
            self.fail("not a length", "0 to 13", token)
        self._add(_with_length(seat, Hand(), suit, length, place), token)

    def _add(self, holding: Holding, token: Token) -> None:
        for other in self.holdings:
            if other.cards.bits & holding.cards.bits:
                self.fail("a card dealt twice", "each card once", token)
            if other.seat == holding.seat and any(
                a is not None and b is not None and a != b
                for a, b in zip(other.lengths, holding.lengths, strict=True)
            ):
                self.fail("two lengths of one suit", "one length", token)
        same = [other.cards for other in self.holdings if other.seat == holding.seat]
        if sum(map(len, same)) + len(holding.cards) > 13:
            self.fail("more than 13 cards for one player", "13 cards at most", token)
        self.holdings.append(holding)

    # Actions

    def _actions(self) -> tuple[Action, ...]:
        found = [self._action()]
        while self.is_sign(","):
            self.advance()
            found.append(self._action())
        return tuple(found)

    def _action(self) -> Action:
        token = self.token
        word = token.text.lower() if token.kind == "word" else ""
        if word not in ACTIONS:
            self.fail("not an action", f"one of {', '.join(ACTIONS)}")
        self.advance()
        place = token.place
        match word:
            case "print":
                return self._print_hands(place)
            case "printes":
                return self._print_expressions(place)
            case "average":
                return Average(self._label(), self.expression(), place=place)
            case "frequency":
                return self._frequency(place)
            case "evalcontract":
                return EvalContract(place=place)
            case "printcompact" | "printoneline":
                value = self.expression() if self.starts_expression() else None
                return Print(word, value, place=place)
        return Print(word, place=place)

    def _print_hands(self, place: Place) -> PrintHands:
        self.expect("(")
        seats = [self.seat()]
        while self.is_sign(","):
            self.advance()
            seats.append(self.seat())
        self.expect(")")
        return PrintHands(tuple(dict.fromkeys(seats)), place=place)

    def _print_expressions(self, place: Place) -> PrintExpressions:
        start, found = self.index, list[str | Expression]()
        if self.is_sign("("):  # brackets around the list, or around its first expression
            self.advance()
            found = self._print_items()
            if self.is_sign(")"):
                self.advance()
                after = self.token
                if after.kind != "sign" or after.text == ",":
                    return PrintExpressions(tuple(found), place=place)
            self.index = start
        return PrintExpressions(tuple(self._print_items()), place=place)

    def _print_items(self) -> list[str | Expression]:
        found = [self._print_item()]
        while self.is_sign(",") and self._is_print_item(self.peek(1)):
            self.advance()
            found.append(self._print_item())
        return found

    def _is_print_item(self, token: Token) -> bool:
        """False at the next action of the list."""
        return token.kind != "word" or token.text.lower() not in ACTIONS

    def _print_item(self) -> str | Expression:
        if self.token.kind == "string":
            return self.advance().text.replace("\\n", "\n")
        if self.is_sign("\\n"):
            self.advance()
            return "\n"
        return self.expression()

    def _label(self) -> str | None:
        return self.advance().text.replace("\\n", "\n") if self.token.kind == "string" else None

    def _frequency(self, place: Place) -> Frequency | FrequencyTable:
        label = self._label()
        self.expect("(")
        rows = Frequency(None, self.expression(), *self._bounds(), place=place)
        if self.is_sign(","):
            self.advance()
            columns = Frequency(None, self.expression(), *self._bounds(), place=place)
            if (rows.high - rows.low) * (columns.high - columns.low) > _MOST_ROWS**2 // 100:
                self.fail("too large a table", "bounds closer together")
            self.expect(")")
            return FrequencyTable(label, rows, columns, place=place)
        self.expect(")")
        return Frequency(label, rows.expression, rows.low, rows.high, place=place)

    def _bounds(self) -> tuple[int, int]:
        self.expect(",")
        low = self.signed()
        self.expect(",")
        token = self.token
        high = self.signed()
        if not low <= high < low + _MOST_ROWS:
            self.fail(
                "not an upper bound", f"{low} or more, and less than {_MOST_ROWS} above it", token
            )
        return low, high


def _with_length(seat: Seat, cards: Hand, suit: Suit, length: int | None, place: Place) -> Holding:
    c, d, h, s = (length if suit is each else None for each in Suit)
    return Holding(seat, cards, (c, d, h, s), place=place)
