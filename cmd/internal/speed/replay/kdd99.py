"""KDD Cup 1999, normal against attack, two ways that share nothing with Rosenblatt: River, and numpy on dense rows.

python kdd99.py KDDCUP.DATA_10_PERCENT.GZ [river|numpy]

normal. is +1. The three words of a row are `name=value` features of 1, the numbers are standard scaled as they come (Welford,
population variance, the row at hand included), the bias is one more feature of 1.
"""

import csv
import gzip
import sys

import numpy as np

WORDS = (1, 2, 3)  # protocol_type, service, flag


def rows(path):
    with gzip.open(path, "rt", newline="") as f:
        for r in csv.reader(f):
            yield r[:-1], 1 if r[-1] == "normal." else -1


def river(path):
    """River's perceptron, with each label's prediction by its own rule and by ours."""
    from river import compose, linear_model, preprocessing

    def pipeline():
        numbers = compose.SelectType(float) | preprocessing.StandardScaler()
        words = compose.SelectType(str) | preprocessing.OneHotEncoder()
        return (numbers + words) | linear_model.Perceptron()

    for late in (False, True):
        model, mistakes, ours, updates, n = pipeline(), 0, 0, 0, 0
        last = model["Perceptron"]
        compose.Pipeline._LEARN_UNSUPERVISED_DURING_PREDICT = not late  # what compose.learn_during_predict() sets
        for r, label in rows(path):
            x = {i: v if i in WORDS else float(v) for i, v in enumerate(r)}
            if late:
                score = last._raw_dot_one(model._transform_one(x)[0])
                model.learn_one(x, label > 0)
            else:
                z = model._transform_one(x)[0]
                score = last._raw_dot_one(z)
                last.learn_one(z, label > 0)
            n += 1
            mistakes += (score > 0) != (label > 0)
            ours += (score >= 0) != (label > 0)
            updates += label * score <= 0
        seen = "before" if late else "including"
        print(f"| River Perceptron, statistics {seen} the example | {n} | {mistakes} | {ours} | {updates} |", flush=True)


class Dense:
    """Rows as dense vectors: a place for each number, one for the bias, and one for each word when it is first seen."""

    def __init__(self, width=256):
        self.places, self.width, self.n = {}, width, 0
        self.mean, self.squares = np.zeros(38), np.zeros(38)

    def row(self, r):
        number = np.array([float(v) for i, v in enumerate(r) if i not in WORDS])
        self.n += 1
        step = number - self.mean
        self.mean += step / self.n
        self.squares += step * (number - self.mean)
        sd = np.sqrt(self.squares / self.n)
        x = np.zeros(self.width)
        x[:38] = np.divide(number - self.mean, sd, out=np.zeros(38), where=sd > 0)
        x[38] = 1
        for i in WORDS:
            x[self.places.setdefault((i, r[i]), 39 + len(self.places))] = 1
        return x


class Additive:
    """step(score, label, squared norm) says how much of label * x to add to the weights."""

    def __init__(self, step, width=256):
        self.step, self.w = step, np.zeros(width)

    def learn(self, x, label):
        score = self.w @ x
        tau = self.step(score, label, x @ x)
        if tau > 0:
            self.w += tau * label * x
        return score, tau > 0


class Averaged:
    """Predicts with the mean of the weights after each example so far; learns as the perceptron."""

    def __init__(self, width=256):
        self.w, self.sum = np.zeros(width), np.zeros(width)

    def learn(self, x, label):
        score = self.sum @ x  # of the sum: the sign is that of the mean
        update = label * (self.w @ x) <= 0
        if update:
            self.w += label * x
        self.sum += self.w
        return score, update


class Arow:
    """Crammer, Kulesza, Dredze 2009, diagonal, r = 1."""

    def __init__(self, width=256):
        self.w, self.s = np.zeros(width), np.ones(width)

    def learn(self, x, label):
        score, sx = self.w @ x, self.s * x
        loss = 1 - label * score
        if loss > 0:
            beta = 1 / (sx @ x + 1)
            self.w += loss * beta * label * sx
            self.s -= beta * sx * sx
        return score, loss > 0


def dense(path):
    learners = {
        "perceptron": Additive(lambda s, y, n: float(y * s <= 0)),
        "perceptron:update=mistake": Additive(lambda s, y, n: float((1 if s >= 0 else -1) != y)),
        "perceptron:threshold=1": Additive(lambda s, y, n: float(y * s <= 1)),
        "averaged": Averaged(),
        "pa": Additive(lambda s, y, n: max(0, 1 - y * s) / n),
        "pa1:C=1": Additive(lambda s, y, n: min(1, max(0, 1 - y * s) / n)),
        "pa2:C=1": Additive(lambda s, y, n: max(0, 1 - y * s) / (n + 0.5)),
        "arow:r=1": Arow(),
    }
    counts = {name: [0, 0] for name in learners}
    last, no_change, n, table = 1, 0, 0, Dense()
    for r, label in rows(path):
        x = table.row(r)
        n += 1
        no_change += last != label
        last = label
        for name, l in learners.items():
            score, updated = l.learn(x, label)
            counts[name][0] += (1 if score >= 0 else -1) != label
            counts[name][1] += bool(updated)
    print(f"| no-change | {n} | | {no_change} | |")
    for name, (mistakes, updates) in counts.items():
        print(f"| numpy {name} | {n} | | {mistakes} | {updates} |")


def main():
    print("| program | examples | mistakes, score 0 is negative | score 0 is positive | updates |\n|---|--:|--:|--:|--:|", flush=True)
    if len(sys.argv) < 3 or sys.argv[2] == "numpy":
        dense(sys.argv[1])
    if len(sys.argv) < 3 or sys.argv[2] == "river":
        river(sys.argv[1])


if __name__ == "__main__":
    main()
