"""Damaged files: an exception or the right value, never a crash, never a wrong value."""

import random
import shutil

import numpy as np
import pytest

import oware

FILES = 10_000
SEEDS = 5


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    oware.build("awari", SEEDS, folder, distances=True, bounds=True)
    return folder


def flip(data, rng):
    for _ in range(rng.choice([1, 1, 1, 4])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def truncate(data, rng):
    del data[rng.randrange(len(data)) :]


def extend(data, rng):
    data += rng.randbytes(rng.randrange(1, 100))


def overwrite(data, rng):
    start = rng.randrange(len(data))
    some = rng.randrange(1, 33)
    data[start : start + some] = rng.choice([bytes(some), b"\xff" * some, rng.randbytes(some)])


def swap(data, rng):
    half = rng.randrange(1, len(data))
    data[:] = data[half:] + data[:half]


def replace(data, rng):
    data[:] = rng.randbytes(rng.randrange(400))


def test_ten_thousand_damaged_files(small, tmp_path):
    rng = random.Random(1)
    with oware.Database.open(small) as whole:
        boards = np.concatenate([boards[::7] for seeds in range(SEEDS + 1) for boards, _ in whole.iter_level(seeds)])
        values = whole.values(boards)
        probes = [oware.Board(board) for board in boards[::400]]
        answers = [(whole.value(b), whole.distance(b), whole.bounds(b), whole.line(b).moves) for b in probes]
    shutil.copytree(small, tmp_path, dirs_exist_ok=True)
    files = sorted(tmp_path.glob("*.oware"))
    contents = {file: file.read_bytes() for file in files}
    refused = 0
    for number in range(FILES):
        file = rng.choice(files)
        data = bytearray(contents[file])
        rng.choice([flip, flip, truncate, extend, overwrite, swap, replace])(data, rng)
        file.unlink()
        file.write_bytes(data)
        with oware.Database.open(tmp_path, backend=rng.choice(["mapped", "read", "memory"])) as database:
            try:
                assert (database.values(boards) == values).all(), (number, file)
            except oware.OwareError as error:
                refused += 1
                assert "\n" not in str(error)
            for board, answer in zip(probes, answers):
                for probe, expected in zip((database.value, database.distance, database.bounds), answer):
                    try:
                        assert probe(board) == expected, (number, file, board)
                    except oware.OwareError:
                        pass
        file.unlink()
        file.write_bytes(contents[file])
    # Tables of distances and bounds are files too, which values do not need.
    assert refused > FILES / 5


def test_special_files_are_no_tables(small, tmp_path):
    shutil.copytree(small, tmp_path, dirs_exist_ok=True)
    (tmp_path / "awari-03.oware").unlink()
    (tmp_path / "awari-03.oware").mkdir()
    with oware.Database.open(tmp_path) as database:
        assert database.value("1 0 0 0 0 0 | 0 0 0 0 0 1") == 2
        with pytest.raises(oware.OwareError):
            database.value("1 0 0 0 0 0 | 0 0 0 0 1 1")
