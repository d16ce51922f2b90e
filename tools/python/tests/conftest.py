"""Tables that the tests share, built by the package, and the data that they are compared with."""

import csv
import pathlib

import pytest

import oware

ROOT = pathlib.Path(__file__).resolve().parents[3]


def rows(name):
    """The rows of a file in `data/` without comments, the first with the names of the columns left out."""
    with open(ROOT / "data" / name, newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.reader(lines))[1:]


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """A folder with tables of values, distances and bounds: awari to 10 seeds, abapa to 8."""
    folder = tmp_path_factory.mktemp("tables")
    oware.build("awari", 10, folder, distances=True, bounds=True)
    oware.build("abapa", 8, folder, distances=True, bounds=True)
    return folder


@pytest.fixture
def database(tables):
    with oware.Database.open(tables, "awari") as database:
        yield database
