"""Values, distances, bounds and lines against published and independent results."""

import collections
import itertools

import numpy as np
import pytest

import oware
from conftest import rows
from oware import Board, Database, Rules


def all_boards(seeds):
    """Every board of a level, as an array: the gaps between eleven bars."""
    bars = np.array(list(itertools.combinations(range(seeds + 11), 11)), dtype=np.int16)
    edges = np.full((len(bars), 1), -1, np.int16), np.full((len(bars), 1), seeds + 11, np.int16)
    return (np.diff(np.hstack([edges[0], bars, edges[1]]), axis=1) - 1).astype(np.uint8)


def histogram(database, seeds):
    values, counts = np.unique(database.values(all_boards(seeds)), return_counts=True)
    return dict(zip(values.tolist(), counts.tolist()))


@pytest.mark.parametrize("seeds", range(11))
def test_awari_has_the_published_histograms(database, seeds):
    published = {int(value): int(boards) for at, value, boards in rows("lincke_histograms.csv") if int(at) == seeds}
    assert published and histogram(database, seeds) == published


@pytest.mark.parametrize("rules", [rules.name for rules in Rules.all()])
def test_all_rule_sets_have_the_histograms_of_an_independent_solver(rules):
    solved = Database.solve(6, rules)
    expected = collections.defaultdict(dict)
    for name, seeds, value, boards, _ in rows("oracle_histograms.csv"):
        if name == rules and int(boards) > 0:
            expected[int(seeds)][int(value)] = int(boards)
    for seeds in range(7):
        assert histogram(solved, seeds) == expected[seeds], seeds


def test_published_vectors():
    for rules, board, value, moves in rows("vectors.csv"):
        board = Board(board)
        solved = Database.solve(board.seeds, rules)
        assert solved.value(board) == int(value)
        found = {move.pit: str(move.value) for move in solved.moves(board)}
        assert [found.get(pit, "x") for pit in "ABCDEF"] == moves.split()
        values, legal = solved.moves_batch([board])
        assert values[0][legal[0]].tolist() == [int(value) for value in moves.split() if value != "x"]


@pytest.mark.parametrize("rules", [rules.name for rules in Rules.all()])
def test_bounds_of_an_independent_solver(rules):
    cases = [case for case in rows("bounds_vectors.csv") if case[0] == rules and Board(case[1]).seeds <= 8]
    solved = Database.solve(8, rules, bounds=True)
    assert cases
    for _, board, low, value, high in cases:
        assert (solved.value(board), solved.bounds(board)) == (int(value), (int(low), int(high))), board


def test_tables_and_memory_agree(database):
    solved = Database.solve(7, bounds=True)
    boards = np.concatenate([boards for seeds in range(8) for boards, _ in database.iter_level(seeds)])
    assert (solved.values(boards) == database.values(boards)).all()
    for board in boards[::97]:
        assert solved.value(board) == database.value(board)
        assert solved.bounds(board) == database.bounds(board)


def test_lines_and_distances(database):
    board = Board("0 0 0 0 1 1 | 1 0 0 1 0 0")
    assert database.distance(board) == 1
    line = database.line(board)
    assert line.moves[0] == "F" and line.end in ("ended", "repetition")
    assert database.line(board, 1).end == "max-plies"
    assert database.line(board, 0).moves == ""
    best = database.moves(board)[0]
    assert (best.pit, best.captured, best.value, best.board) == ("F", 2, 2, Board("0 0 0 1 0 0 | 0 0 0 0 1 0"))
    assert database.moves([0] * 12) == [] and database.value([0] * 12) == 0


def test_small_levels_need_no_tables():
    solved = Database.solve()
    assert solved.levels() == list(range(9)) and solved.folder is None
    assert solved.value("0 0 0 0 1 1 | 1 0 0 1 0 0") == 2
    with pytest.raises(oware.MissingTableError):
        solved.bounds("0 0 0 0 1 1 | 1 0 0 1 0 0")
    with pytest.raises(ValueError):
        Database.solve(49)
