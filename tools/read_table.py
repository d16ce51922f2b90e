#!/usr/bin/env python3
"""Reads tables of values and bounds as docs/format.md describes them, with nothing but Python.

    read_table.py FOLDER RULES SEEDS                 check the level's digest, print its histogram
    read_table.py FOLDER RULES BOARD...              print the values of boards ("0 1 0 0 2 1 0 0 3 0 0 0")

Tables of codec 1 need the package `zstandard`. Checks of blocks are made when `xxhash` is there.
"""
import argparse
import os
import struct
import sys
from math import comb
from pathlib import Path

try:
    import xxhash
except ImportError:
    xxhash = None

M64 = 2**64 - 1
MAX_SEEDS = 48
RULES = ["awari", "abapa", "wari", "leave-first", "leave-last", "opponent-takes-rest", "two-lap"]


class Unreadable(Exception):
    """A table or an argument is not what it should be."""


def require(holds, message):
    if not holds:
        raise Unreadable(message)


def unrank(sums, rank, most):
    """The pits of a combination of `sums` running totals, but the last."""
    totals = []
    for j in reversed(range(sums)):
        while comb(most + j, j + 1) > rank:
            most -= 1
        rank -= comb(most + j, j + 1)
        totals.insert(0, most)
    return [b - a for a, b in zip([0] + totals, totals)]


def rank(pits):
    return sum(comb(sum(pits[: j + 1]) + j, j + 1) for j in range(len(pits) - 1))


def gapped(seeds):
    return comb(seeds + 5, 5) - comb(seeds - 1, 5) if seeds else 1


def opponent_row(seeds, number):
    gap = 0
    while number >= comb(seeds - gap + 4, 4):
        number -= comb(seeds - gap + 4, 4)
        gap += 1
    pits = unrank(4, number, seeds - gap)
    pits.append(seeds - gap - sum(pits))
    return tuple([p + 1 for p in pits[:gap]] + [0] + pits[gap:])


def boards_from(seeds, index):
    """(mover's row, opponent's row) from an index on."""
    mover = 0
    while index >= gapped(seeds - mover) * comb(mover + 5, 5):
        index -= gapped(seeds - mover) * comb(mover + 5, 5)
        mover += 1
    major, minor = divmod(index, comb(mover + 5, 5))
    for mover in range(mover, seeds + 1):
        for major in range(major, gapped(seeds - mover)):
            opponent = opponent_row(seeds - mover, major)
            for minor in range(minor, comb(mover + 5, 5)):
                pits = unrank(5, minor, mover)
                yield tuple(pits + [mover - sum(pits)]), opponent
            minor = 0
        major = 0


def index_of(mover, opponent):
    seeds, own, gap = sum(mover) + sum(opponent), sum(mover), opponent.index(0)
    rest = [p - 1 for p in opponent[:gap]] + list(opponent[gap + 1 :])
    major = sum(comb(sum(opponent) - g + 4, 4) for g in range(gap)) + rank(rest)
    before = sum(gapped(seeds - m) * comb(m + 5, 5) for m in range(own))
    return before + major * comb(own + 5, 5) + rank(mover)


def moves(rules, mover, opponent):
    """(captured, mover's row, opponent's row) of each legal move; rows None when it ends the game."""
    for pit in range(6):
        pits, place, step = list(mover + opponent), pit, 1
        seeds, pits[pit] = pits[pit], 0
        for _ in range(seeds):
            while True:
                if rules != "two-lap":
                    place = (place + 1) % 12
                elif place == 11 and step == 1:
                    place, step = 5, -1
                else:
                    step = 1 if place == 0 else step
                    place += step
                if place != pit:
                    break
            pits[place] += 1
        run = place
        while run >= 6 and pits[run] in (2, 3):
            run -= 1
        taken = list(range(run + 1, place + 1)) if place >= 6 else []
        if taken and sum(pits[i] for i in taken) == sum(pits[6:]):
            if rules in ("awari", "two-lap") or rules in ("wari", "opponent-takes-rest") and not any(opponent):
                continue
            if rules == "opponent-takes-rest":
                yield sum(pits[6:]), None, None
                continue
            taken = {"abapa": [], "leave-first": taken[1:], "leave-last": taken[:-1], "wari": taken}[rules]
        captured = sum(pits[i] for i in taken)
        for i in taken:
            pits[i] = 0
        if seeds and (any(opponent) or any(pits[6:])):
            yield captured, tuple(pits[:6]), tuple(pits[6:])


class Stream:
    def __init__(self, data):
        self.state, self.words, self.at = struct.unpack_from("<I", data)[0], data[4:], 0

    def symbol(self, frequencies):
        slot, start = self.state & 4095, 0
        for symbol, frequency in enumerate(frequencies):
            if slot < start + frequency:
                break
            start += frequency
        self.state = frequency * (self.state >> 12) + slot - start
        if self.state < 65536 and self.at < len(self.words):
            self.state = self.state << 16 | struct.unpack_from("<H", self.words, self.at)[0]
            self.at += 2
        return symbol

    def end(self):
        require(self.at == len(self.words) and self.state == 1, "the stream does not end where it should")


def greatest_take(row, other):
    best = 0
    for pit in range(6):
        last, seeds = row[pit] - (6 - pit), 0
        while 0 <= last < 6 and other[last] in (1, 2):
            seeds, last = seeds + other[last] + 1, last - 1
        best = max(best, seeds)
    return best


class Table:
    """A table of values or, with contents 3, of bounds."""

    def __init__(self, folder, rules, seeds, contents=1):
        kind = {1: "", 3: ".bounds"}[contents]
        path = Path(folder, f"{rules}-{seeds:02}{kind}.oware")
        data = path.read_bytes()
        require(len(data) >= 128, f"{path}: too short to be a table")
        head = struct.unpack_from("<8sHBBBBBBQII16s16sQIIQQQQ", data)
        magic, version, found, code, n, scheme, self.codec, self.flags, self.boards, self.block = head[:10]
        expected = (b"\x89OWARE\r\n", 2, contents, 1)
        require((magic, version, found, scheme) == expected, f"{path}: not such a table")
        require((RULES[code], n) == (rules, seeds), "another table than its name says")
        self.digest, self.contents_digest = (int.from_bytes(digest, "little") for digest in head[11:13])
        length, header, model, blocks = head[13:17]
        require(length == len(data), "the file was cut")
        require(self.flags & 1 == (contents == 1), "the flags are not those of the table's contents")
        self.n, self.data, self.at, self.cache = n, data, header + model, {}
        self.histogram = struct.unpack_from(f"<{2 * n + 1}Q", data, 128)
        if contents == 3:
            pairs_at = 128 + 8 * (2 * n + 1) * (1 + (self.flags >> 1 & 1))
            self.pairs = struct.unpack_from(f"<{(n + 1) * (n + 2) // 2}Q", data, pairs_at)
        self.offsets, at = [], header + model + blocks
        for block in range(-(-self.boards // self.block)):
            if block % 64 == 0:
                offset, at = struct.unpack_from("<Q", data, at)[0], at + 8
            size, at = struct.unpack_from("<H", data, at)[0], at + 2
            self.offsets.append((header + model + offset, size))
            offset += size
        self.identity = xxhash.xxh3_64_intdigest(data[:64]) if xxhash else 0
        if self.codec == 2:
            self.read_model(data[header : header + model])

    def read_model(self, data):
        self.detail, last, at, self.clusters = data[0], data[1], 2, []
        for _ in range(last + 1):
            others = data[at] - 1
            *differences, = struct.unpack_from(f"<{others}b", data, at + 1)
            *frequencies, = struct.unpack_from(f"<{others}H", data, at + 1 + others)
            self.clusters.append((differences, frequencies + [4096 - sum(frequencies)]))
            at += 1 + 3 * others
        used = struct.unpack_from("<H", data, at)[0]
        pairs = struct.unpack_from(f"<{2 * used}H", data, at + 2)
        stream, before, self.map = Stream(data[at + 2 + 4 * used :]), 0, []
        for _ in range([12, (2 * self.n + 1) * 12, (2 * self.n + 1) * 5184][self.detail]):
            symbol = pairs[2 * stream.symbol(pairs[1::2])]
            before = symbol - 1 if symbol else before
            self.map.append(before)
        stream.end()

    def context(self, mover, opponent, numbers):
        hand = lambda back: numbers[-back] if 0 < back <= len(numbers) else None
        p1, p2 = sum(mover[:2]), sum(mover[:3])
        back = (1, p1 if mover[1] else 0, p1 + 1) if mover[0] else (p1, max(p1 - 1, 0), p2 * (p2 + 1) // 2 if mover[2] else 0)
        first, second, third = map(hand, back)
        near = first if first is not None else numbers[-1] if numbers else 0
        inner = 1 if mover[0] and numbers else 0
        capture = [0, 1, 1, 2, 3, 4, 4, 5][min(greatest_take(mover, opponent), 7)]
        if self.detail < 2:
            return (((near + self.n) * 6 * self.detail + capture) * 2 + inner), near
        kind = lambda number: 5 if number is None or abs(number - near) >= 80 else max(-2, min(2, number - near)) + 2
        threat = [0, 1, 1, 1, 2, 2, 2, 3][min(greatest_take(opponent, mover), 7)]
        filled = [0, 0, 0, 1, 1, 2, 2][6 - mover.count(0)]
        x = ((near + self.n) * 6 + kind(second)) * 6 + kind(third)
        return (((x * 6 + capture) * 4 + threat) * 3 + filled) * 2 + inner, near

    def stored(self, number):
        """The stored numbers of a block."""
        if number in self.cache:
            return self.cache[number]
        offset, size = self.offsets[number]
        data = self.data[offset + 4 : offset + size]
        if xxhash:
            check = xxhash.xxh3_64_intdigest(data, (self.identity + number) & M64) & 0xFFFFFFFF
            require(check == struct.unpack_from("<I", self.data, offset)[0], "the block is damaged")
        first = number * self.block
        count = min(self.block, self.boards - first)
        if self.codec == 1:
            try:
                import zstandard
            except ImportError:
                raise Unreadable("tables of codec 1 need the package zstandard") from None
            plain = zstandard.ZstdDecompressor().decompress(data, max_output_size=count)
            numbers = list(struct.unpack(f"<{count}b", plain))
        else:
            stream, numbers = Stream(data), []
            for (mover, opponent), _ in zip(boards_from(self.n, first), range(count)):
                context, near = self.context(mover, opponent, numbers)
                differences, frequencies = self.clusters[self.map[context]]
                entry = stream.symbol(frequencies)
                escaped = entry == len(differences)
                numbers.append(stream.symbol([32] * 128) - 64 if escaped else near + differences[entry])
            stream.end()
        self.cache[number] = numbers
        return numbers


class Database:
    def __init__(self, folder, rules):
        self.folder, self.rules, self.tables, self.known, self.lows = folder, rules, {}, {}, {}

    def table(self, seeds, contents=1):
        if (seeds, contents) not in self.tables:
            self.tables[seeds, contents] = Table(self.folder, self.rules, seeds, contents)
        return self.tables[seeds, contents]

    def bounds_table(self, seeds):
        table = self.table(seeds, 3)
        require(table.digest == self.table(seeds).digest, "the bounds are not those of the values beside them")
        return table

    def low(self, mover, opponent):
        """The lower bound of a board: the value less twice the stored number."""
        if (mover, opponent) not in self.lows:
            seeds, legal = sum(mover) + sum(opponent), list(moves(self.rules, mover, opponent))
            if not legal:
                low = seeds if any(mover) else -seeds
            elif 0 in opponent:
                table, value = self.bounds_table(seeds), self.value(mover, opponent)
                block, place = divmod(index_of(mover, opponent), table.block)
                low = value - 2 * table.stored(block)[place] + (value - seeds) % 2
                require(-seeds <= low <= value, "a bound that the value does not allow")
            else:
                low = max(captured - (seeds - captured if own is None else self.high(other, own))
                          for captured, own, other in legal)
            self.lows[mover, opponent] = low
        return self.lows[mover, opponent]

    def high(self, mover, opponent):
        """The upper bound of a board: the best of its moves by the lower bounds after them."""
        seeds, legal = sum(mover) + sum(opponent), list(moves(self.rules, mover, opponent))
        if not legal:
            return self.low(mover, opponent)
        return max(captured - (seeds - captured if own is None else self.low(other, own))
                   for captured, own, other in legal)

    def value(self, mover, opponent):
        """The value of a board, from the table or, when no move leads to it, one ply away."""
        if (mover, opponent) in self.known:
            return self.known[mover, opponent]
        seeds, reachable = sum(mover) + sum(opponent), 0 in opponent
        found = []
        legal = list(moves(self.rules, mover, opponent))
        if not legal:
            found.append(seeds if any(mover) else -seeds)
        elif reachable:
            table = self.table(seeds)
            block, place = divmod(index_of(mover, opponent), table.block)
            found.append(table.stored(block)[place])
        for captured, own, other in legal:
            if own is None:
                found.append(captured - (seeds - captured))
            elif captured or not reachable:
                found.append(captured - self.value(other, own))
        self.known[mover, opponent] = max(found)
        return max(found)


def mix(x):
    x = (x ^ x >> 32) * 0xE7037ED1A0B428DB & M64
    x = (x ^ x >> 29) * 0x8EBC6AF09C88C6E3 & M64
    return x ^ x >> 32


def board_hash(mover, opponent, value):
    m, o = (int.from_bytes(bytes(row), "little") for row in (mover, opponent))
    a, b = mix(o ^ 0x9E3779B97F4A7C15), mix(o ^ 0xC2B2AE3D27D4EB4F) | 1
    p = (m + (value << 48) + a & M64) * b
    q = ((p & M64) ^ p >> 64 ^ 0x165667B19E3779F9) * 0xD6E8FEB86659FD93
    return q ^ ((p & M64) << 64 | p >> 64)


def print_level(database, seeds):
    histogram, digest = {}, 0
    for mover, opponent in boards_from(seeds, 0):
        value = database.value(mover, opponent)
        histogram[value] = histogram.get(value, 0) + 1
        digest += board_hash(mover, opponent, value & 255)
    table = database.table(seeds)
    require(digest % 2**128 == table.digest, "the values are not those of the header's digest")
    counted = [histogram.get(v, 0) for v in range(-seeds, seeds + 1)]
    require(counted == list(table.histogram), "the values are not those of the header's histogram")
    for value in sorted(histogram):
        print(value, histogram[value])


def print_bounds(database, seeds):
    histogram, digest = {}, 0
    for mover, opponent in boards_from(seeds, 0):
        low, high = database.low(mover, opponent), database.high(mover, opponent)
        histogram[low, high] = histogram.get((low, high), 0) + 1
        digest += board_hash(mover, opponent, (low & 255) | (high & 255) << 8)
    table = database.bounds_table(seeds)
    require(digest % 2**128 == table.contents_digest, "the bounds are not those of the header's digest")
    steps = range(-seeds, seeds + 1, 2)
    counted = [histogram.get((low, high), 0) for low in steps for high in steps if low <= high]
    require(counted == list(table.pairs), "the bounds are not those of the header's histogram")
    for low, high in sorted(histogram):
        print(low, high, histogram[low, high])


def board_of(text):
    words = text.translate(str.maketrans(",/-|", "    ")).split()
    plain = len(words) == 12 and all(word.isascii() and word.isdigit() for word in words)
    require(plain, f"'{text}' is no board: 12 numbers, the mover's row first")
    pits = tuple(int(word[:9]) for word in words)
    require(sum(pits) <= MAX_SEEDS, f"'{text}' has more than {MAX_SEEDS} seeds")
    return pits[:6], pits[6:]


def read(folder, rules, rest, with_bounds):
    database = Database(folder, rules)
    if len(rest) == 1 and rest[0].isascii() and rest[0].isdigit():
        seeds = int(rest[0][:9])
        require(seeds <= MAX_SEEDS, f"a level has 0 to {MAX_SEEDS} seeds, not {rest[0]}")
        (print_bounds if with_bounds else print_level)(database, seeds)
    else:
        for mover, opponent in [board_of(text) for text in rest]:
            if with_bounds:
                print(database.low(mover, opponent), database.high(mover, opponent))
            else:
                print(database.value(mover, opponent))


def main():
    summary, usage = __doc__.split("\n\n", 1)
    options = argparse.ArgumentParser(
        description=summary, epilog=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", metavar="FOLDER", help="the folder of the tables")
    options.add_argument("rules", metavar="RULES", choices=RULES, help=", ".join(RULES))
    options.add_argument("rest", metavar="SEEDS or BOARD", nargs="+", help="a level, or boards of 12 numbers")
    options.add_argument("--bounds", action="store_true", help="print bounds (lower, upper), not values")
    options = options.parse_args()
    try:
        read(options.folder, options.rules, options.rest, options.bounds)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"read_table.py: {error.filename}: {error.strerror}")
    except Unreadable as error:
        sys.exit(f"read_table.py: {error}")
    except Exception as error:  # Whatever the bytes of a damaged table lead to.
        sys.exit(f"read_table.py: the table cannot be read, it is damaged: {error}")


if __name__ == "__main__":
    main()
