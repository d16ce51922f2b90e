"""The engine: exact from tables, searched without, within its limits."""

import pytest

import oware
from oware import Engine, Game

ENDING = "2-1-3-1-0-0-0-0-0-0-0-2-20-19-S"


def test_moves_from_tables_are_exact(database):
    game = Game(position=ENDING)
    choice = Engine(database).choose(game)
    assert (choice.source, choice.certainty, choice.depth) == ("database", "exact", 0)
    assert choice.value == database.value(game.board) and choice.pit == choice.line[0]
    assert choice.problem is None


def test_moves_without_tables_are_searched():
    choice = Engine(aim="result", hash_bytes=1 << 20).choose(Game("abapa"), depth=4)
    assert (choice.source, choice.depth) == ("search", 4) and choice.nodes > 100
    assert choice.pit in "ABCDEF" and choice.line[1:2] in list("abcdef")
    assert Engine().choose(Game(), nodes=1000).nodes < 3000
    assert Engine().choose(Game(), time=0.05) is not None


def test_a_search_ends_in_tables(database):
    game = Game(position="2-1-3-2-0-0-0-0-1-0-0-2-19-18-S")
    choice = Engine(database).choose(game, depth=6)
    assert choice.source == "search" and choice.table_hits > 0


def test_a_game_that_is_over_has_no_move():
    assert Engine().choose(Game(position="0-0-0-0-0-0-0-0-0-0-0-0-24-24-S")) is None


def test_wrong_options_are_value_errors(database):
    with pytest.raises(ValueError, match="choose margin"):
        Engine(aim="fame")
    for time in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            Engine().choose(Game(), time=time)
    database.close()
    with pytest.raises(ValueError, match="closed"):
        Engine(database)
    assert isinstance(oware.Engine(None), Engine)
