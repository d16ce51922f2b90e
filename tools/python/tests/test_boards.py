"""Boards, moves, rule sets and games."""

import copy
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import oware
from conftest import rows
from oware import Board, Game, Rules

TEXT = "2 1 3 4 0 0 | 0 0 0 0 0 2"


def test_a_board_is_read_from_everything_that_names_it():
    pits = (2, 1, 3, 4, 0, 0, 0, 0, 0, 0, 0, 2)
    board = Board(TEXT)
    same = [pits, list(pits), np.array(pits), np.array(pits, np.uint8), board, bytes(pits)]
    same += [TEXT.replace(" | ", " "), "2-1-3-4-0-0-0-0-0-0-0-2", "2-1-3-4-0-0-0-0-0-0-0-2-20-16-S"]
    assert all(Board(other) == board for other in same)
    assert Board.parse(TEXT) == board
    assert (str(board), repr(board)) == (TEXT, f"Board('{TEXT}')")
    assert (board.pits, board.seeds) == (pits, 12)
    assert board.mover + board.opponent == pits
    assert (tuple(board), len(board), board[0], board[-1]) == (pits, 12, 2, 2)
    assert board.to_numpy().dtype == np.uint8 and (board.to_numpy() == pits).all()
    assert board.flipped().flipped() == board != board.flipped()
    assert hash(Board(pits)) == hash(board) and Board([0] * 12) < board
    assert pickle.loads(pickle.dumps(board)) == board == eval(repr(board))
    assert board.is_reachable and not Board.start().is_reachable


@pytest.mark.parametrize(
    "wrong",
    ["", "1 2 3", "x", "5 " * 12, [5] * 12, [1] * 11, [-1] + [0] * 11, [300] + [0] * 11, [0] * 10_000],
)
def test_what_is_no_board_is_a_value_error_of_one_line(wrong):
    with pytest.raises(ValueError) as raised:
        Board(wrong)
    assert isinstance(raised.value, oware.BoardError) and isinstance(raised.value, oware.OwareError)
    assert str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("wrong", [None, 3, 1.5, [0.5] * 12, object(), ["a"] * 12])
def test_other_types_are_type_errors(wrong):
    with pytest.raises(TypeError):
        Board(wrong)


def test_places_outside_a_board_are_index_errors():
    for place in (12, -13, 10**15):
        with pytest.raises(IndexError):
            Board.start()[place]


def test_rules_are_values_with_names():
    assert [rules.name for rules in Rules.all()] == [
        "awari", "abapa", "wari", "leave-first", "leave-last", "opponent-takes-rest", "two-lap",
    ]  # fmt: skip
    for rules in Rules.all():
        assert Rules(str(rules)) == rules == Rules(rules) == pickle.loads(pickle.dumps(rules))
        assert eval(repr(rules)) == rules and len({rules, Rules(rules.name)}) == 1
    assert Rules.AWARI.slam == "illegal" and Rules.ABAPA.slam == "captures-nothing"
    with pytest.raises(ValueError, match="choose awari, abapa"):
        Rules("chess")
    with pytest.raises(TypeError):
        Board.start().legal_moves(3)


@pytest.mark.parametrize("case", rows("rule_cases.csv"), ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
def test_the_cases_of_the_rules(case):
    rules, before, move, after, *_ = case
    game = Game(rules, position=before, plays_on=True)
    pit = move.upper()
    if after == "illegal":
        assert pit not in game.board.legal_moves(rules)
        with pytest.raises(oware.IllegalMoveError):
            game.board.play(pit, rules)
        return
    found = game.board.play(pit, rules)
    assert pit in game.legal_moves()
    assert found.captured == game.play(pit)
    assert game.position == after
    assert found.board is None or found.board == game.board


def test_moves_are_letters_or_places():
    board = Board("0 0 0 0 1 1 | 1 0 0 1 0 0")
    found = board.play("F")
    assert (found.pit, found.captured, found.left) == ("F", 2, 0)
    assert found.board == Board("0 0 0 1 0 0 | 0 0 0 0 1 0")
    assert board.play("f").board == board.play(5).board == board.play(np.int64(5)).board == found.board
    assert [move.pit for move in board.moves()] == board.legal_moves() == ["E", "F"]
    for wrong in ("A", 0, 6, -1, "G", "", "AB"):
        with pytest.raises(oware.IllegalMoveError):
            board.play(wrong)
    with pytest.raises(TypeError):
        board.play(1.5)
    assert board.end() is None and Board([0] * 12).end() == "no-seeds"


def test_a_board_is_drawn_as_svg():
    root = xml.etree.ElementTree.fromstring(Board(TEXT)._repr_svg_())
    assert root.tag.endswith("svg")
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["a", "b", "c", "d", "e", "f", "2", "A", "2", "B", "1", "C", "3", "D", "4", "E", "F"]


def test_games_are_played_taken_back_and_copied():
    game = Game("abapa")
    assert (game.turn, game.stores, game.end, game.repetition) == ("S", (0, 0), None, "own-side")
    assert game.play("F") == 0 and game.turn == "N"
    game.play_text("f")
    other = copy.deepcopy(game)
    assert other == game and game.moves == "Ff"
    assert game.undo() and game.moves == "F" and other.moves == "Ff" and other != game
    assert game.redo() and not game.redo() and game == other
    with pytest.raises(oware.IllegalMoveError):
        game.play("F")
    with pytest.raises(oware.IllegalMoveError):
        game.play_text("x")
    assert game == other
    with pytest.raises(oware.BoardError):
        Game(position="1 2 3")
    with pytest.raises(ValueError):
        Game(repetition="never")


def test_a_game_ends_and_counts():
    game = Game("awari", position="0-0-0-0-0-1-0-0-0-0-0-0-24-23-N")
    assert (game.end, game.legal_moves()) == ("no-seeds", [])
    assert game.score == (25.0, 23.0)
    with pytest.raises(oware.IllegalMoveError, match="over"):
        game.play("A")
