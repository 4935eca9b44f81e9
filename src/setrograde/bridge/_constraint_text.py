"""The reader of the language of constraints (`setrograde.bridge.constraints` describes it).

A text is cut into terms by commas, `or`, `and` and brackets. Each form of a term has a function
that reads it, or returns `None` for another form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from .cards import Card, Rank, Suit
from .constraints import (
    _SHAPE_WORDS,
    CardCount,
    HandConstraint,
    InvalidConstraint,
    Range,
    _check_agreement,
    _top_cards,
)
from .errors import InvalidInput
from .hand import Hand
from .patterns import Lengths, ShapePattern

__all__ = ["parse_constraint"]

_MOST_TERMS = 2_000
_DEEPEST = 20

_SUITS = {
    name: suit
    for suit in Suit
    for name in (suit.name.lower(), suit.name.lower()[:-1], suit.letter.lower(), suit.symbol)
}
_PAIRS = {"major": (Suit.HEARTS, Suit.SPADES), "minor": (Suit.CLUBS, Suit.DIAMONDS)}
_RANKS = {
    name: rank
    for rank in (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)
    for name in (rank.name.lower(), f"{rank.name.lower()}s")
}
_POINTS = {"hcp", "points", "controls"}
_SHORT = {"void": 0, "singleton": 1, "doubleton": 2}

_SHAPE_BRACKETS = r"\([0-9x+ ]*\)"
_TOKEN = re.compile(
    rf"\s*(?:(,|\||\bor\b(?!\s+(?:more|fewer|less|longer|shorter)\b)|\band\b|&)|"
    rf"({_SHAPE_BRACKETS})|([()]))\s*",
    re.IGNORECASE,
)
_SUIT_NAME = r"(?:spades?|hearts?|diamonds?|clubs?|[shdc♠♥♦♣])"
_GROUP_NAME = rf"(?:{_SUIT_NAME}|(?:(?:a|an|one|either|both|any)\s+)?(?:major|minor)s?)"
_NUMBERS = r"(?:[0-9]{1,2}\s*[-–]\s*[0-9]{1,2}|[0-9]{1,2}\s*[-–+]?)"
_EXPECTED = (
    "(expected like 'hcp 15-17', 'spades 5+', 'void hearts', 'shape 5-3-3-2', 'balanced',"
    " '2 of top 3 spades', 'has SA HK' or 'not DK', with commas between, or 'or' between"
    " alternatives)"
)


def parse_constraint(text: str) -> HandConstraint:
    """Read a constraint.

    >>> print(parse_constraint("12+ hcp, 5+ spades or hearts"))
    hcp 12+, spades 5+ or hearts 5+
    """
    if not text.strip():
        return HandConstraint()
    reader = _Reader(list(_tokens(text)))
    return reader.whole()


def _tokens(text: str) -> Iterator[str]:
    """Terms and what stands between them, in order; a term may be empty."""
    if sum(map(text.count, (",", "|", "or", "and", "&", "("))) > _MOST_TERMS:
        raise InvalidConstraint(
            f"too many terms: '{text[:40]}...' (expected {_MOST_TERMS} at most)"
        )
    term = ""
    place = 0
    for match in _TOKEN.finditer(text):
        term += text[place : match.start()]
        place = match.end()
        sign, shape, bracket = match.groups()
        if shape is not None:
            term += match[0]
            continue
        yield term.strip()
        term = ""
        found = (sign or bracket).lower()
        yield {"|": "or", "&": "and"}.get(found, found)
    yield (term + text[place:]).strip()


class _Reader:
    """Reads tokens: commas bind least, then `or`, then `and`; brackets group."""

    def __init__(self, tokens: Sequence[str]) -> None:
        # Terms and signs alternate.
        self._tokens = tokens
        self._next = 0

    def whole(self) -> HandConstraint:
        found = self._all(0)
        if self._next < len(self._tokens):
            raise InvalidConstraint("')' without '(' (expected brackets in pairs)")
        return found

    def _sign(self) -> str | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _all(self, depth: int) -> HandConstraint:
        """Clauses with commas between."""
        if depth > _DEEPEST:
            raise InvalidConstraint(f"too many brackets (expected {_DEEPEST} at most, nested)")
        parts: list[HandConstraint] = []
        texts: list[str] = []
        while True:
            start = self._next
            parts.append(self._clause(depth))
            texts.append(" ".join(filter(None, self._tokens[start : self._next])))
            if self._sign() != ",":
                break
            self._next += 1
        _check_agreement(texts, parts)
        return HandConstraint.all_of(parts)

    def _clause(self, depth: int) -> HandConstraint:
        """Alternatives with `or` between."""
        parts = [self._conjunction(depth)]
        while self._sign() == "or":
            self._next += 1
            parts.append(self._conjunction(depth))
        return HandConstraint.any_of(_read_alternatives(parts))

    def _conjunction(self, depth: int) -> HandConstraint | str:
        """Terms with `and` between; a single term as text, which a neighbour may complete."""
        parts = [self._unit(depth)]
        while self._sign() == "and":
            self._next += 1
            parts.append(self._unit(depth))
        if len(parts) == 1:
            return parts[0]
        return HandConstraint.all_of(
            [_read_term(part) if isinstance(part, str) else part for part in parts]
        )

    def _unit(self, depth: int) -> HandConstraint | str:
        term = self._tokens[self._next]
        self._next += 1
        if self._sign() != "(":
            return term
        if term:
            raise InvalidConstraint(f"a bracket after {term!r} (expected 'or', 'and' or a comma)")
        self._next += 1
        found = self._all(depth + 1)
        if self._sign() != ")":
            raise InvalidConstraint("'(' without ')' (expected brackets in pairs)")
        rest = self._tokens[self._next + 1]
        if rest:
            raise InvalidConstraint(f"{rest!r} after a bracket (expected 'or', 'and' or a comma)")
        self._next += 2
        return found


def _read_alternatives(parts: Sequence[HandConstraint | str]) -> list[HandConstraint]:
    """Alternatives, of which some may borrow words: `5+ spades or hearts`."""
    if len(parts) == 1:
        only = parts[0]
        return [_read_term(only) if isinstance(only, str) else only]
    found: list[HandConstraint] = []
    for place, part in enumerate(parts):
        if not isinstance(part, str):
            found.append(part)
            continue
        texts = [part]
        for other in (*reversed(parts[:place]), *parts[place + 1 :]):
            if isinstance(other, str):
                texts += _borrowed(part.lower(), other.lower())
        found.append(_first_read(texts))
    return found


def _first_read(texts: Sequence[str]) -> HandConstraint:
    """The first text that is a term; the error of the first one if none is."""
    first: InvalidInput | None = None
    for text in texts:
        try:
            return _read_term(text)
        except InvalidInput as error:
            first = first or error
    assert first is not None
    raise first


def _borrowed(part: str, other: str) -> Iterator[str]:
    """What `part` may mean beside `other`: the same with another suit or number, or more cards."""
    if re.fullmatch(_GROUP_NAME, part):
        replaced, times = re.subn(rf"(?<![a-z]){_GROUP_NAME}(?![a-z])", part, other)
        if times == 1:
            yield replaced
    elif re.fullmatch(rf"{_NUMBERS}|[<>=≤≥]+\s*[0-9]+", part):
        replaced, times = re.subn(rf"(?:[<>=≤≥]+\s*)?{_NUMBERS}", part, other)
        if times == 1:
            yield replaced
    elif other.startswith("shape "):
        yield f"shape {part}"
    elif other.startswith("has "):
        yield f"has {part}"


# --- one term ---


def _read_term(term: str) -> HandConstraint:
    text = _plain(term)
    for read in _FORMS:
        found = read(text, term)
        if found is not None:
            return found
    raise InvalidConstraint(f"not a term: {term!r} {_EXPECTED}")


def _plain(term: str) -> str:
    """The same in the plainest words."""
    text = " ".join(term.lower().split())
    text = re.sub(r"\b(?:at least|min|minimum) ([0-9]+)", r"\1+", text)
    text = re.sub(r"\b(?:at most|max|maximum|up to) ([0-9]+)", r"\1-", text)
    text = re.sub(r"([0-9]) or (?:more|longer)\b", r"\1+", text)
    text = re.sub(r"([0-9]) or (?:fewer|less|shorter)\b", r"\1-", text)
    text = re.sub(r"([0-9][+]?) ?-? ?cards?\b(?: in| of)?", r"\1 ", text)
    return " ".join(text.split())


def _read_any(text: str, term: str) -> HandConstraint | None:
    return HandConstraint() if text == "any" else None


def _read_shape(text: str, term: str) -> HandConstraint | None:
    if text in _SHAPE_WORDS:
        return HandConstraint(shapes=(ShapePattern.from_text(text),))
    if text.removeprefix("not ") in _SHAPE_WORDS:
        others = _all_lengths() - ShapePattern.from_text(text.removeprefix("not ")).lengths
        return HandConstraint(shapes=(_shape_of(others),))
    if not text.startswith("shape "):
        return None
    try:
        shape = ShapePattern.from_text(text.removeprefix("shape "))
    except InvalidInput as error:
        raise _within(term, error) from None
    return HandConstraint(shapes=(shape,))


def _all_lengths() -> frozenset[Lengths]:
    return ShapePattern.from_text("x-x-x-x").lengths


def _shape_of(lengths: frozenset[Lengths]) -> ShapePattern:
    if lengths == ShapePattern.from_text("balanced").lengths:
        return ShapePattern.from_text("balanced")
    orders = {tuple(sorted(each, reverse=True)) for each in lengths}
    return ShapePattern.from_text(
        " or ".join(["-".join(map(str, order)) for order in sorted(orders)])
    )


def _read_cards(text: str, term: str) -> HandConstraint | None:
    word, _, rest = text.partition(" ")
    if word not in ("has", "not") or not rest:
        return None
    if word == "not" and re.match(rf"(?:{'|'.join(_SHORT)}|[0-9])", rest):
        return None
    cards = _cards(term.split()[1:], term)
    return HandConstraint(held=cards) if word == "has" else HandConstraint(denied=cards)


def _cards(words: Sequence[str], term: str) -> Hand:
    try:
        return Hand.from_cards([Card.from_text(word) for word in words])
    except InvalidInput as error:
        raise _within(term, error) from None


def _within(term: str, error: InvalidInput) -> InvalidConstraint:
    """The same complaint, quoting the whole term before what was expected."""
    found, bracket, expected = str(error).partition(" (expected")
    return InvalidConstraint(f"{found} in {term!r}{bracket}{expected}")


_COUNT = re.compile(rf"(exactly )?(no|none|{_NUMBERS}) of (?:the )?(.+)")
_TOP = re.compile(rf"top ([0-9]{{1,2}})(?: cards| honou?rs)?(?: in| of)? ({_GROUP_NAME})")


def _read_count(text: str, term: str) -> HandConstraint | None:
    match = _COUNT.fullmatch(text)
    if match is None:
        return None
    is_exact, number, what = match.groups()
    count = Range(0, 0) if number in ("no", "none") else _range(number, term)
    if number.isdigit() and count.low > 0 and not is_exact:
        count = Range(count.low)  # "two of the top three" is at least two, as players mean it
    top = _TOP.fullmatch(what)
    if top is None:
        return HandConstraint(counts=(CardCount(_cards(what.upper().split(), term), count),))
    best = int(top[1])
    if not 1 <= best <= 13:
        raise InvalidConstraint(f"not a number of top cards: {best} in {term!r} (expected 1 to 13)")
    return _of_group(
        top[2],
        term,
        lambda suit: HandConstraint(counts=(CardCount(_top_cards(suit, best), count),)),
    )


_SHORTNESS = re.compile(
    rf"(?:(no|not) )?(?:an? )?(void|singleton|doubleton)s?(?:(?: in| of)? ({_GROUP_NAME}))?"
)
_SUIT_SHORT = re.compile(rf"({_GROUP_NAME}) (void|singleton|doubleton)")


def _read_short(text: str, term: str) -> HandConstraint | None:
    match = _SHORTNESS.fullmatch(text)
    if match is not None:
        negative, word, group = match.groups()
    else:
        match = _SUIT_SHORT.fullmatch(text)
        if match is None:
            return None
        negative, (group, word) = None, match.groups()
    number = _SHORT[word]
    if negative:
        suits = tuple(Suit) if group is None else _suits(group)
        return HandConstraint.all_of([_other_than(suit, number) for suit in suits])
    limit = Range(number, number)
    if group is None:
        return HandConstraint.any_of([_long(suit, limit) for suit in reversed(Suit)])
    return _of_group(group, term, lambda suit: _long(suit, limit))


def _other_than(suit: Suit, length: int) -> HandConstraint:
    more = _long(suit, Range(length + 1))
    return more if length == 0 else _long(suit, Range(0, length - 1)) | more


def _long(suit: Suit, limit: Range) -> HandConstraint:
    c, d, h, s = (limit if each is suit else Range() for each in Suit)
    return HandConstraint(lengths=(c, d, h, s))


def _suits(group: str) -> tuple[Suit, ...]:
    word = group.split()[-1]
    return _PAIRS[word.removesuffix("s")] if word.removesuffix("s") in _PAIRS else (_SUITS[word],)


def _of_group(group: str, term: str, demand: Callable[[Suit], HandConstraint]) -> HandConstraint:
    """The demand on a suit, on one of two suits, or on both."""
    parts = [demand(suit) for suit in _suits(group)]
    if group.startswith("both "):
        return HandConstraint.all_of(parts)
    if group in ("majors", "minors"):
        raise _unclear(term)
    return HandConstraint.any_of(parts)


def _unclear(term: str) -> InvalidConstraint:
    return InvalidConstraint(
        f"not clear: {term!r} (expected one suit of the two, like 'a major 5+', or both, like"
        " 'both majors 5+')"
    )


_NAME = rf"(?:{'|'.join(sorted({*_POINTS, *_RANKS}))}|{_GROUP_NAME})"
_SIGN = r"(>=|=>|<=|=<|==|=|>|<|≥|≤)"
_NAME_SIGN = re.compile(rf"({_NAME}) ?{_SIGN} ?([0-9]{{1,2}})")
_SIGN_NAME = re.compile(rf"([0-9]{{1,2}}) ?{_SIGN} ?({_NAME})(?: ?{_SIGN} ?([0-9]{{1,2}}))?")
_NAME_NUMBER = re.compile(rf"({_NAME}) ?({_NUMBERS}|any|none)")
_NUMBER_NAME = re.compile(rf"(no|{_NUMBERS}|any|none) ?(?:in )?({_NAME})")
_TURNED = {">": "<", "<": ">", "≥": "≤", "≤": "≥", ">=": "<=", "<=": ">=", "=>": "<=", "=<": ">="}


def _read_signs(text: str, term: str) -> HandConstraint | None:
    match = _NAME_SIGN.fullmatch(text)
    if match is not None:
        name, sign, number = match.groups()
        return _limited(name, _signed(sign, int(number), term), term)
    match = _SIGN_NAME.fullmatch(text)
    if match is None:
        return None
    first, turned, name, sign, second = match.groups()
    limit = _signed(_TURNED.get(turned, turned), int(first), term)
    if sign is not None:
        limit &= _signed(sign, int(second), term)
    if limit.is_empty:
        raise InvalidConstraint(f"no number fits {term!r} (expected like '12 <= hcp <= 14')")
    return _limited(name, limit, term)


def _signed(sign: str, number: int, term: str) -> Range:
    if sign in ("<", ">"):
        number += 1 if sign == ">" else -1
    if number < 0:
        raise InvalidConstraint(f"no number fits {term!r} (expected 0 or more)")
    if sign in (">", ">=", "=>", "≥"):
        return Range(number)
    return Range(0, number) if sign in ("<", "<=", "=<", "≤") else Range(number, number)


def _read_limit(text: str, term: str) -> HandConstraint | None:
    match = _NAME_NUMBER.fullmatch(text)
    if match is not None:
        name, number = match.groups()
        return _limited(name, _range(number, term), term)
    match = _NUMBER_NAME.fullmatch(text)
    if match is not None:
        number, name = match.groups()
        return _limited(name, Range(0, 0) if number == "no" else _range(number, term), term)
    # No number: say what is wrong with the text beside the name.
    words = text.split()
    if len(words) >= 2:
        for name, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
            if re.fullmatch(_NAME, name):
                _range(" ".join(rest), term)
    return None


def _range(text: str, term: str) -> Range:
    try:
        return Range.from_text(text)
    except InvalidConstraint as error:
        raise _within(term, error) from None


def _limited(name: str, limit: Range, term: str) -> HandConstraint:
    if name in ("hcp", "points"):
        return HandConstraint(hcp=limit)
    if name == "controls":
        return HandConstraint(controls=limit)
    if name in _RANKS:
        cards = Hand.from_cards([Card(suit, _RANKS[name]) for suit in Suit])
        return HandConstraint(counts=(CardCount(cards, limit),))
    if name in _PAIRS and limit.low == 0 and not limit.is_any:
        raise _unclear(term)  # "major 3-": both, surely, but that is not what "major 5+" says
    return _of_group(name, term, lambda suit: _long(suit, limit))


_FORMS: tuple[Callable[[str, str], HandConstraint | None], ...] = (
    _read_any,
    _read_shape,
    _read_count,
    _read_short,
    _read_signs,
    _read_cards,
    _read_limit,
)
