"""Positions and results against OpenSpiel's own oware, on random games."""

import random

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
import oware  # noqa: E402
from oware.openspiel import TableEvaluator, board_of, position_of  # noqa: E402

GAMES = 200


def small_game():
    return pyspiel.load_game("oware(num_houses_per_player=6,num_seeds_per_house=1)")


@pytest.fixture(scope="module")
def solved():
    return oware.Database.solve(9, "abapa", bounds=True)


@pytest.mark.parametrize("seeds_a_pit", [1, 2, 4])
def test_states_are_games_of_abapa(seeds_a_pit):
    rng = random.Random(seeds_a_pit)
    game = pyspiel.load_game(f"oware(num_houses_per_player=6,num_seeds_per_house={seeds_a_pit})")
    pits = "-".join([str(seeds_a_pit)] * 12)
    for _ in range(GAMES):
        state, ours = game.new_initial_state(), oware.Game("abapa", position=f"{pits}-0-0-S")
        while not state.is_terminal():
            position = position_of(state)
            south, north = ours.stores
            assert position.board == ours.board == board_of(state)
            assert (position.store, position.other_store) == ((south, north), (north, south))[ours.turn == "N"]
            assert ["ABCDEF"[action % 6] for action in state.legal_actions()] == ours.legal_moves()
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            ours.play(action % 6)
        assert ours.end is not None
        assert state.returns()[0] == np.sign(ours.score[0] - ours.score[1])


def best_returns(state, depth, evaluator):
    """What the player to move reaches by search to the end; None if that is too deep."""
    if state.is_terminal():
        return state.returns()[0]
    if depth == 0:
        return None
    results = [best_returns(state.child(action), depth - 1, evaluator) for action in state.legal_actions()]
    wanted = 1 if state.current_player() == 0 else -1
    if wanted in results:
        return wanted
    if None in results:
        return None
    return max(results) if wanted == 1 else min(results)


def test_results_of_tables_are_those_of_search(solved):
    """Right after a capture no position of before can come back. There, wherever a search of OpenSpiel's
    game to its end proves a result, the tables have the same."""
    rng = random.Random(1)
    evaluator = TableEvaluator(solved)
    compared = 0
    for _ in range(400):
        state, on_board = small_game().new_initial_state(), 12
        while not state.is_terminal():
            result = evaluator.result(state)
            captured, on_board = board_of(state).seeds < on_board, board_of(state).seeds
            if result is not None and captured:
                proved = best_returns(state, 5, evaluator)
                sign = 1 if state.current_player() == 0 else -1
                if proved is not None:
                    compared += 1
                    assert proved == sign * result, state
                assert list(evaluator.evaluate(state)) == [sign * result, -sign * result]
            prior = dict(evaluator.prior(state))
            assert sorted(prior) == state.legal_actions() and abs(sum(prior.values()) - 1) < 1e-9
            state.apply_action(rng.choice(state.legal_actions()))
        assert list(evaluator.evaluate(state)) == state.returns()
    assert compared > 100


def test_mcts_of_openspiel_takes_the_evaluator(solved):
    from open_spiel.python.algorithms import mcts

    game = small_game()
    bot = mcts.MCTSBot(game, 2.0, 50, TableEvaluator(solved), random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    for _ in range(6):
        if state.is_terminal():
            break
        state.apply_action(bot.step(state))


def test_other_games_and_other_rules_are_refused(solved):
    with pytest.raises(ValueError, match="not of oware"):
        board_of(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match="abapa"):
        TableEvaluator(oware.Database.solve(2, "awari"))
