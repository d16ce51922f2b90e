#!/usr/bin/env python3
"""Plays random games in OpenSpiel's oware and replays them here as `abapa`: every position, every
list of legal moves, the captures, the moment the game ends and the final score must be the same.

    python3 -m venv /tmp/openspiel && /tmp/openspiel/bin/pip install open_spiel
    /tmp/openspiel/bin/python tools/openspiel_check.py --games 10000

OpenSpiel ends a game when a position comes back without a capture in between, or when a store holds
more than half of the seeds, or when nothing can be played; then each side takes its own row. Our side
is the example `replay` (tools/replay.rs): the library's own games, nothing is computed here.
"""
import argparse
import collections
import importlib.metadata
import pathlib
import random
import subprocess
import sys

try:
    import pyspiel
except ImportError:
    pyspiel = None

ROOT = pathlib.Path(__file__).resolve().parent.parent


def position_of(text):
    """Pits A..F a..f, the stores and whose turn it is, from OpenSpiel's drawing of a state."""
    lines = text.strip().splitlines()
    finished = lines[0].startswith("[FINISHED]")
    turn = None
    if finished:
        lines = lines[1:]
    north, labels_north, row_north, row_south, labels_south, south = [line.split() for line in lines]
    assert labels_north == list("fedcba") and labels_south == list("ABCDEF"), text
    if not finished:
        turn = "N" if north[-1] == "[PLAYING]" else "S"
    pits = [int(pit) for pit in row_south] + [int(pit) for pit in reversed(row_north)]
    return pits, int(south[4]), int(north[4]), turn


def game_string(position):
    pits, south, north, turn = position
    return "-".join(map(str, pits + [south, north])) + "-" + turn


def letters(state):
    names = "abcdef" if state.current_player() == 1 else "ABCDEF"
    return "".join(names[action % 6] for action in sorted(state.legal_actions()))


def random_game(game, rng):
    """One game: its moves, its positions with their legal moves, and the final stores."""
    state = game.new_initial_state()
    moves, positions = "", []
    while not state.is_terminal():
        legal = letters(state)
        positions.append(f"{game_string(position_of(str(state)))}:{legal}")
        choice = rng.randrange(len(legal))
        moves += legal[choice]
        state.apply_action(sorted(state.legal_actions())[choice])
    _, south, north, _ = position_of(str(state))
    return moves, positions, (south, north)


def own_sides(position):
    """The stores after each side has taken its own row."""
    fields = position.split(":")[0].split("-")
    numbers = [int(field) for field in fields[:14]]
    return sum(numbers[:6]) + numbers[12], sum(numbers[6:12]) + numbers[13]


def counts_of(positions, moves):
    """What a game had to show: captures, sowings of a lap and more, moves that the rules forbade."""
    counts = collections.Counter(games=1, positions=len(positions))
    for before, after, letter in zip(positions, positions[1:], moves):
        fields, legal = before.split(":")
        fields = fields.split("-")
        row = fields[:6] if fields[14] == "S" else fields[6:12]
        counts["captures"] += fields[12:14] != after.split("-")[12:14]
        counts["laps"] += int(row["abcdef".index(letter.lower())]) >= 12
        counts["forbidden"] += sum(pit != "0" for pit in row) - len(legal)
    return counts


def compare(seeds_a_pit, games, seed, ours):
    game = pyspiel.load_game(f"oware(num_houses_per_player=6,num_seeds_per_house={seeds_a_pit})")
    rng = random.Random(seed)
    totals, ends = collections.Counter(), collections.Counter()
    for number in range(games):
        moves, positions, stores = random_game(game, rng)
        ours.stdin.write(f"abapa {positions[0].split(':')[0]} {moves}\n")
        ours.stdin.flush()
        *found, end, score = ours.stdout.readline().split()
        if found[:-1] != positions:
            ply = next((i for i, pair in enumerate(zip(found, positions)) if pair[0] != pair[1]), -1)
            sys.exit(f"game {number} {moves}: differs at ply {ply}: "
                     f"OpenSpiel {positions[ply]}, ours {found[ply]}")
        if end == "end=on" or not found[-1].endswith(":"):
            sys.exit(f"game {number} {moves}: OpenSpiel's game is over, ours is at {found[-1]}")
        if own_sides(found[-1]) != stores:
            sys.exit(f"game {number} {moves}: OpenSpiel's score {stores}, ours {own_sides(found[-1])}")
        if end != "end=more-than-half" and score != f"{stores[0]}-{stores[1]}":
            sys.exit(f"game {number} {moves}: OpenSpiel's score {stores}, ours {score}")
        totals.update(counts_of(found, moves))
        ends[end.removeprefix("end=")] += 1
    return totals, ends


def main():
    options = argparse.ArgumentParser(description="Compares abapa with OpenSpiel's oware.")
    options.add_argument("--games", type=int, default=10_000, help="games a number of seeds")
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    if pyspiel is None:
        sys.exit("openspiel_check.py: the package open_spiel is not installed (see the top of this file)")
    command = ["cargo", "run", "--quiet", "--release", "--example", "replay"]
    ours = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    version = importlib.metadata.version("open_spiel")
    print(f"# tools/openspiel_check.py --games {options.games} --seed {options.seed}, open_spiel {version}")
    columns = ("games", "positions", "captures", "laps", "forbidden")
    print("seeds_a_pit", *columns, "differences", "endings", sep=",")
    for seeds_a_pit in (1, 2, 3, 4):
        totals, ends = compare(seeds_a_pit, options.games, options.seed, ours)
        endings = " ".join(f"{name}:{count}" for name, count in sorted(ends.items()))
        print(seeds_a_pit, *(totals[column] for column in columns), 0, endings, sep=",", flush=True)
    ours.stdin.close()
    ours.wait()


if __name__ == "__main__":
    main()
