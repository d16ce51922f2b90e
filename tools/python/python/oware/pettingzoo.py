"""An environment of PettingZoo: two players, turn by turn, with action masks.

    pip install oware[pettingzoo]

    >>> from oware.pettingzoo import env
    >>> game = env(rules="abapa")
    >>> game.reset()
    >>> observation, reward, termination, truncation, info = game.last()
    >>> observation["action_mask"].tolist()
    [1, 1, 1, 1, 1, 1]

The agents are ``player_0``, who is South and moves first, and ``player_1``. An observation is a dictionary with
``observation``, fourteen numbers of type uint8 (the pits seen by the agent, its own row first, then its
store and the opponent's), and ``action_mask``, six numbers of type int8 that are 1 for the legal moves A
to F; the mask of the agent that is not to move is 0. Rewards come at the end of the game: 1, 0 or −1, or
with ``reward="margin"`` the difference of the scores divided by all seeds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._oware import Game

if TYPE_CHECKING:
    from ._types import RulesLike

__all__ = ["OwareEnv", "env", "raw_env"]

AGENTS = ["player_0", "player_1"]
SEEDS = 48


class OwareEnv(AECEnv):  # type: ignore[misc]
    """A game of Oware as PettingZoo has it. ``game`` is the ``oware.Game``."""

    metadata = {"name": "oware_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: RulesLike = "awari",
        *,
        position: Optional[str] = None,
        repetition: Optional[Literal["split", "own-side"]] = None,
        reward: Literal["result", "margin"] = "result",
        render_mode: Optional[str] = None,
    ) -> None:
        """``position`` is a game string to start from, as for ``oware.Game``."""
        super().__init__()
        if reward not in ("result", "margin"):
            raise ValueError(f"unknown reward '{reward}': choose result or margin")
        self._start = Game(rules, position=position, repetition=repetition)
        self._reward = reward
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, SEEDS, shape=(14,), dtype=np.uint8),
                "action_mask": spaces.Box(0, 1, shape=(6,), dtype=np.int8),
            }
        )
        self.observation_spaces = {agent: seen for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(6) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a game. Nothing is random, so that ``seed`` changes nothing."""
        self.game = self._start.copy()
        self.agents = list(AGENTS)
        self.rewards = {agent: 0.0 for agent in AGENTS}
        self._cumulative_rewards = {agent: 0.0 for agent in AGENTS}
        over = self.game.end is not None
        self.terminations = {agent: over for agent in AGENTS}
        self.truncations = {agent: False for agent in AGENTS}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return AGENTS["SN".index(self.game.turn)]

    def observe(self, agent: str) -> dict[str, Any]:
        is_to_move = agent == self._to_move()
        board = self.game.board if is_to_move else self.game.board.flipped()
        south, north = self.game.stores
        stores = (south, north) if agent == AGENTS[0] else (north, south)
        mask = np.zeros(6, dtype=np.int8)
        if is_to_move:
            mask[["ABCDEF".index(letter) for letter in self.game.legal_moves()]] = 1
        return {"observation": np.array([*board.pits, *stores], dtype=np.uint8), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.game.play(int(action))
        self._clear_rewards()
        if self.game.end is not None:
            self._end()
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def _end(self) -> None:
        south, north = self.game.score
        lead = south - north
        gain = float(np.sign(lead)) if self._reward == "result" else lead / SEEDS
        self.rewards = dict(zip(AGENTS, (gain, -gain)))
        self.terminations = {agent: True for agent in AGENTS}
        self.infos = {agent: {"end": self.game.end} for agent in AGENTS}

    def render(self) -> Optional[str]:
        return f"{self.game.position}" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""


def raw_env(**options: Any) -> OwareEnv:
    """The environment without wrappers; the options are those of ``OwareEnv``."""
    return OwareEnv(**options)


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's checks: an illegal move ends the game with a reward of −1."""
    game: AECEnv = OwareEnv(**options)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=-1)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)
