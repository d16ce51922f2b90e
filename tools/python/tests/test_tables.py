"""Databases and tablebases: opening, closing, what is missing; builds with progress and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

import oware
from oware import Database, Tablebase, open_tablebase

BOARD = "0 0 0 0 1 1 | 1 0 0 1 0 0"
LARGE = "1 1 1 1 1 1 | 1 1 1 1 1 1"


def test_a_database_is_closed_by_its_context(tables):
    with Database.open(tables) as database:
        assert database.value(BOARD) == 2 and not database.closed
        assert database.levels() == list(range(11)) and database.rules == oware.Rules.AWARI
        assert os.fspath(database.folder) == os.fspath(tables)
        assert database.has_level(10) and not database.has_level(11)
        assert database.has_distances(10) and database.has_bounds(10)
    assert database.closed and "closed" in repr(database)
    for probe in (database.value, database.moves, database.line, database.distance, database.bounds, database.values):
        with pytest.raises(ValueError, match="closed"):
            probe(BOARD)
    with pytest.raises(ValueError, match="closed"):
        database.levels()
    with pytest.raises(ValueError, match="closed"):
        with database:
            pass
    database.close()


@pytest.mark.parametrize("backend", ["mapped", "read", "memory"])
def test_backends_and_caches(tables, backend):
    for cache_bytes in (0, 1 << 20):
        with Database.open(str(tables), oware.Rules.AWARI, backend=backend, cache_bytes=cache_bytes) as database:
            assert database.value(BOARD) == 2


def test_what_cannot_be_opened(tables, tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder"):
        Database.open(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="choose mapped"):
        Database.open(tables, backend="cloud")
    with pytest.raises(ValueError, match="unknown rule set"):
        Database.open(tables, "chess")
    with Database.open(tmp_path) as empty:
        assert empty.levels() == []


def test_a_missing_table_is_a_key_error_without_quotes(tables):
    with Database.open(tables) as database:
        with pytest.raises(KeyError) as raised:
            database.value(LARGE)
    assert isinstance(raised.value, oware.MissingTableError)
    assert str(raised.value) == f"no awari table of 12 seeds in {tables}"


def test_a_tablebase_probes_gets_and_adds(tables, tmp_path):
    oware.build("awari", 4, tmp_path)
    with open_tablebase(tmp_path) as tablebase:
        assert tablebase.probe_value(BOARD) == 2
        with pytest.raises(oware.MissingTableError):
            tablebase.probe_distance(BOARD)
        assert tablebase.get_distance(BOARD) is None and tablebase.get_bounds(BOARD, "none") == "none"
        assert tablebase.add_directory(tables) == 11
        assert (tablebase.probe_distance(BOARD), tablebase.probe_bounds(BOARD)) == (1, (0, 4))
        assert tablebase.probe_moves(BOARD)[0].pit == "F" == tablebase.get_moves(BOARD)[0].pit
        assert tablebase.get_value(LARGE, default=99) == 99
        with pytest.raises(oware.MissingTableError):
            tablebase.probe_value(LARGE)
        with pytest.raises(oware.BoardError):
            tablebase.get_value("no board")
        with pytest.raises(FileNotFoundError):
            tablebase.add_directory(tmp_path / "nowhere")
        with pytest.raises(ValueError, match="abapa"):
            tablebase.add_database(Database.open(tables, "abapa"))
    with pytest.raises(oware.MissingTableError, match="no folder was added"):
        Tablebase("abapa").probe_value(BOARD)


def test_a_tablebase_without_a_folder_is_solved_in_memory():
    with open_tablebase(rules="abapa") as tablebase:
        assert tablebase.probe_value(BOARD) == 2 and tablebase.get_value(LARGE) is None
        assert tablebase.probe_bounds("1 0 0 0 0 0 0 1 0 0 0 0") == (-2, 2)


class Bar:
    """What tqdm makes, as far as a build uses it."""

    made = []

    def __init__(self, *, total, desc, unit, unit_scale):
        self.total, self.desc, self.done, self.closed = total, desc, 0, False
        assert unit == "boards" and unit_scale is True
        Bar.made.append(self)

    def update(self, boards):
        assert not self.closed
        self.done += boards

    def close(self):
        self.closed = True


def test_a_build_shows_its_progress(tmp_path):
    Bar.made.clear()
    summary = oware.build("awari", 8, tmp_path, distances=True, progress=Bar)
    assert summary.built == list(range(9)) and summary.kept == [] and summary.boards == 125_879
    assert Bar.made and all(bar.closed for bar in Bar.made)
    assert any(bar.desc == "level 8 capturing" and bar.done == bar.total == 75_504 for bar in Bar.made)
    again = oware.build("awari", 8, tmp_path, distances=True, progress=Bar)
    assert again.built == [] and again.kept == list(range(9))


def test_tqdm_itself_is_such_a_function(tmp_path):
    tqdm = pytest.importorskip("tqdm")
    oware.build("awari", 6, tmp_path, progress=lambda **named: tqdm.tqdm(disable=True, **named))


def test_an_exception_of_the_progress_stops_a_build(tmp_path):
    def refuse(**_named):
        raise RuntimeError("not today")

    with pytest.raises(RuntimeError, match="not today"):
        oware.build("awari", 8, tmp_path, progress=refuse)
    assert oware.build("awari", 8, tmp_path).built is not None


def test_builds_that_cannot_be(tmp_path):
    with pytest.raises(MemoryError):
        oware.build("awari", 20, tmp_path, memory_bytes=1 << 20)
    with pytest.raises(ValueError):
        oware.build("awari", 49, tmp_path)
    with pytest.raises(ValueError, match="choose damaged"):
        oware.build("awari", 4, tmp_path, force="please")
    with pytest.raises(OSError):
        oware.build("awari", 4, tmp_path / "a" / "b" / "c")
    (tmp_path / "awari-02.oware").write_bytes(b"nothing")
    with pytest.raises(oware.TableError):
        oware.build("awari", 4, tmp_path)
    assert 2 in oware.build("awari", 4, tmp_path, force="damaged").built


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_a_build_and_leaves_whole_tables(tmp_path):
    program = f"import oware; print('on', flush=True); oware.build('awari', 30, {str(tmp_path)!r}, memory_bytes=8 << 30)"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "on\n"
    deadline = time.monotonic() + 60
    while not (tmp_path / "awari-08.oware").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.strip().endswith("KeyboardInterrupt"), errors
    with Database.open(tmp_path) as database:
        assert database.levels()[:9] == list(range(9))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_search():
    program = "import oware; print('on', flush=True); oware.Engine().choose(oware.Game(), time=600)"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "on\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.strip().endswith("KeyboardInterrupt"), errors
