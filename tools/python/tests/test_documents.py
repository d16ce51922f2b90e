"""The examples of the documents and docstrings, and the stubs, hold."""

import doctest
import importlib
import pathlib
import re
import subprocess
import sys

import pytest

import oware
from conftest import ROOT


def blocks(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```(?:pycon|python)\n(>>> .*?)^```", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "tools/python/README.md"])
def test_the_examples_of_a_document(name, tmp_path, monkeypatch):
    """In an empty folder, one after the other."""
    monkeypatch.chdir(tmp_path)
    examples = blocks(name)
    test = doctest.DocTestParser().get_doctest(examples, {}, name, name, 0)
    assert len(test.examples) > 3
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("name", ["oware", "oware.tablebase", "oware.pettingzoo", "oware.openspiel"])
def test_the_examples_of_a_module(name):
    needed = {"oware.pettingzoo": "pettingzoo", "oware.openspiel": "pyspiel"}
    if name in needed:
        pytest.importorskip(needed[name])
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_everything_public_says_what_it_is():
    for name in oware.__all__:
        if name == "__version__":
            continue
        public = getattr(oware, name)
        assert public.__doc__, name
        for member in vars(public) if isinstance(public, type) else ():
            if not member.startswith("_") and callable(getattr(public, member)):
                assert getattr(public, member).__doc__, f"{name}.{member}"


def test_the_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    package = pathlib.Path(oware.__file__).parent
    assert (package / "py.typed").is_file()
    command = [sys.executable, "-m", "mypy.stubtest", "oware._oware", "--ignore-disjoint-bases"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_package_is_typed(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import oware\n"
        "with oware.open_tablebase() as tablebase:\n"
        "    value: int = tablebase.probe_value('0 0 0 0 1 1 | 1 0 0 1 0 0')\n"
        "    perhaps: int | None = tablebase.get_value(oware.Board.start())\n"
        "    moves: list[oware.MoveValue] = tablebase.probe_moves([0] * 12)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
