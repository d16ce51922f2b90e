"""Exact values for OpenSpiel's oware, whose rules are ``abapa``.

    pip install oware[openspiel]

    >>> import oware, pyspiel
    >>> from oware.openspiel import TableEvaluator, board_of
    >>> state = pyspiel.load_game("oware").new_initial_state()
    >>> print(board_of(state))
    4 4 4 4 4 4 | 4 4 4 4 4 4
    >>> evaluator = TableEvaluator(oware.Database.solve(8, "abapa", bounds=True))

``TableEvaluator`` is an evaluator of ``open_spiel.python.algorithms.mcts``: where the tables settle who
wins, it says so; elsewhere it asks another evaluator.

A table value shares endless play evenly, and OpenSpiel gives each side its own row. With tables of bounds
the evaluator answers only where the result is the same whatever settles endless play; without them it takes
the value as it is. OpenSpiel also ends a game when a position of before comes back, which a table does not
know: an answer is certain right after a capture, since when no position of before can come back, and nearly
so elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from ._errors import MissingTableError
from ._oware import Board, Database, Rules

__all__ = ["Position", "TableEvaluator", "board_of", "position_of"]


class Position(NamedTuple):
    """A state of OpenSpiel's oware, seen by the player to move."""

    board: Board
    """The pits, the player's own first."""
    store: int
    """Seeds that the player has captured."""
    other_store: int
    """Seeds that the other player has captured."""


def position_of(state: pyspiel.State) -> Position:
    """The position of a state in which somebody is to move; ``ValueError`` for another game's state."""
    if state.get_game().get_type().short_name != "oware":
        raise ValueError(f"a state of {state.get_game()}, not of oware")
    if state.is_terminal():
        raise ValueError("the game is over")
    # OpenSpiel draws the state: North's store and row above, South's below, both from South's side.
    lines = [line.split() for line in str(state).strip().splitlines()]
    north_store, _, north_row, south_row, _, south_store = lines
    south = [int(seeds) for seeds in south_row]
    north = [int(seeds) for seeds in reversed(north_row)]
    stores = int(south_store[4]), int(north_store[4])
    if state.current_player() == 0:
        return Position(Board(south + north), *stores)
    return Position(Board(north + south), stores[1], stores[0])


def board_of(state: pyspiel.State) -> Board:
    """The board of a state, seen by the player to move."""
    return position_of(state).board


class TableEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Results from tables, for the searches of OpenSpiel.

    ``database`` holds tables of ``abapa``. ``fallback`` is asked where they settle nothing; by default it
    plays a random game.
    """

    def __init__(self, database: Database, fallback: Optional[mcts.Evaluator] = None) -> None:
        if database.rules != Rules("abapa"):
            raise ValueError(f"OpenSpiel's oware is abapa, the tables are {database.rules}")
        self.database = database
        self.fallback = fallback or mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))

    def margins(self, state: pyspiel.State) -> Optional[tuple[int, int]]:
        """The least and the most by which the player to move wins; None where there is no table."""
        board, store, other_store = position_of(state)
        lead = store - other_store
        try:
            if self.database.has_bounds(board.seeds):
                low, high = self.database.bounds(board)
                return lead + low, lead + high
            value = self.database.value(board)
            return lead + value, lead + value
        except MissingTableError:
            return None

    def result(self, state: pyspiel.State) -> Optional[int]:
        """1 if the player to move wins, −1 if it loses, 0 for a draw; None where the tables do not say."""
        margins = self.margins(state)
        if margins is None or np.sign(margins[0]) != np.sign(margins[1]):
            return None
        return int(np.sign(margins[0]))

    def evaluate(self, state: pyspiel.State) -> Any:
        """The returns of both players."""
        if state.is_terminal():
            return np.array(state.returns())
        result = self.result(state)
        if result is None:
            return self.fallback.evaluate(state)
        returns = np.array([result, -result], dtype=float)
        return returns if state.current_player() == 0 else -returns

    def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """The legal actions with probabilities: the best by the tables, all where these do not say."""
        actions = state.legal_actions()
        try:
            moves = self.database.moves(board_of(state))
        except MissingTableError:
            prior: list[tuple[int, float]] = self.fallback.prior(state)
            return prior
        best = {"ABCDEF".index(move.pit) for move in moves if move.value == moves[0].value}
        chosen = [action for action in actions if action % 6 in best]
        return [(action, 1.0 / len(chosen) if action in chosen else 0.0) for action in actions]
