"""The environment against PettingZoo's own tests, and against games of the library."""

import random

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test  # noqa: E402

import oware  # noqa: E402
from oware.pettingzoo import env, raw_env  # noqa: E402

# Its tests advise observations without masks.
pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize("rules", ["awari", "abapa", "opponent-takes-rest"])
def test_the_api(rules, capsys):
    api_test(env(rules=rules), num_cycles=300)
    seed_test(lambda: env(rules=rules), num_cycles=50)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["result", "margin"])
def test_games_are_those_of_the_library(reward):
    rng = random.Random(1)
    for _ in range(50):
        environment = raw_env(rules="abapa", reward=reward)
        environment.reset(seed=1)
        game = oware.Game("abapa")
        totals = {"player_0": 0.0, "player_1": 0.0}
        for agent in environment.agent_iter():
            observation, gain, terminated, _, info = environment.last()
            totals[agent] += gain
            if terminated:
                assert info == {"end": game.end} and not observation["action_mask"].any()
                environment.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            assert ["ABCDEF"[pit] for pit in legal] == game.legal_moves()
            assert agent == {"S": "player_0", "N": "player_1"}[game.turn]
            assert tuple(observation["observation"][:12]) == game.board.pits
            assert environment.observation_space(agent).contains(observation)
            pit = int(rng.choice(legal))
            environment.step(pit)
            game.play(pit)
        lead = game.score[0] - game.score[1]
        expected = np.sign(lead) if reward == "result" else lead / 48
        assert (totals["player_0"], totals["player_1"]) == (expected, -expected) and game.end


def test_an_illegal_move_ends_the_game_for_its_player():
    environment = env(position="1-0-0-0-0-1-1-0-0-0-0-1-22-22-S")
    environment.reset()
    environment.step(1)
    assert environment.rewards == {"player_0": -1, "player_1": 0}
    assert all(environment.terminations.values())
