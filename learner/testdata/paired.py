"""Rows of block comparisons: mean difference and 95 % interval, by scipy's Student t over blocks of numpy.

    python paired.py > paired.json        (numpy, scipy)
"""
import json

import numpy as np
from scipy import stats

LEAST = 32


def blocks(differences):
    """Sums of 32 to 63 equal blocks, of the definition: the largest power of two that leaves at least 32."""
    size = 1
    while len(differences) // size >= 2 * LEAST:
        size *= 2
    full = len(differences) // size
    return differences[: full * size].reshape(full, size).mean(axis=1), size


def row(rng, n, p, q, cost):
    labels = rng.random(n) < 0.3
    first, second = rng.random(n) < p, rng.random(n) < q
    # mistakes come in runs
    first |= np.convolve(rng.random(n) < 0.01, np.ones(20))[:n] > 0.5
    price = np.where(labels, cost[1], cost[0])
    differences = first * price - second * price
    means, size = blocks(differences)
    out = {
        "cost": cost,
        "labels": "".join("1" if x else "0" for x in labels),
        "first": "".join("1" if x else "0" for x in first),
        "second": "".join("1" if x else "0" for x in second),
        "examples": len(means) * size,
        "blocks": len(means),
        "difference": float(means.mean()),
    }
    if len(means) >= LEAST:
        low, high = stats.t.interval(0.95, len(means) - 1, loc=means.mean(), scale=stats.sem(means))
        out["low"], out["high"] = float(low), float(high)
    return out


def main():
    rng = np.random.default_rng(38)
    rows = [
        row(rng, n, p, q, cost)
        for n in (5, 31, 32, 63, 64, 65, 1000, 2047, 2048)
        for p, q in ((0.1, 0.1), (0.2, 0.1))
        for cost in ((1, 1), (1, 20))
    ]
    print(json.dumps({"student": [float(stats.t.ppf(0.975, n)) for n in range(31, 63)], "rows": rows}))


if __name__ == "__main__":
    main()
