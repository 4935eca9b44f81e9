"""Native core of setrograde; use the packages above it instead."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class StopFlag:
    """Stops native work from any thread; see setrograde.common.stop."""

    def __init__(self) -> None: ...

    def set(self) -> None:
        """Stops all work that was given this flag, also what waits for its turn."""

    def clear(self) -> None:
        """Makes the flag ready for new work."""

    @property
    def is_set(self) -> bool:
        """True from `set` to `clear`."""

class AmazonsSearch:
    """Who wins a board of Amazons; see setrograde.solve.boards.amazons."""

    def __init__(self, width: int, height: int, limit_bytes: int) -> None: ...

    def is_won(self, own: int, other: int, empty: int, progress: Callable[[int], None] | None = None, stop: StopFlag | None = None) -> bool:
        """
        True if the player to move wins. Sets of squares, row by row; all others are arrows.
        `progress` is called now and then with the number of nodes so far.
        """

    def is_known_won(self, own: int, other: int, empty: int, stop: StopFlag | None = None) -> bool | None:
        """
        The same without a search, if bounds or what was searched before tell; None if not.
        """

    @property
    def nodes(self) -> int:
        """The number of boards whose moves were made, so far."""

    @property
    def stored(self) -> int:
        """The number of boards in the table; each stands for many."""

    @property
    def table_bytes(self) -> int:
        """Size of the table as it is now."""

def run_columns(hands: Sequence[int], codes: bytes, first: int, leader: int, strain: int, by_holder: bool) -> tuple[bytes, int, int, int, int, int]:
    """
    Cards in the order played, tricks won by each side, and where and why the run stopped: the index of the code or -1, the seat, and the reason (0 none, 1 unknown card, 2 not held, 3 revoke).
    """

class ContractTrials:
    """Contracts played out, to compare declarers."""

    def __init__(self, limit_bytes: int, endings: ThresholdLevel | None = None) -> None: ...

    def reset(self, stop: StopFlag | None = None) -> None:
        """Forgets what was learned."""

    def play(self, hands: Sequence[int], strain: int, need: int, defence: int, error_share: float, defence_worlds: int, promise: tuple[int, int, int, int], seed: int, *, worlds: int, depth: int, has_labels: bool, keeps_plan: bool, class_limit: int, double_dummy_share: float, work_limit: int, stop: StopFlag | None = None) -> tuple[bool, int, float, float]:
        """
        Whether the contract was made, cards searched, seconds, and those of the longest.
        """

class DealCondition:
    """What is asked of a hand, or of several hands together."""

    def __init__(self, shapes: Sequence[Sequence[int]] | None = None, bounds: Sequence[tuple[int, int, int]] = [], clauses: Sequence[Sequence[DealCondition]] = []) -> None:
        """
        Lengths allowed, clubs first; (measure, low, high); and lists of alternatives.
        """

class DealCounts:
    """The number of deals that fit, by suits."""

    @property
    def size(self) -> int:
        """All deals that fit."""

def count_deals(known: Sequence[int], denied: Sequence[int], measures: Sequence[Annotated[NDArray[numpy.int16], dict(shape=(4, 8192), order='C', device='cpu', writable=False)]], watches: Sequence[tuple[int, DealCondition]], *, most_steps: int = 536870912, limit_bytes: int = 268435456, stop: StopFlag | None = None) -> DealCounts | None:
    """
    Counts the deals with these cards known and denied, by seat. A measure is an array of 4 times 8192 numbers, by suit and holding; a watch has the seats, as bits, and a condition on their cards. None if that takes more steps or bytes than allowed.
    """

class DealSampler:
    """Random deals, all that fit equally likely."""

    def __init__(self, counts: DealCounts, seed: int, measures: Sequence[Annotated[NDArray[numpy.int16], dict(shape=(4, 8192), order='C', device='cpu', writable=False)]], checks: Sequence[tuple[int, DealCondition]]) -> None:
        """Deals that fit the counts and also pass the checks."""

    @property
    def tries(self) -> int:
        """Deals drawn so far, with those that failed a check."""

    def draw(self, rows: Annotated[NDArray[numpy.uint64], dict(shape=(None, 4), order='C', device='cpu')], *, most_tries: int = 18446744073709551615, progress: Callable[[int], None] | None = None, stop: StopFlag | None = None) -> int:
        """
        Writes the next deals into rows of four card sets by seat, and returns their number: fewer than there are rows only if `most_tries` are not enough.
        """

class LevelFileError(ValueError):
    pass

class ShardError(ValueError):
    pass

MAX_PLANNED_TRICKS: int = 6

class BuildPlan:
    """Shapes of all levels up to one, in shards."""

    def __init__(self, tricks: int, last_shards: int = 0, stop: StopFlag | None = None) -> None:
        """The last level has `last_shards` at most, if given."""

    @staticmethod
    def of_shapes(tricks: int, ranks: Sequence[int], last_shards: int = 1) -> BuildPlan:
        """A plan for shapes with these numbers alone."""

    def part(self, first: int, end: int, stop: StopFlag | None = None) -> BuildPlan:
        """
        A plan for some shards of the last level, and what they need of the one below.
        """

    def ranks(self, index: ShapeIndex, shard: int) -> bytes:
        """Numbers of the shapes of a shard of the last level, 32 bits each."""

    @property
    def tricks(self) -> int: ...

    def shards(self, level: int) -> int: ...

    def shapes(self, level: int) -> int: ...

    def weight(self, level: int, shard: int) -> float:
        """Work to expect, in arbitrary units."""

class Shard:
    """Diagrams of some shapes of a level."""

    @property
    def nodes(self) -> int: ...

    @property
    def tricks(self) -> int: ...

    def to_bytes(self) -> bytes: ...

    @staticmethod
    def from_bytes(arg: bytes, /) -> Shard: ...

class OrderedLevel:
    """A level that the next one is built on."""

    def __init__(self, tricks: int) -> None:
        """Without tricks it is complete; else shards have to be merged."""

    def merge(self, plan: BuildPlan, shard: Shard, number: int) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

def build_shard(below: OrderedLevel, plan: BuildPlan, level: int, shard: int, stop: StopFlag | None = None) -> Shard:
    """Builds one shard of a level on the complete level below."""

class StoredLevel:
    """The last level of a plan, in the form it is stored."""

    def __init__(self, tricks: int) -> None: ...

    def merge(self, plan: BuildPlan, shard: Shard, number: int) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def write(self, path: str, creator: str, states: int, stop: StopFlag | None = None) -> None: ...

class DiagramLevel:
    """A stored level, mapped."""

    def __init__(self, path: str) -> None: ...

    @property
    def tricks(self) -> int: ...

    @property
    def shapes(self) -> int: ...

    def ranks(self) -> bytes:
        """Numbers of the shapes it has, 32 bits each."""

    @property
    def nodes(self) -> int: ...

    @property
    def file_bytes(self) -> int: ...

    @property
    def creator(self) -> str: ...

    @property
    def states(self) -> int: ...

    def check(self, stop: StopFlag | None = None) -> None:
        """Compares all checksums."""

    def check_size(self) -> None:
        """Raises an error if the file was shortened after it was opened."""

    def value(self, hands: Sequence[int], strain: int, leader: int) -> int:
        """Tricks of the leader's side."""

    def values(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], strains: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], leaders: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> int:
        """
        Fills `out`; the number of the first bad position, or their number if all are good.
        """

    def path(self, hands: Sequence[int], strain: int, leader: int) -> list[tuple[int, int, int, int]]:
        """
        Cards asked about: suit, cards from it down, owner, and owners who lead to the same place.
        """

    def values_of_shape(self, rank: int) -> bytes: ...

    def query(self, masks: Sequence[bytes], strain: int, least: Sequence[Sequence[int]], most: Sequence[Sequence[int]], stop: StopFlag | None = None) -> tuple[list[int], int]:
        """Deals by tricks of the leader's side, and the number of shapes."""

def card_values(hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], below: DiagramLevel | None) -> list[tuple[int, int]]:
    """
    Each legal card and the tricks of the side on turn, by the level one trick below.
    """

MAX_SET_TRICKS: int = 4

class SetLevel:
    """All endings with one number of tricks, as sets; see setrograde.db."""

    def __init__(self) -> None:
        """The level without a card."""

    @staticmethod
    def build(below: SetLevel, progress: Callable[[int], None] | None = None, stop: StopFlag | None = None) -> SetLevel:
        """
        The level above `below`; `progress` gets the number of finished shapes.
        """

    def solve_shape(self, rank: int, stop: StopFlag | None = None) -> list[tuple[int, int]]:
        """The sets of one shape of the level above, like `sets_of_shape`."""

    @property
    def tricks(self) -> int:
        """Cards in each hand."""

    @property
    def shapes(self) -> int:
        """How many canonical shapes there are."""

    def __len__(self) -> int:
        """How many sets there are."""

    @property
    def sets_found(self) -> int:
        """Sets before compaction: the number of endings solved singly."""

    @property
    def questions(self) -> int:
        """Candidates put to the oracle."""

    @property
    def lookups(self) -> int:
        """Sets looked up in the level below."""

    def sets_of_shape(self, rank: int) -> list[tuple[int, int]]:
        """
        Pairs of owner masks and value. The masks have four bits a card, suit by suit, the highest card of the first suit in the lowest bits.
        """

    def value_of_layout(self, rank: int, owners: bytes) -> int:
        """Value of one layout of a shape, given the owners of its cards."""

    def values_of_shape(self, rank: int) -> bytes:
        """Values of all layouts of a shape, in dictionary order of owners."""

    def to_bytes(self) -> bytes:
        """What `from_bytes` reads; the format is in docs/formats/set_levels.md."""

    @staticmethod
    def from_bytes(bytes: bytes, stop: StopFlag | None = None) -> SetLevel:
        """Reads what `to_bytes` gave; checks that every ending has one value."""

class ForestSet:
    """A set of strings; see setrograde.sets."""

    def meet(self, other: ForestSet, stop: StopFlag | None = None) -> ForestSet:
        """Strings in both sets."""

    def join(self, other: ForestSet, stop: StopFlag | None = None) -> ForestSet:
        """Strings in either set."""

    def minus(self, other: ForestSet, stop: StopFlag | None = None) -> ForestSet:
        """Strings in this set but not in the other."""

    def differ(self, other: ForestSet, stop: StopFlag | None = None) -> ForestSet:
        """Strings in exactly one of the sets."""

    def complement(self, stop: StopFlag | None = None) -> ForestSet:
        """All other strings."""

    def equals(self, other: ForestSet, stop: StopFlag | None = None) -> bool:
        """True if both have the same strings; one comparison."""

    def contains(self, strings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], stop: StopFlag | None = None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """For each string, whether it is in the set."""

    def nodes(self, stop: StopFlag | None = None) -> int:
        """The number of nodes of the forest that the set takes."""

    @property
    def is_nothing(self) -> bool: ...

    @property
    def is_everything(self) -> bool: ...

def set_of_nothing(forest: Forest) -> ForestSet:
    """The empty set."""

def set_of_strings(forest: Forest, strings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], stop: StopFlag | None = None) -> ForestSet:
    """The set of these rows of symbols."""

def set_by_sum(forest: Forest, weights: Sequence[Sequence[int]], least: int, most: int, stop: StopFlag | None = None) -> ForestSet:
    """
    Strings whose symbols together count `least` to `most`; a row of weights for each place.
    """

class Forest:
    """Sets of strings that share nodes; see setrograde.sets."""

    def __init__(self, symbols: Sequence[int], limit_bytes: int) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def peak_bytes(self) -> int: ...

    @property
    def sweeps(self) -> int: ...

    def sweep(self, stop: StopFlag | None = None) -> None:
        """Drops the nodes that no set needs."""

class Automaton:
    """Finished sets laid out on their own; see setrograde.sets."""

    def __init__(self, symbols: Sequence[int], layers: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], roots: Sequence[int], stop: StopFlag | None = None) -> None: ...

    @staticmethod
    def of(sets: Sequence[ForestSet], stop: StopFlag | None = None) -> Automaton:
        """The automaton of some sets of one forest."""

    def plant(self, forest: Forest, stop: StopFlag | None = None) -> list[ForestSet]:
        """The sets again, in a forest."""

    @property
    def nodes(self) -> int: ...

    @property
    def roots(self) -> list[int]: ...

    @property
    def symbols(self) -> list[int]: ...

    def layer(self, layer: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Branches of the nodes of a layer."""

    def support(self) -> list[int]:
        """The places that matter."""

    def contains(self, root: int, strings: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """For each string, whether it is in that set."""

class StringCounts:
    """Strings of an automaton, numbered; see setrograde.sets."""

    def __init__(self, automaton: Automaton, stop: StopFlag | None = None) -> None: ...

    def count(self, root: int) -> bytes:
        """The number of strings, little-endian."""

    def string_at(self, root: int, index: bytes) -> bytes:
        """The string of that number, in dictionary order; it must exist."""

class PlayerMoves:
    """All moves of a player; see setrograde.sets."""

    def __init__(self, forest: Forest, moves: Sequence[tuple[ForestSet | None, Sequence[tuple[int, Sequence[tuple[int, int]]]], ForestSet | None]], limit_bytes: int, stop: StopFlag | None = None) -> None: ...

    def image(self, set: ForestSet, is_reversed: bool, stop: StopFlag | None = None) -> ForestSet:
        """Where the moves lead from a set, or, reversed, where they come from."""

    @property
    def states(self) -> int: ...

    @property
    def steps(self) -> int: ...

    @property
    def relation_nodes(self) -> int: ...

def union_of_images(parts: Sequence[tuple[PlayerMoves, ForestSet]], is_reversed: bool, stop: StopFlag | None = None) -> ForestSet:
    """
    As PlayerMoves.image, for several moves with a set each; faster for large sets.
    """

def checksum(data: bytes) -> int:
    """XXH64 with seed 0."""

def list_shapes(tricks: int, for_sharing: bool = False, stop: StopFlag | None = None) -> bytes:
    """
    All canonical shapes, each four splits and 1 for trumps, as words of 16 bits: in the order of their numbers, or so that neighbours share most work.
    """

def shapes_of_masks(masks: Sequence[bytes], has_trumps: bool, least: Sequence[Sequence[int]], most: Sequence[Sequence[int]]) -> bytes:
    """
    The shapes of a set, in the form of `list_shapes`; suits as the masks have them.
    """

class Mine:
    """All endings of some shapes that have a property."""

    def __init__(self, shapes: Annotated[NDArray[numpy.uint16], dict(shape=(None, 5), order='C', device='cpu', writable=False)], wanted: Sequence[int], masks: Sequence[bytes] | None, threads: int, progress: Callable[[float], None] | None = None, stop: StopFlag | None = None) -> None:
        """
        `wanted`: property, least cost, tricks or -1, least choices, most cards that hold.
        """

    @property
    def shapes(self) -> int: ...

    def count(self, first: int, layouts: Annotated[NDArray[numpy.uint64], dict(shape=(None, 8), order='C', device='cpu')], endings: Annotated[NDArray[numpy.uint64], dict(shape=(None, 8), order='C', device='cpu')], threads: int, progress: Callable[[float], None] | None = None, stop: StopFlag | None = None) -> None:
        """
        Fills a row of each array, by tricks at stake, for as many shapes as they have rows.
        """

    def find(self, shape: int, numbers: Sequence[int], cost: int, stop: StopFlag | None = None) -> list[list[bytes]]:
        """
        Owners of the cards of each suit, highest first, for layouts with so much at stake, by number.
        """

def compare_leads(shapes: Annotated[NDArray[numpy.uint16], dict(shape=(None, 5), order='C', device='cpu', writable=False)], masks: Sequence[bytes], cards: Sequence[tuple[int, int]], threads: int, progress: Callable[[float], None] | None = None, stop: StopFlag | None = None) -> tuple[int, list[tuple[list[int], list[int]]]]:
    """
    All layouts; and for each card, given as suit and cards from it down, layouts by tricks of the leader's side, and by what it costs: in the last place those where he has not got it.
    """

def count_plainly(shapes: Annotated[NDArray[numpy.uint16], dict(shape=(None, 5), order='C', device='cpu', writable=False)], level: DiagramLevel, below: DiagramLevel | None, threads: int, progress: Callable[[float], None] | None = None, stop: StopFlag | None = None) -> list[list[int]]:
    """
    Endings of canonical shapes by tricks at stake, for each property, by enumeration.
    """

class OddsProgress:
    """How far a problem is settled."""

    @property
    def yes(self) -> int: ...

    @property
    def no(self) -> int: ...

    @property
    def sets(self) -> int: ...

    @property
    def solves(self) -> int: ...

    @property
    def told_apart(self) -> int:
        """Layouts for which the games with ties were not enough."""

class OddsSet:
    """Layouts with one answer."""

    @property
    def makes(self) -> bool: ...

    @property
    def layouts(self) -> int: ...

    @property
    def bounds(self) -> list[tuple[int, int, int]]:
        """
        For each card set, the least and the greatest number of its cards that East has: (cards, low, high).
        """

class OddsResult:
    """What is settled of a problem."""

    @property
    def yes(self) -> int: ...

    @property
    def no(self) -> int: ...

    @property
    def solves(self) -> int: ...

    @property
    def told_apart(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def open(self) -> int: ...

    @property
    def sets(self) -> list[OddsSet]: ...

class OddsSolver:
    """All layouts of the hidden cards between East and West."""

    def __init__(self, north: int, south: int, hidden: int, strain: int, leader: int, *, trick: Sequence[int] = [], shapes: Sequence[Sequence[int]] | None = None, points: tuple[int, int] = (0, 40), east: int = 0, west: int = 0, cases: Sequence[tuple[Sequence[Sequence[int]], int, int, int]] | None = None, limit_bytes: int = 1073741824, endings: ThresholdLevel | None = None) -> None:
        """
        The hidden cards fill the hands of East and West. `shapes` are the lengths East may have, clubs first; `points` the least and the greatest number of his high-card points; `east` and `west` cards that each has. If there are `cases`, which exclude each other, a layout must be in one of them: lengths of East, his points as bits, cards of East and of West.
        """

    @property
    def layouts(self) -> int: ...

    def settle(self, need: int, *, method: str = 'patterns', threads: int = 1, progress: Callable[[OddsProgress], bool] | None = None, stop: StopFlag | None = None) -> OddsResult:
        """
        Settles for all layouts whether North-South take `need` tricks, with one search (patterns) or with two games that bracket ties (classes). `progress` may return True to stop; stopped, the result is partial.
        """

    def sample(self, count: int, seed: int, need: int | None = None, *, progress: Callable[[int], bool] | None = None, stop: StopFlag | None = None) -> list[int]:
        """
        Tricks of North-South in `count` random layouts; with `need` only `need`, if they take as many, or one less. `progress` hears how many are done and may return True to stop, which raises Stopped.
        """

def legal_cards(hands: Sequence[int], strain: int, leader: int, trick: Sequence[int]) -> int:
    """
    Card set the player on turn may play from. Raises ValueError for an impossible position.
    """

def play_card(hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], card: int) -> int:
    """Seat that wins the trick if `card` completes it, else -1."""

class MissingShard(LevelFileError):
    pass

class ShapeIndex:
    """Numbers of the canonical shapes of a level."""

    def __init__(self, tricks: int) -> None: ...

    def __len__(self) -> int: ...

def is_sharded(path: str) -> bool:
    """True for a file that lists the shards of a level."""

def shard_path(path: str, number: int) -> str:
    """Where a shard of a level lies."""

def write_shard_list(plan: BuildPlan, path: str, creator: str, states: int) -> None: ...

def write_shard(shard: Shard, plan: BuildPlan, number: int, index: ShapeIndex, path: str, creator: str, stop: StopFlag | None = None) -> None:
    """Writes a shard of a plan's last level in the form it is stored."""

def write_ordered(level: OrderedLevel, path: str, creator: str, stop: StopFlag | None = None) -> None: ...

def map_ordered(path: str, stop: StopFlag | None = None) -> OrderedLevel:
    """Maps a level that others are built on, all of it checked."""

class ShardedLevel:
    """A stored level in shards, mapped when asked."""

    def __init__(self, path: str) -> None: ...

    @property
    def tricks(self) -> int: ...

    @property
    def shapes(self) -> int: ...

    @property
    def shards(self) -> int: ...

    @property
    def file_bytes(self) -> int: ...

    @property
    def creator(self) -> str: ...

    @property
    def states(self) -> int: ...

    def is_built(self, number: int) -> bool: ...

    def shard(self, number: int) -> DiagramLevel:
        """One shard; an error if it is not built."""

    def value(self, hands: Sequence[int], strain: int, leader: int) -> int:
        """Tricks of the leader's side."""

    def values(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], strains: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], leaders: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> int:
        """
        Fills `out`; the number of the first bad position, or their number if all are good.
        """

    def path(self, hands: Sequence[int], strain: int, leader: int) -> list[tuple[int, int, int, int]]:
        """
        Cards asked about: suit, cards from it down, owner, and owners who lead to the same place.
        """

    def values_of_shape(self, rank: int) -> bytes: ...

    def query(self, masks: Sequence[bytes], strain: int, least: Sequence[Sequence[int]], most: Sequence[Sequence[int]], stop: StopFlag | None = None) -> tuple[list[int], int]:
        """Deals by tricks of the leader's side, and the number of shapes."""

class NodeReach:
    """Counts the nodes that some shapes need."""

    def __init__(self, level: DiagramLevel) -> None: ...

    def add(self, ranks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """Adds shapes; the nodes of all shapes so far."""

def open_shard(path: str, tricks: int) -> DiagramLevel:
    """A shard by itself."""

class ThresholdLevel:
    """A level of endings made for the search, mapped."""

    def __init__(self, path: str) -> None: ...

    @property
    def tricks(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def file_bytes(self) -> int: ...

    def check(self, stop: StopFlag | None = None) -> None:
        """Compares all checksums."""

    def check_size(self) -> None:
        """Raises an error if the file was shortened after it was opened."""

def write_thresholds(level: DiagramLevel, path: str, stop: StopFlag | None = None) -> None:
    """Makes the file for the search from a level of diagrams."""

def check_endings(hands: Sequence[int], strain: int, leader: int, endings: ThresholdLevel, values: DiagramLevel, members: int, seed: int, stop: StopFlag | None = None) -> tuple[int, int, int]:
    """
    Solves a deal and tries each answer of the database on random members of its set. Returns the numbers of answers, of members tried and of wrong members.
    """

class Solver:
    """
    Context for double-dummy questions; see setrograde.solve. A call is stopped by its flag `stop`, and by a `cancel` after `since`, the value of `cancels` when the call was made (now, by default).
    """

    def __init__(self, limit_bytes: int, techniques: int, endings: ThresholdLevel | None = None) -> None: ...

    def solve(self, hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], guess: int | None = None, stop: StopFlag | None = None, since: int | None = None) -> tuple[int, int, int]:
        """
        North-South's tricks, the cards that mattered, and the number of positions searched.
        """

    def ask(self, hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], need: int, stop: StopFlag | None = None, since: int | None = None) -> tuple[bool, int]:
        """Whether North-South take `need` tricks, and the cards that mattered."""

    def solve_cards(self, hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], stop: StopFlag | None = None, since: int | None = None) -> list[tuple[int, int]]:
        """Pairs of legal card and North-South's tricks after it."""

    def solve_leaders(self, hands: Sequence[int], strain: int, stop: StopFlag | None = None, since: int | None = None) -> list[int]:
        """North-South's tricks for leaders N, E, S, W."""

    def cancel(self) -> None:
        """Stops all calls made so far, also those that wait for their turn."""

    @property
    def cancels(self) -> int:
        """How often `cancel` was called."""

    def use_endings(self, endings: ThresholdLevel | None, stop: StopFlag | None = None, since: int | None = None) -> None:
        """
        Goes on with this database of endings or none, with an empty table and counters at zero.
        """

    def reset(self, stop: StopFlag | None = None, since: int | None = None) -> None:
        """Forgets the table."""

    def statistics(self, stop: StopFlag | None = None, since: int | None = None) -> dict[str, int]:
        """Counters since the solver was made."""

def solve_tables(deals: Sequence[Sequence[int]], threads: int, limit_bytes: int, progress: Callable[[int], None] | None = None, endings: ThresholdLevel | None = None, stop: StopFlag | None = None) -> list[list[list[int]]]:
    """
    North-South's tricks by deal, strain and leader; `progress` hears the number of finished strains.
    """

def solve_many(questions: Sequence[tuple[Sequence[int], int, int, Sequence[int]]], threads: int, limit_bytes: int, progress: Callable[[int], None] | None = None, endings: ThresholdLevel | None = None, stop: StopFlag | None = None) -> list[int]:
    """North-South's tricks of each position."""

MAX_LEVEL_TRICKS: int = 3

class StateLevel:
    """
    Values of every layout of every shape; see setrograde.db.methods.state_tables.
    """

    def __init__(self, tricks: int, below: StateLevel | None = None, threads: int = 1, progress: Callable[[int], None] | None = None, stop: StopFlag | None = None) -> None: ...

    @staticmethod
    def from_bytes(data: bytes) -> StateLevel:
        """Reads what `to_bytes` wrote."""

    def to_bytes(self) -> bytes:
        """Packed, two bits a value, with a checksum."""

    @property
    def tricks(self) -> int:
        """Cards in each hand."""

    @property
    def shapes(self) -> int:
        """How many canonical shapes there are."""

    @property
    def layouts(self) -> int:
        """How many values there are."""

    @property
    def states(self) -> int:
        """How many canonical states there are."""

    def values_of_shape(self, rank: int) -> bytes:
        """The table of a shape: a byte for each layout."""

    def value(self, hands: Sequence[int], strain: int, leader: int) -> int:
        """Tricks of the leader's side."""

    def values(self, hands: Annotated[NDArray[numpy.uint64], dict(shape=(None, 4), order='C', device='cpu', writable=False)], strains: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], leaders: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Tricks of the leader's side for each row."""

class ShapeSolver:
    """
    Tables of single shapes above a level; see setrograde.db.methods.state_tables.
    """

    def __init__(self, level: StateLevel, limit_bytes: int) -> None: ...

    def bytes_needed(self, suits: Sequence[int], has_trumps: bool) -> int:
        """Bytes of the tables that solving a shape takes."""

    def solve(self, suits: Sequence[int], has_trumps: bool, threads: int = 1, progress: Callable[[int], None] | None = None, stop: StopFlag | None = None) -> bytes:
        """
        The table of a canonical shape; a suit is four lengths of four bits, player 0 highest.
        """

def shape_layouts(tricks: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """
    How many layouts each canonical shape has, in the order of their numbers.
    """

def find_layout_classes(hidden: int, others: int, length: int, held: int, denied: int, shortest: Sequence[int], longest: Sequence[int], grouping: int, small: int, seed: int, limit: int) -> tuple[list[int], Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]] | None:
    """
    Groups of cards, one layout of each class, and weights; none if there are too many.
    """

class StrategySearch:
    """Context for strategy search; see setrograde.solve.strategy."""

    def __init__(self, limit_bytes: int, endings: ThresholdLevel | None = None) -> None: ...

    def use_endings(self, endings: ThresholdLevel | None, stop: StopFlag | None = None) -> None: ...

    def reset(self, stop: StopFlag | None = None) -> None:
        """Forgets what was learned."""

    def outcomes(self, state: tuple[Sequence[int], tuple[int, int], Sequence[int], int, int, Sequence[int], int], worlds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], need: int, stop: StopFlag | None = None) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        For each world a one if North-South take `need` of the tricks left double dummy.
        """

    def search(self, state: tuple[Sequence[int], tuple[int, int], Sequence[int], int, int, Sequence[int], int], worlds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, steps: Sequence[tuple[int, float]], plan: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, depth: int, has_labels: bool, small: int, cuts: int, breaks_ties: bool, searches_forced_cards: bool, work_limit: int, seconds: float, stop: StopFlag | None = None) -> dict[str, Any]:
        """The candidates and the value of the best strategy."""

class SuitSolver:
    """Undominated outcomes in one suit; see setrograde.analysis.suit.game."""

    def __init__(self, own: Sequence[int], runs: Sequence[int], layouts: Sequence[Sequence[int]]) -> None: ...

    def front(self, state: tuple[Sequence[int], Sequence[Sequence[int]], Sequence[bool], Sequence[int], int], work: int | None = None, stop: StopFlag | None = None) -> list[bytes] | None:
        """
        The undominated outcomes as bytes: for 1, 2, ... tricks a set of `stride` bits, layout 0 first.
        None if that takes more work than allowed.
        """

    def outcomes_for(self, state: tuple[Sequence[int], Sequence[Sequence[int]], Sequence[bool], Sequence[int], int], demands: Sequence[tuple[Sequence[Sequence[int]], int]], work: int, stop: StopFlag | None = None) -> list[bytes] | None:
        """
        The outcomes of the front that meet all demands: a worth by tricks and layout each, and the
        least sum. None if that takes more work than allowed.
        """

    def best(self, state: tuple[Sequence[int], Sequence[Sequence[int]], Sequence[bool], Sequence[int], int], worth: Sequence[Sequence[int]], demands: Sequence[tuple[Sequence[Sequence[int]], int]], most_by_tricks: Sequence[int], work: int, stop: StopFlag | None = None) -> tuple[bytes | None, int]:
        """
        The outcome worth most, and what no outcome exceeds. Without an outcome the work was not
        enough, or none meets the demands. `most_by_tricks`: bounds for each number of tricks alone,
        or nothing.
        """

    def can_win(self, state: tuple[Sequence[int], Sequence[Sequence[int]], Sequence[bool], Sequence[int], int], outcome: bytes, stop: StopFlag | None = None) -> bool:
        """True if some line wins the outcome in every layout."""

    @property
    def stride(self) -> int:
        """Bits of a set of layouts."""

    @property
    def levels(self) -> int:
        """The most tricks there can be."""

    @property
    def states(self) -> int:
        """The number of states whose fronts are known."""
