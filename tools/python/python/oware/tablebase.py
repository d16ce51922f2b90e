"""Tables in several folders, with the names that users of python-chess know.

    >>> import oware
    >>> with oware.open_tablebase() as tablebase:   # without a folder: levels solved in memory
    ...     tablebase.probe_value("0 0 0 0 1 1 | 1 0 0 1 0 0")
    2

``probe_…`` raises ``MissingTableError``, which is a ``KeyError``, where there is no table; ``get_…`` returns
a default instead. A damaged table raises ``TableError`` in both.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Callable, Optional, TypeVar

from ._errors import MissingTableError
from ._oware import Database, MoveValue, Rules

if TYPE_CHECKING:
    from ._types import BoardLike, Folder, RulesLike

__all__ = ["Tablebase", "open_tablebase"]

T = TypeVar("T")
D = TypeVar("D")

SOLVED_SEEDS = 8
"""The levels of a tablebase without folders."""


class Tablebase:
    """The tables of one rule set in any number of folders.

    A probe asks the folders in the order in which they were added. The tables of a folder depend on each
    other, so that each folder has an answer of its own or none.
    """

    def __init__(self, rules: RulesLike = "awari") -> None:
        self._rules = Rules(rules)
        self._databases: list[Database] = []

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    def add_directory(self, directory: Folder) -> int:
        """Adds the tables of a folder. Returns the number of levels that it holds.

        Raises ``FileNotFoundError`` if there is no folder.
        """
        return self.add_database(Database.open(directory, self._rules))

    def add_database(self, database: Database) -> int:
        """Adds a database, such as one solved in memory. Returns the number of levels that it holds."""
        if database.rules != self._rules:
            raise ValueError(f"a database of {database.rules} in a tablebase of {self._rules}")
        self._databases.append(database)
        return len(database.levels())

    def close(self) -> None:
        """Closes all databases."""
        for database in self._databases:
            database.close()
        self._databases.clear()

    def __enter__(self) -> Tablebase:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _probe(self, probe: Callable[[Database], T]) -> T:
        missing = MissingTableError(f"no {self._rules} tables: no folder was added")
        for database in self._databases:
            try:
                return probe(database)
            except MissingTableError as error:
                missing = error
        raise missing

    def _get(self, probe: Callable[[BoardLike], T], board: BoardLike, default: D) -> T | D:
        try:
            return probe(board)
        except MissingTableError:
            return default

    def probe_value(self, board: BoardLike) -> int:
        """The value of a board for its mover."""
        return self._probe(lambda database: database.value(board))

    def get_value(self, board: BoardLike, default: D = None) -> int | D:  # type: ignore[assignment]
        """As ``probe_value``, with a default where there is no table."""
        return self._get(self.probe_value, board, default)

    def probe_moves(self, board: BoardLike) -> list[MoveValue]:
        """The legal moves with their values, the best first."""
        return self._probe(lambda database: database.moves(board))

    def get_moves(self, board: BoardLike, default: D = None) -> list[MoveValue] | D:  # type: ignore[assignment]
        """As ``probe_moves``, with a default where there is no table."""
        return self._get(self.probe_moves, board, default)

    def probe_distance(self, board: BoardLike) -> Optional[int]:
        """The plies to the next capture or the end; None for a board of value 0 that goes on."""
        return self._probe(lambda database: database.distance(board))

    def get_distance(self, board: BoardLike, default: D = None) -> Optional[int] | D:  # type: ignore[assignment]
        """As ``probe_distance``, with a default where there is no table."""
        return self._get(self.probe_distance, board, default)

    def probe_bounds(self, board: BoardLike) -> tuple[int, int]:
        """The least and the most that the mover gains, whatever settles endless play."""
        return self._probe(lambda database: database.bounds(board))

    def get_bounds(self, board: BoardLike, default: D = None) -> tuple[int, int] | D:  # type: ignore[assignment]
        """As ``probe_bounds``, with a default where there is no table."""
        return self._get(self.probe_bounds, board, default)


def open_tablebase(directory: Optional[Folder] = None, *, rules: RulesLike = "awari") -> Tablebase:
    """Opens the tables of a folder; ``add_directory`` adds others.

    Without a folder the levels of up to 8 seeds are solved in memory, with their bounds.
    """
    tablebase = Tablebase(rules)
    if directory is None:
        tablebase.add_database(Database.solve(SOLVED_SEEDS, rules, bounds=True))
    else:
        tablebase.add_directory(directory)
    return tablebase
