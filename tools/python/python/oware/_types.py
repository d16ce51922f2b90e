"""What functions take for boards, moves and rules; for type checkers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._oware import Board, Rules

RulesLike = Union["Rules", str]
"""Rules or their name."""
BoardLike = Union["Board", str, Sequence[int], "npt.NDArray[np.integer[Any]]"]
"""A board, its text, or its twelve pits."""
BoardsLike = Union["npt.NDArray[np.uint8]", Sequence["BoardLike"]]
"""An array of shape (n, 12) and type uint8, or a sequence of boards."""
PitLike = Union[str, SupportsIndex]
"""The letter of a pit, A to F in either case, or its place from 0 to 5."""
Folder = Union[str, "os.PathLike[str]"]
"""A path."""
End = Literal["no-seeds", "cannot-feed", "only-slams"]
"""Why a board has no legal move."""
GameEnd = Literal["more-than-half", "no-seeds", "cannot-feed", "only-slams", "slam", "repetition"]
"""Why a game is over."""


class ProgressBar(Protocol):
    """What ``tqdm.tqdm`` returns, as far as a build uses it."""

    def update(self, n: int, /) -> object:
        """``n`` more are done."""

    def close(self) -> object:
        """All are done."""
