"""Threads and processes that share a database; memory over many calls."""

import concurrent.futures
import gc
import multiprocessing
import os
import resource
import sys
import threading

import numpy as np
import pytest

import oware


def test_threads_share_a_database(tables):
    """Eight threads probe, one by one and in batches, through a cache that holds a few blocks."""
    with oware.Database.open(tables, cache_bytes=1 << 16) as database:
        boards, values = next(iter(database.iter_level(10, chunk=200_000)))

        def hammer(seed):
            rng = np.random.default_rng(seed)
            for _ in range(20):
                some = rng.integers(0, len(boards), 2000)
                assert (database.values(boards[some]) == values[some]).all()
                for at in some[:200]:
                    assert database.value(boards[at]) == values[at]
                    moves = database.moves(boards[at])
                    assert not moves or moves[0].value == values[at]
            return True

        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            assert all(threads.map(hammer, range(8)))


def test_a_database_may_be_closed_while_others_probe_it(tables):
    database = oware.Database.open(tables)
    boards, values = next(iter(database.iter_level(9)))
    started = threading.Barrier(5)

    def probe():
        started.wait()
        try:
            for _ in range(1000):
                assert (database.values(boards[:5000]) == values[:5000]).all()
        except ValueError as error:
            return str(error)

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        probing = [threads.submit(probe) for _ in range(4)]
        started.wait()
        database.close()
        assert {future.result() for future in probing} == {"the database is closed"}


def test_an_engine_chooses_one_move_at_a_time():
    engine = oware.Engine()
    choosing = threading.Thread(target=lambda: engine.choose(oware.Game(), time=1.0))
    choosing.start()
    with pytest.raises(RuntimeError, match="already"):
        while choosing.is_alive():
            engine.choose(oware.Game(), depth=1)
    choosing.join()
    assert engine.choose(oware.Game(), depth=1).depth == 1


def values_in_a_child(folder, queue):
    with oware.Database.open(folder) as database:
        boards, values = next(iter(database.iter_level(8)))
        queue.put(bool((database.values(boards) == values).all()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own(tables, database):
    """A child of a process that used its threads must not wait for them."""
    database.values(next(iter(database.iter_level(8)))[0])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=values_in_a_child, args=(tables, queue))
    child.start()
    assert queue.get(timeout=60) is True
    child.join(60)
    assert child.exitcode == 0


def test_the_number_of_threads_can_be_set(database):
    boards, values = next(iter(database.iter_level(8)))
    for threads in (1, 3, 0):
        oware.set_threads(threads)
        assert (database.values(boards) == values).all()
    for wrong in (-1, 10**6):
        with pytest.raises(ValueError):
            oware.set_threads(wrong)


def test_a_million_calls_leave_no_memory_behind(database):
    boards = [oware.Board(board) for board in next(iter(database.iter_level(8)))[0][:1000]]
    array = np.array([board.pits for board in boards], np.uint8)

    def calls(rounds):
        for _ in range(rounds):
            for board in boards:
                database.value(board)
            database.values(array)
            database.moves_batch(array[:100])
            database.moves(boards[0])
            try:
                database.value("1 1 1 1 1 1 1 1 1 1 1 1")
            except KeyError:
                pass
            board.play(board.legal_moves()[0]) if board.legal_moves() else None

    calls(20)
    gc.collect()
    blocks, most = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(1000)
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 1000
    # Kilobytes on Linux, bytes on macOS.
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most
    assert grown < (8 << 20 if sys.platform == "darwin" else 8 << 10), grown
