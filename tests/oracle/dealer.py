"""One deal and one expression of a dealer script, evaluated as the manual says, without haste."""

from __future__ import annotations

from setrograde.bridge import Deal, Suit
from setrograde.bridge.scoring import imps, score_contract
from setrograde.formats.dealer import Script
from setrograde.formats.dealer import syntax as s

RANKS = "AKQJT98765432"
ALTCOUNTS = {
    0: "T", 1: "J", 2: "Q", 3: "K", 4: "A", 5: "AK", 6: "AKQ", 7: "AKQJ", 8: "AKQJT"
}  # fmt: skip
WORDS = ["tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13"]


def evaluate(part: s.Expression, deal: Deal, script: Script) -> int:
    """The value of an expression without double-dummy results and random numbers."""
    match part:
        case s.Number():
            return part.value
        case s.Name():
            return evaluate(script.definitions[part.text].expression, deal, script)
        case s.Unary():
            inside = evaluate(part.operand, deal, script)
            return -inside if part.operator == "-" else int(not inside)
        case s.Binary():
            return binary(part, deal, script)
        case s.Choice():
            chosen = part.then if evaluate(part.test, deal, script) else part.otherwise
            return evaluate(chosen, deal, script)
        case s.SuitLength():
            return len(deal[part.seat].holding(part.suit))
        case s.HandCount():
            return count(part, deal, script)
        case s.ShapeTest():
            return int(has_shape(part, deal))
        case s.HasCard():
            return int(str(part.card.rank) in deal[part.seat].holding(part.card.suit))
        case s.Imps():
            return imps(evaluate(part.points, deal, script))
        case s.Score():
            tricks = evaluate(part.tricks, deal, script)
            contract = f"{part.level}{part.strain}{'X' * part.doubling}N"
            return score_contract(contract, tricks, is_vulnerable=part.is_vulnerable)
    raise AssertionError(part)


def binary(part: s.Binary, deal: Deal, script: Script) -> int:
    left = evaluate(part.left, deal, script)
    if part.operator == "&&":
        return int(bool(left and evaluate(part.right, deal, script)))
    if part.operator == "||":
        return int(bool(left or evaluate(part.right, deal, script)))
    right = evaluate(part.right, deal, script)
    match part.operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            quotient = abs(left) // abs(right)
            return quotient if (left < 0) == (right < 0) else -quotient
        case "%":
            rest = abs(left) % abs(right)
            return rest if left >= 0 else -rest
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
    raise AssertionError(part)


def count(part: s.HandCount, deal: Deal, script: Script) -> int:
    suits = list(Suit) if part.suit is None else [part.suit]
    holdings = [deal[part.seat].holding(suit) for suit in suits]
    if part.name == "cccc":
        return cccc(holdings)
    if part.name == "quality":
        return round(100 * quality(holdings[0]))
    if part.name == "losers":
        return sum(map(losers, holdings))
    return sum(worth(part.name, rank, script) for holding in holdings for rank in holding)


def worth(name: str, rank: str, script: Script) -> int:
    if name == "controls":
        return {"A": 2, "K": 1}.get(rank, 0)
    if name == "hcp":
        points = script.pointcount or (4, 3, 2, 1)
        return dict(zip(RANKS, points, strict=False)).get(rank, 0)
    number = WORDS.index(name) if name in WORDS else int(name[2:])
    if number in script.altcounts:
        return dict(zip(RANKS, script.altcounts[number], strict=False)).get(rank, 0)
    if number == 9:
        return {"A": 6, "K": 4, "Q": 2, "J": 1}.get(rank, 0)
    return int(rank in ALTCOUNTS[number])


def losers(holding: str) -> int:
    if len(holding) >= 3:
        return 3 - sum(rank in "AKQ" for rank in holding)
    if len(holding) == 2:
        return 2 - sum(rank in "AK" for rank in holding)
    return int(holding not in ("", "A"))


def quality(holding: str) -> float:
    """Kaplan and Rubens: points of honours with their support, times a tenth of the length."""
    points = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0) for rank in holding)
    higher = sum(rank in "AKQJ" for rank in holding)
    total: float = points
    if len(holding) >= 7:
        missing = 3 - 2 * ("Q" in holding) - ("J" in holding)
        total += min(missing, len(holding) - 6)
    else:
        if "T" in holding:
            total += 1 if higher >= 2 or "J" in holding else 0.5
        if "9" in holding and (higher == 2 or "T" in holding or "8" in holding):
            total += 0.5
    return total * len(holding) / 10


def cccc(holdings: list[str]) -> int:
    total = 0.0
    for holding in holdings:
        total += quality(holding)
        if "A" in holding:
            total += 3
        if "K" in holding:
            total += 0.5 if len(holding) == 1 else 2
        if "Q" in holding:
            total += {1: 0.25, 2: 0.75}.get(len(holding), 1)
            total -= 0 if "A" in holding or "K" in holding else 0.25
        above = sum(rank in "AKQ" for rank in holding)
        if "J" in holding:
            total += {1: 0.25, 2: 0.5}.get(above, 0)
            above += 1
        if "T" in holding and (above == 2 or (above == 1 and "9" in holding)):
            total += 0.25
    short = sum(max(0, 3 - len(holding)) for holding in holdings)
    return round(100 * (total + (short - 1 if short else -0.5)))


def has_shape(part: s.ShapeTest, deal: Deal) -> bool:
    lengths = [len(deal[part.seat].holding(suit)) for suit in reversed(Suit)]
    found = False
    for item in part.items:
        if item.is_any:
            wanted = sorted(letter for letter in item.pattern if letter != "x")
            held = [str(length) for length in lengths]
            fits = all(held.count(letter) >= wanted.count(letter) for letter in wanted)
        else:
            fits = all(
                letter == "x" or int(letter) == length
                for letter, length in zip(item.pattern, lengths, strict=True)
            )
        if fits:
            found = not item.is_excluded
    return found
