"""The exceptions of the package. Messages are one line that names the file or level and the fault."""

__all__ = [
    "BoardError",
    "BuildStopped",
    "IllegalMoveError",
    "MissingTableError",
    "OwareError",
    "TableError",
]


class OwareError(Exception):
    """The base of all exceptions of this package."""


class BoardError(OwareError, ValueError):
    """What was given is not a board."""


class IllegalMoveError(OwareError, ValueError):
    """A move cannot be played."""


class MissingTableError(OwareError, KeyError):
    """There is no table of the level of the board, or of a board that the answer depends on."""

    # A KeyError shows the repr of its argument.
    def __str__(self) -> str:
        return Exception.__str__(self)


class TableError(OwareError):
    """A table is damaged, is not a table, or does not fit the others."""


class BuildStopped(OwareError):
    """A build was stopped; whole tables are kept."""


for _error in (OwareError, BoardError, IllegalMoveError, MissingTableError, TableError, BuildStopped):
    _error.__module__ = "oware"
