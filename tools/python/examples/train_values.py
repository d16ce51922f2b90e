#!/usr/bin/env python3
"""Trains a small value network on exact values, with NumPy alone, and measures it against the tables.

    python examples/train_values.py --tables tables --seeds 12 --epochs 20
    python examples/train_values.py --seeds 6               # no tables: solved in memory

The network sees the twelve pits one-hot by number of seeds (0 to 7, and more) and has one hidden layer.
A tenth of the boards is held out. Printed are the mean error in seeds and the share of boards whose winner
is right, beside those of a guess that knows only the mean, and how often the move that the network likes
best is a best move.
"""
import argparse

import numpy as np

import oware

MOST_SEEN = 8
PITS = 12


def inputs(boards):
    """One-hot pits: (n, 12) numbers of seeds become (n, 12 * 9) zeros and ones."""
    seen = np.minimum(boards, MOST_SEEN)
    return (seen[:, :, None] == np.arange(MOST_SEEN + 1)).reshape(len(boards), -1).astype(np.float32)


class Network:
    """A hidden layer of rectified sums, and the value as a share of the seeds; trained by Adam."""

    def __init__(self, hidden, rng):
        size = PITS * (MOST_SEEN + 1)
        self.weights = [
            rng.normal(0, np.sqrt(2 / PITS), (size, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, np.sqrt(1 / hidden), hidden).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def values(self, boards):
        first, bias, second, last = self.weights
        hidden = np.maximum(inputs(boards) @ first + bias, 0)
        return hidden @ second + last

    def train(self, boards, targets, rate):
        first, bias, second, last = self.weights
        seen = inputs(boards)
        hidden = np.maximum(seen @ first + bias, 0)
        error = (hidden @ second + last - targets) * (2 / len(targets))
        behind = np.outer(error, second) * (hidden > 0)
        self.adjust([seen.T @ behind, behind.sum(0), hidden.T @ error, error.sum(keepdims=True)], rate)

    def adjust(self, slopes, rate):
        self.steps += 1
        for weight, (mean, square), slope in zip(self.weights, self.moments, slopes):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            corrected = mean / (1 - 0.9**self.steps)
            weight -= rate * corrected / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)


def level(database, seeds, most, rng):
    """Boards and values of a level, in random order, at most `most` of them."""
    chunks = [chunk for chunk in database.iter_level(seeds)]
    boards, values = (np.concatenate(arrays) for arrays in zip(*chunks))
    order = rng.permutation(len(boards))[:most]
    return boards[order], values[order]


def best_moves(database, network, boards):
    """How often the move that the network likes best is one of the best, and how often a random one is."""
    exact, legal = database.moves_batch(boards)
    found, by_chance = 0, 0.0
    for board, values, is_legal in zip(boards, exact, legal):
        if not is_legal.any():
            continue
        board = oware.Board(board)
        guesses = {}
        for move in board.moves(database.rules):
            end = move.board.end(database.rules) if move.board else None
            if move.board is None or end:
                guesses["ABCDEF".index(move.pit)] = values["ABCDEF".index(move.pit)]
            else:
                guess = network.values(move.board.to_numpy()[None])[0] * move.board.seeds
                guesses["ABCDEF".index(move.pit)] = move.captured - guess
        best = values == values[is_legal].max()
        found += best[max(guesses, key=guesses.get)]
        by_chance += best.sum() / is_legal.sum()
    count = (legal.any(axis=1)).sum()
    return found / count, by_chance / count


def measure(database, network, boards, values, seeds, moves):
    guesses = network.values(boards) * seeds
    mean = np.abs(values - values.mean()).mean()
    decided = values != 0
    winner = (np.sign(guesses) == np.sign(values))[decided].mean()
    more = max((values > 0).sum(), (values < 0).sum()) / decided.sum()
    print(f"mean error    {np.abs(guesses - values).mean():6.3f} seeds   (the mean alone: {mean:.3f})")
    print(f"right winner  {100 * winner:6.2f} %       (always the same: {100 * more:.2f} %)")
    best, by_chance = best_moves(database, network, boards[:moves])
    print(f"best move     {100 * best:6.2f} %       (by chance: {100 * by_chance:.2f} %)")
    return winner, best, by_chance


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", help="folder of tables; without it the level is solved in memory")
    options.add_argument("--rules", default="awari")
    options.add_argument("--seeds", type=int, default=8)
    options.add_argument("--boards", type=int, default=1_000_000, help="the most boards to use")
    options.add_argument("--hidden", type=int, default=64)
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--moves", type=int, default=1000, help="boards whose moves are compared")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--min-winner", type=float, help="fail if fewer winners are right (0 to 1)")
    options = options.parse_args()
    rng = np.random.default_rng(options.seed)
    if options.tables:
        database = oware.Database.open(options.tables, options.rules)
    else:
        database = oware.Database.solve(options.seeds, options.rules)
    with database:
        boards, values = level(database, options.seeds, options.boards, rng)
        held_out = max(1, len(boards) // 10)
        network = Network(options.hidden, rng)
        targets = values[held_out:].astype(np.float32) / options.seeds
        for epoch in range(options.epochs):
            order = rng.permutation(len(targets))
            rate = 0.003 * (1 - epoch / options.epochs)
            for start in range(0, len(order), 256):
                batch = order[start : start + 256]
                network.train(boards[held_out:][batch], targets[batch], rate)
        print(f"{options.rules} level {options.seeds}: {len(targets)} boards learnt, {held_out} held out")
        winner, _, _ = measure(
            database, network, boards[:held_out], values[:held_out], options.seeds, options.moves
        )
    if options.min_winner is not None and winner < options.min_winner:
        raise SystemExit(f"only {winner:.3f} of the winners are right, {options.min_winner} are asked")


if __name__ == "__main__":
    main()
