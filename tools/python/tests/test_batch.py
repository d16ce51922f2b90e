"""Arrays of boards, whatever their layout, and levels in chunks."""

import threading

import numpy as np
import pytest

import oware


@pytest.fixture
def level(database):
    chunks = list(database.iter_level(8))
    return tuple(np.concatenate(arrays) for arrays in zip(*chunks))


def test_batches_equal_single_probes(database, level):
    boards, values = level
    flipped = np.hstack([boards[:, 6:], boards[:, :6]])
    for some in (boards, flipped):
        found = database.values(some)
        assert found.dtype == np.int8 and found.shape == (len(some),)
        assert found[::997].tolist() == [database.value(board) for board in some[::997]]
    assert (database.values(boards) == values).all()


def test_moves_in_batches_equal_single_probes(database, level):
    boards = level[0][::499]
    values, legal = database.moves_batch(boards)
    assert values.dtype == np.int8 and legal.dtype == np.bool_ and values.shape == legal.shape == (len(boards), 6)
    for board, row, is_legal in zip(boards, values, legal):
        moves = {move.pit: move.value for move in database.moves(board)}
        assert {"ABCDEF"[pit]: row[pit] for pit in np.flatnonzero(is_legal)} == moves
    assert (values[~legal] == -128).all()


def test_any_layout_and_sequences_of_boards(database, level):
    boards, values = level[0][:1000], level[1][:1000]
    backwards = np.asfortranarray(boards)[::-1]
    assert not backwards.flags.c_contiguous
    assert (database.values(backwards)[::-1] == values).all()
    wide = np.zeros((1000, 24), np.uint8)
    wide[:, ::2] = boards
    assert (database.values(wide[:, ::2]) == values).all()
    boards.flags.writeable = False
    assert (database.values(boards) == values).all()
    assert (database.values([oware.Board(board) for board in boards]) == values).all()
    assert (database.values([str(oware.Board(board)) for board in boards[:0]]) == values[:0]).all()
    assert database.values(np.zeros((0, 12), np.uint8)).shape == (0,)
    assert [array.shape for array in database.moves_batch([])] == [(0, 6), (0, 6)]


@pytest.mark.parametrize("name", ["values", "moves_batch"])
def test_what_is_no_array_of_boards_is_refused(database, name):
    probe = getattr(database, name)
    for wrong in (np.zeros((3, 11), np.uint8), np.zeros((2, 13), np.uint8)):
        with pytest.raises(ValueError, match="shape"):
            probe(wrong)
    for wrong in (np.zeros((3, 12)), np.zeros((3, 12), np.int64), np.zeros(12, np.uint8), np.zeros((1, 12), np.int8)):
        with pytest.raises(TypeError, match="uint8"):
            probe(wrong)
    for wrong in (3, None):
        with pytest.raises(TypeError):
            probe(wrong)
    with pytest.raises((TypeError, ValueError)):
        probe("0 0 0")


def test_errors_name_the_board(database):
    boards = np.zeros((5000, 12), np.uint8)
    boards[4321, 3] = 49
    for probe in (database.values, database.moves_batch):
        with pytest.raises(oware.BoardError, match="^board 4321: 49 seeds"):
            probe(boards)
    boards[4321] = 1
    with pytest.raises(oware.MissingTableError, match="^board 4321: no awari table of 12 seeds"):
        database.values(boards)
    with pytest.raises(oware.MissingTableError):
        database.moves_batch(boards)


def test_positions_count_from_the_start_in_later_rounds(database):
    boards = np.zeros(((1 << 20) + 10, 12), np.uint8)
    boards[-1] = 200
    with pytest.raises(oware.BoardError, match=f"^board {len(boards) - 1}: 2400 seeds"):
        database.values(boards)
    boards[-1] = 0
    assert not database.values(boards).any()


def test_an_array_that_is_written_to_meanwhile_does_no_harm(database, level):
    """The other thread writes boards of too many seeds and boards without a table."""
    boards = np.tile(level[0], (4, 1))
    stop = threading.Event()

    def scribble():
        rng = np.random.default_rng(1)
        while not stop.is_set():
            boards[rng.integers(0, len(boards), 1000)] = rng.integers(0, 256, 12)
            boards[rng.integers(0, len(boards), 1000)] = level[0][:1000]

    thread = threading.Thread(target=scribble)
    thread.start()
    try:
        for _ in range(30):
            try:
                assert len(database.values(boards)) == len(boards)
            except (oware.BoardError, oware.MissingTableError):
                pass
    finally:
        stop.set()
        thread.join()
    assert (database.values(level[0]) == level[1]).all()


def test_levels_come_in_chunks(database):
    chunks = database.iter_level(8, chunk=10_000)
    assert len(chunks) == 8
    sizes = []
    for boards, values in chunks:
        assert (boards.dtype, values.dtype) == (np.uint8, np.int8)
        assert boards.shape == (len(values), 12) and (boards.sum(axis=1) == 8).all()
        assert (database.values(boards) == values).all()
        sizes.append(len(values))
    assert sizes == [10_000] * 7 + [5504] and sum(sizes) == 75_504
    assert len(chunks) == 0 and list(chunks) == []
    assert sum(len(values) for _, values in database.iter_level(8, 2**63)) == 75_504
    with pytest.raises(ValueError):
        database.iter_level(8, chunk=0)
    with pytest.raises(oware.MissingTableError):
        database.iter_level(11)
