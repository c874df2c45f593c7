#!/usr/bin/env python3
"""Says with numpy how far samples have shifted.

    shift.py > shift.json

Go tests (TestShiftOfNumpy) hold the shifts against the rows. Needs numpy. The test makes the samples by the same rules:
sample(seed, kind, n) draws whole numbers with Knuth's linear congruential generator, its upper 31 bits.
"""
import json

import numpy as np


def random_numbers(state):
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield state >> 33


def sample(seed, kind, n):
    r, out = random_numbers(seed), []
    for _ in range(n):
        a, b = next(r), next(r)
        out.append({
            "even": a % 100000 / 100,
            "skewed": a % 1000 * (b % 1000) / 1000,
            "counts": float(min(a % 7, b % 7)),
            "mostly": 0.0 if a % 10 < 6 else b % 1000 / 10,
            "same": 5.0,
            "word": f"w{min(a % 40, b % 40)}",
        }[kind])
    return out


def bounds(x):
    """Quantiles of the sorted values; one that comes twice also has the next lower number."""
    q = np.quantile(x, np.arange(1, 10) / 10, method="inverted_cdf")
    twice = q[:-1][q[:-1] == q[1:]]
    return np.union1d(q, np.nextafter(twice, -np.inf))


def index(now, before):
    """The population stability index of counts, less what chance gives."""
    n, m, size = now.sum(), before.sum(), len(now)
    p, q = (now + 0.5) / (n + 0.5 * size), (before + 0.5) / (m + 0.5 * size)
    return max(0.0, float(((p - q) * np.log(p / q)).sum() - (size - 1) * (1 / n + 1 / m)))


def shift(now, before):
    if isinstance(before[0], str):
        words, counts = np.unique(before, return_counts=True)
        top = words[np.lexsort((words, -counts))][:20]
        count = lambda x: np.array([x.count(w) for w in top] + [len([w for w in x if w not in top])])
        return index(count(now), count(before))
    edges = np.concatenate([[-np.inf], np.nextafter(bounds(before), np.inf), [np.inf]])
    count = lambda x: np.histogram(x, edges)[0]
    return index(count(now), count(before))


def main():
    rows = []
    for kind in ("even", "skewed", "counts", "mostly", "same", "word"):
        before = sample(1, kind, 10000)
        add = lambda what, n, now: rows.append(dict(kind=kind, what=what, n=n, shift=shift(now, before)))
        add("other", 10000, sample(2, kind, 10000))
        add("other", 300, sample(3, kind, 300))
        if kind == "word":
            add("as skewed", 10000, [f"w{int(v) % 40}" for v in sample(2, "skewed", 10000)])
            continue
        add("twice", 10000, [2 * v for v in sample(2, kind, 10000)])
        add("half more", 10000, [v + 0.5 for v in sample(2, kind, 10000)])
        add("half less", 10000, [v - 0.5 for v in sample(2, kind, 10000)])
    print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
