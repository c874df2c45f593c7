"""One Python peer over Elec2, one example at a time: predict, count, learn. Prints "loop EXAMPLES SECONDS MISTAKES".

python peers.py river|river-scaled ELECTRICITY.CSV PASSES
python peers.py sklearn ELECTRICITY.CSV ROWS

The rows are read before the clock of the loop starts. River goes through them PASSES times in memory, scikit-learn through the
first ROWS once: the peer itself parses nothing.
"""

import csv
import itertools
import sys
import time


def river(rows, names, passes, scaled):
    """River's own progressive_val_score."""
    from river import evaluate, linear_model, metrics, preprocessing

    data = [(dict(zip(names, map(float, r[:-1]))), r[-1] == "UP") for r in rows]
    model = preprocessing.StandardScaler() | linear_model.Perceptron() if scaled else linear_model.Perceptron()
    metric, n = metrics.Accuracy(), len(data) * passes
    begun = time.perf_counter()
    evaluate.progressive_val_score(itertools.chain.from_iterable(itertools.repeat(data, passes)), model, metric)
    return n, time.perf_counter() - begun, round(n * (1 - metric.get()))


def sklearn(rows, most):
    """scikit-learn's Perceptron: predict, then partial_fit, of the first rows."""
    import numpy as np
    from sklearn.linear_model import Perceptron

    x = np.array([[float(v) for v in r[:-1]] for r in rows[:most]])
    y = np.array([1 if r[-1] == "UP" else -1 for r in rows[:most]])
    model, mistakes = Perceptron(), 0
    begun = time.perf_counter()
    model.partial_fit(x[:1], y[:1], classes=[-1, 1])
    for i in range(1, len(x)):
        mistakes += model.predict(x[i : i + 1])[0] != y[i]
        model.partial_fit(x[i : i + 1], y[i : i + 1])
    return len(x), time.perf_counter() - begun, mistakes


def main():
    what, path, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, newline="") as f:
        names, *rows = csv.reader(f)
    if what == "sklearn":
        n, seconds, mistakes = sklearn(rows, size)
    else:
        n, seconds, mistakes = river(rows, names[:-1], size, what == "river-scaled")
    print(f"loop {n} {seconds:.6f} {mistakes}")


if __name__ == "__main__":
    main()
