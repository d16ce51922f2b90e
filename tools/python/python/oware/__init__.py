"""Exact endgames of Oware (Awari, Wari): tables, probing, building and search.

    >>> import oware
    >>> database = oware.Database.solve(6)          # small levels need no tables
    >>> database.value("0 0 0 0 1 1 | 1 0 0 1 0 0")
    2
    >>> database.moves("0 0 0 0 1 1 | 1 0 0 1 0 0")[0]
    MoveValue(pit='F', captured=2, value=+2)

A value is what the mover captures from here on minus what the opponent captures, both playing perfectly.
A board is twelve pits, the mover's A to F in sowing order, then the opponent's a to f.

``build`` makes tables, ``Database.open`` answers from them, ``Database.values`` takes arrays of boards,
``Engine`` plays. ``open_tablebase`` has the names that users of python-chess know. ``oware.pettingzoo`` and
``oware.openspiel`` need the packages that they are named for.
"""

from ._errors import (
    BoardError,
    BuildStopped,
    IllegalMoveError,
    MissingTableError,
    OwareError,
    TableError,
)
from ._oware import (
    Board,
    BuildSummary,
    Choice,
    Database,
    Engine,
    Game,
    LevelChunks,
    Line,
    Move,
    MoveValue,
    Rules,
    __version__,
    build,
    set_threads,
)
from .tablebase import Tablebase, open_tablebase

__all__ = [
    "Board",
    "BoardError",
    "BuildStopped",
    "BuildSummary",
    "Choice",
    "Database",
    "Engine",
    "Game",
    "IllegalMoveError",
    "LevelChunks",
    "Line",
    "MissingTableError",
    "Move",
    "MoveValue",
    "OwareError",
    "Rules",
    "TableError",
    "Tablebase",
    "__version__",
    "build",
    "open_tablebase",
    "set_threads",
]
