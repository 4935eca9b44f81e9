"""Read expressions of the dealer language: operators as in C, and functions of hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeVar

from setrograde.bridge import Card, Seat, Strain, Suit
from setrograde.formats.problems import FormatError, Problem

from .lexer import Token, tokenize
from .syntax import (
    Binary,
    Choice,
    Definition,
    Expression,
    HandCount,
    HasCard,
    Imps,
    Name,
    Number,
    Place,
    Random,
    Score,
    ShapeItem,
    ShapeTest,
    SuitLength,
    Tricks,
    Unary,
)
from .words import CARD, CONTRACT, COUNTS, FUNCTIONS, RESERVED, SEATS, SHAPE, STRAINS, SUITS

__all__ = ["BINDING", "ExpressionParser"]

T = TypeVar("T")

_MOST_DEPTH = 150
_MOST_NUMBER = 2**31 - 1
BINDING = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Operators from those that bind least to those that bind most."""
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_VULNERABLE = {"vul": True, "all": True, "nonvul": False, "none": False}


class ExpressionParser:
    """A place in the tokens of a script, and the expressions that can be read there."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.tokens = tokenize(text, path=path)
        self.index = 0
        self.definitions: dict[str, Definition] = {}
        self.depths_by_name: dict[str, int] = {}
        self._depths: dict[int, int] = {}
        self._kept: list[Expression] = []  # so that no number of `_depths` is used twice
        self._nested = 0

    # Tokens

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.index]

    def peek(self, steps: int) -> Token:
        """A token further on, or one before."""
        return self.tokens[min(self.index + steps, len(self.tokens) - 1)]

    def advance(self) -> Token:
        """Pass over the token that comes next, and return it."""
        token = self.token
        self.index = min(self.index + 1, len(self.tokens) - 1)
        return token

    def fail(self, message: str, expected: str, token: Token | None = None) -> NoReturn:
        """Raise an error at the token, or at the one that comes next."""
        token = token or self.token
        line, column = token.place.line, token.place.column
        raise FormatError(
            Problem(line, column, message, found=token.shown, expected=expected, path=self.path)
        )

    def is_sign(self, sign: str) -> bool:
        """True if this sign comes next."""
        return self.token.kind == "sign" and self.token.text == sign

    def expect(self, sign: str) -> None:
        """Pass over a sign that must come next."""
        if not self.is_sign(sign):
            self.fail("a sign is missing", f"'{sign}'")
        self.advance()

    def choose(self, what: str, values: Mapping[str, T], expected: str) -> T:
        """The value of the word that comes next."""
        word = self.token.text.lower() if self.token.kind == "word" else ""
        if word not in values:
            self.fail(f"not {what}", expected)
        self.advance()
        return values[word]

    def seat(self) -> Seat:
        """A player."""
        return self.choose("a player", SEATS, "north, east, south or west")

    def suit(self) -> Suit:
        """A suit."""
        return self.choose("a suit", SUITS, "clubs, diamonds, hearts or spades")

    def number(self) -> int:
        """A number without a sign, which must come next."""
        token = self.token
        if token.kind != "word" or not token.text.isdecimal():
            self.fail("not a number", "a whole number")
        if len(token.text) > 10 or int(token.text) > _MOST_NUMBER:
            self.fail("too large a number", f"{_MOST_NUMBER} at most")
        return int(self.advance().text)

    def signed(self) -> int:
        """A number, with a minus or without."""
        if self.is_sign("-"):
            self.advance()
            return -self.number()
        return self.number()

    # Expressions

    def starts_expression(self) -> bool:
        """True if an expression can begin here, and not a statement or an action."""
        token = self.token
        if token.kind == "sign":
            return token.text in ("(", "!", "-")
        if token.kind != "word":
            return False
        word = token.text.lower()
        if token.text.isdecimal() or word == "not":
            return True
        if self.peek(1).kind == "sign" and self.peek(1).text == "=":
            return False
        if word in FUNCTIONS and self.peek(1).text == "(":
            return True
        if token.text in self.definitions:
            return True
        return word not in RESERVED and word not in ("seed", "level", "evalcontract")

    def depth(self, expression: Expression) -> int:
        """The number of expressions inside each other, names looked up."""
        return self._depths.get(id(expression), 1)

    def _made(self, expression: Expression, *inside: Expression) -> Expression:
        deepest = 1 + max([self.depth(each) for each in inside])
        if deepest > _MOST_DEPTH:
            self.fail("too long an expression", f"at most {_MOST_DEPTH} operators in each other")
        self._depths[id(expression)] = deepest
        self._kept.append(expression)
        return expression

    def expression(self) -> Expression:
        """An expression, as long as it goes on."""
        self._nested += 1
        if self._nested > _MOST_DEPTH // 3:
            self.fail("too many brackets", f"at most {_MOST_DEPTH // 3} in each other")
        test = self._binary(0)
        if self.is_sign("?"):
            place = self.advance().place
            then = self.expression()
            self.expect(":")
            otherwise = self.expression()
            test = self._made(Choice(test, then, otherwise, place=place), test, then, otherwise)
        self._nested -= 1
        return test

    def _operator(self) -> str:
        token = self.token
        if token.kind == "word":
            return _WORDS.get(token.text.lower(), "")
        return token.text if token.kind == "sign" else ""

    def _binary(self, level: int) -> Expression:
        if level == len(BINDING):
            return self._unary()
        left = self._binary(level + 1)
        while (operator := self._operator()) in BINDING[level]:
            place = self.advance().place
            right = self._binary(level + 1)
            left = self._made(Binary(operator, left, right, place=place), left, right)
        return left

    def _unary(self) -> Expression:
        before: list[tuple[str, Place]] = []
        while (operator := self._operator()) in ("!", "-"):
            before.append((operator, self.advance().place))
        found = self._primary()
        for operator, place in reversed(before):
            found = self._made(Unary(operator, found, place=place), found)
        return found

    def _primary(self) -> Expression:
        token = self.token
        if self.is_sign("("):
            self.advance()
            inside = self.expression()
            self.expect(")")
            return inside
        if token.kind != "word":
            self.fail("no expression", "a number, a name, a function or '('")
        if token.text.isdecimal():
            return Number(self.number(), place=token.place)
        word = token.text.lower()
        is_called = self.peek(1).kind == "sign" and self.peek(1).text == "("
        if token.text in self.definitions and not (word in FUNCTIONS and is_called):
            self.advance()
            name = Name(token.text, place=token.place)
            self._depths[id(name)] = self.depths_by_name[token.text] + 1
            self._kept.append(name)
            return name
        if word in FUNCTIONS:
            return self._function(word, token.place)
        if word in RESERVED:
            self.fail("not an expression", "a number, a name, a function or '('")
        return self._unknown(is_called)

    def _unknown(self, is_called: bool) -> NoReturn:
        if is_called:
            self.fail("not a function", "one of the language, like hcp, shape or spades")
        self.fail("a name that is not defined before", "the name of a definition, or a function")

    def _function(self, word: str, place: Place) -> Expression:
        self.advance()
        self.expect("(")
        found = self._call(word, place)
        self.expect(")")
        return found

    def _call(self, word: str, place: Place) -> Expression:
        if word in SUITS:
            return SuitLength(SUITS[word], self.seat(), place=place)
        if word in COUNTS:
            return self._count_of_hand(COUNTS[word], place)
        if word == "shape":
            seat = self.seat()
            self.expect(",")
            return ShapeTest(seat, self._shapes(), place=place)
        if word == "hascard":
            seat = self.seat()
            self.expect(",")
            return HasCard(seat, self._card(), place=place)
        if word in ("trick", "tricks"):
            seat = self.seat()
            self.expect(",")
            expected = "clubs, diamonds, hearts, spades or notrump"
            return Tricks(seat, self.choose("a strain", STRAINS, expected), place=place)
        if word == "score":
            return self._score(place)
        inside = self.expression()
        made = Random(inside, place=place) if word == "rnd" else Imps(inside, place=place)
        return self._made(made, inside)

    def _count_of_hand(self, name: str, place: Place) -> HandCount:
        seat = self.seat()
        suit = None
        if self.is_sign(",") and name != "cccc":
            self.advance()
            suit = self.suit()
        elif name == "quality":
            self.fail("quality of no suit", "', suit'")
        return HandCount(name, seat, suit, place=place)

    def _shapes(self) -> tuple[ShapeItem, ...]:
        found: list[ShapeItem] = []
        while not self.is_sign(")"):
            start = self.token
            is_excluded = self.is_sign("-")
            if self.is_sign("+") or self.is_sign("-") or (self.is_sign(",") and found):
                self.advance()
            is_any = self.token.kind == "word" and self.token.text.lower() == "any"
            if is_any:
                self.advance()
            found.append(self._shape(is_any, is_excluded, start))
        if not found:
            self.fail("no shape", "four lengths, like 5431, 54xx or any 4432")
        return tuple(found)

    def _shape(self, is_any: bool, is_excluded: bool, start: Token) -> ShapeItem:
        token = self.token
        if token.kind != "word" or SHAPE.fullmatch(token.text) is None:
            self.fail("not a shape", "four lengths, like 5431, 54xx or any 4432")
        pattern = token.text.lower()
        known = sum(int(letter) for letter in pattern if letter != "x")
        if known > 13 or (known < 13 and "x" not in pattern):
            self.fail("a shape that has not 13 cards", "four lengths that add up to 13")
        self.advance()
        return ShapeItem(pattern, is_any, is_excluded, place=start.place)

    def _card(self) -> Card:
        token = self.token
        if token.kind != "word" or CARD.fullmatch(token.text) is None:
            self.fail("not a card", "a rank and a suit, like TC or AS")
        return Card.from_text(self.advance().text)

    def _score(self, place: Place) -> Expression:
        is_vulnerable = self.choose("a vulnerability", _VULNERABLE, "vul, nonvul, all or none")
        self.expect(",")
        token = self.token
        match = CONTRACT.fullmatch(token.text) if token.kind == "word" else None
        if match is None:
            self.fail("not a contract", "an x, a level and a strain, like x3N or x4S")
        self.advance()
        self.expect(",")
        tricks = self.expression()
        contract = int(match[1]), Strain.from_text(match[2]), len(match[3])
        return self._made(Score(is_vulnerable, *contract, tricks, place=place), tricks)
