#!/usr/bin/env python3
"""Computes calibrations and cuts from their definitions (go doc learner/decision), with matrices.

    decisions.py > decisions.json
    decisions.py --check decisions.json
    decisions.py --published FILE RULE POSITIVE [DELAY]

Go tests hold learner/decision against the rows. --published compares what a replay published of each event,
probability, positive, threshold and prediction, with what follows from the scores and labels of those before it:

    rosenblatt replay FILE --learner averaged --calibrate platt --decide cost=fp:1,fn:20 --predictions p.csv

POSITIVE is how the positive label is spelled, DELAY that of --label-delay in examples. Needs numpy.
"""
import csv
import json
import math
import pathlib
import sys
from collections import deque

import numpy as np

from reference import random_numbers


def sigmoid(t):
    return 1 / (1 + math.exp(-t)) if t >= 0 else math.exp(t) / (1 + math.exp(t))


def millionths(p):
    return min(max(math.floor(p * 1e6 + 0.5), 1), 999999)


class Platt:
    def __init__(self):
        self.w = np.array([1.0, 0.0])
        self.h = np.zeros((2, 2))
        self.scores, self.second = [], np.zeros((2, 2))

    def odds(self, s):
        return max(self.w[0], 0) * s + self.w[1]

    def learn(self, s, y):
        p, x = sigmoid(self.odds(s)), np.array([s, 1.0])
        self.scores.append(s)
        self.second += np.outer(x, x)
        self.h = (1 - abs(y - p) / 300) * self.h + p * (1 - p) * np.outer(x, x)
        h = self.h + 0.3 * self.second / len(self.scores)
        if np.linalg.det(h) > 1e-12 * h[0, 0] * h[1, 1]:
            step = np.linalg.solve(h, x) * (y - p)
        else:
            step = np.array([0, (y - p) / h[1, 1]])
        self.w = self.w + step * min(1, 3 / max(abs(step @ x), 1e-300))
        if len(self.scores) <= 200:
            mean, square = self.second[0, 1] / len(self.scores), self.second[0, 0] / len(self.scores)
            deviation, a, middle = np.sqrt(max(square - mean ** 2, 0)), max(self.w[0], 0), self.w @ [mean, 1]
            if deviation > 0:
                a = min(a, 4 / deviation)
            if a != self.w[0] or abs(middle) > 5:
                self.w = np.array([a, np.clip(middle, -5, 5) - a * mean])


class Cut:
    """What every kind of rule does is in kind, the number behind = in value."""

    def __init__(self, rule):
        self.kind, _, value = rule.partition("=")
        self.labels, self.events, self.hits, self.w_positive, self.w_p = [0, 0], 0, [], 0, 0
        if self.kind == "cost":
            fp, fn = (float(part[3:]) for part in value.split(","))
            self.start, self.q = math.log(fp / fn), fp / (fp + fn)
        elif self.kind != "sign":
            self.value = float(value)
            self.start = math.log(self.value / (1 - self.value)) if self.kind in ("probability", "precision") else 0.0
        else:
            self.start = 0.0
        self.theta = self.start

    def ready(self):
        if self.kind == "sign":
            return False
        return self.events >= 100 if self.kind == "alerts" else min(self.labels) >= 20

    def decide(self, platt, s):
        """The prediction, and the threshold or None."""
        a = max(platt.w[0], 0)
        if not self.ready():
            return int(s >= 0), None
        if a == 0:
            return int(platt.w[1] >= self.theta), None
        return int(platt.odds(s) >= self.theta), (self.theta - platt.w[1]) / a

    def move(self, hit, up, waiting):
        self.hits.append(hit)
        g = min(max(0.2, 1 / math.sqrt(len(self.hits))), 3 / (1 + waiting))
        self.theta = min(max(self.theta + up * g * (hit - self.value), -30), 30)

    def publish(self, predicted, p):
        ready = self.ready()
        self.events += 1
        if ready and self.kind == "alerts":
            self.move(predicted, 1, 0)
        if ready and self.kind == "precision" and not predicted and self.theta > self.start:
            self.theta -= (self.theta - self.start) / 10000
        self.w_positive, self.w_p = self.w_positive + predicted, self.w_p + p

    def learn(self, t, y, predicted, p):
        self.w_positive, self.w_p = self.w_positive - predicted, self.w_p - p
        self.labels[y] += 1
        if self.ready() and self.kind == "precision" and predicted:
            self.move(y, -1, self.w_positive)
        if self.ready() and self.kind == "recall" and y:
            self.move(predicted, 1, self.w_p)
        if self.ready() and self.kind == "cost" and abs(t - self.theta) < 0.25:
            self.hits.append(y)
            g = max(0.1, 1 / (1 + len(self.hits) * self.q * (1 - self.q) * 2 / 3))
            w = 1 - ((t - self.theta) / 0.25) ** 2
            self.theta = min(max(self.theta + g * w * (self.q - y), self.start - 3), self.start + 3)


def run(data, rule, delay):
    """Yields for each (score, label, counts) its millionths, prediction and threshold, and the state behind it."""
    platt, cut, waits = Platt(), Cut(rule), deque()
    for s, y, counts in data:
        p = millionths(sigmoid(platt.odds(s)))
        predicted, threshold = cut.decide(platt, s)
        yield p, predicted, threshold, platt, cut
        if not counts:
            waits.append(None)
        else:
            cut.publish(predicted, p / 1e6)
            waits.append((s, y, p, predicted))
        while len(waits) > delay:
            if (x := waits.popleft()) and x[1] is not None:
                t = platt.odds(x[0])
                platt.learn(x[0], x[1])
                cut.learn(t, x[1], x[3], x[2] / 1e6)


def stream(name):
    """4,000 scores and labels: how large, about where, how many of a thousand are positive, how much is noise."""
    size, middle, share, noise = {"even": (1, 0, 400, 400), "rare": (1, 0, 20, 100), "large": (1000, 0, 400, 400),
                                  "small": (0.001, 0, 400, 400), "narrow": (0.125, -5, 300, 300),
                                  "turns": (2, 0, 300, 200), "equal": (0, 2, 300, 300)}[name]
    r = random_numbers()
    out = []
    for i in range(4000):
        k = next(r) % 2001 - 1000
        rank = k + next(r) % (2 * noise) - noise
        if name == "turns" and i >= 2000:
            rank = -rank
        out.append((size * (k / 500) + middle, int(rank > 1000 - 2 * share), True))
    return out


def rows():
    for name in ("even", "rare", "large", "small", "narrow", "turns", "equal"):
        yield name, "sign", 0
    for name in ("even", "rare", "turns"):
        for rule in ("probability=0.3", "cost=fp:1,fn:20", "precision=0.5", "precision=0.9", "recall=0.8",
                     "alerts=0.05"):
            for delay in (0, 300):
                yield name, rule, delay


def compute(name, rule, delay):
    data, loss, positives = stream(name), 0.0, 0
    # run goes first: it goes on behind its last yield.
    for (p, predicted, threshold, platt, cut), (s, y, _) in zip(run(data, rule, delay), data):
        loss -= math.log((p if y else 1_000_000 - p) / 1e6)
        positives += predicted
    last = cut.hits[-1000:]
    return dict(stream=name, rule=rule, delay=delay, a=float(platt.w[0]), c=float(platt.w[1]), loss=loss,
                positives=positives, theta=cut.theta, threshold=threshold, count=len(cut.hits), hits=sum(cut.hits),
                lastHits=sum(last))


def same(have, now):
    exact = ("stream", "rule", "delay", "positives", "count", "hits", "lastHits")
    close = lambda x, y: x is y is None or math.isclose(x, y, rel_tol=1e-7, abs_tol=1e-7)
    return all(have[k] == now[k] if k in exact else close(have[k], now[k]) for k in have)


def published(path, rule, positive, delay=0):
    """Exits with a message at the first event of which something else was published."""
    out = [r for r in csv.DictReader(open(path)) if not r["rejected"]]
    data = [(float(r["score"]), int(r["label"] == positive) if r["label"] else None, r["untrained"] != "true")
            for r in out]
    for i, (r, (p, predicted, threshold, _, _)) in enumerate(zip(out, run(data, rule, int(delay)))):
        given = round(1e6 * float(r["probability"]))
        off = abs((given if r["prediction"] == positive else 1_000_000 - given) - p)
        wrong = off > 1 or bool(r.get("threshold")) != (threshold is not None)
        if threshold is not None:
            wrong |= not math.isclose(float(r["threshold"]), threshold, rel_tol=1e-6, abs_tol=1e-9)
            wrong |= (r["prediction"] == positive) != (float(r["score"]) >= float(r["threshold"]))
            wrong |= abs(round(1e6 * float(r["positive"])) - p) > 1
        elif (r["prediction"] == positive) != bool(predicted):
            wrong = True
        if wrong:
            sys.exit(f"{path}, event {i + 1}: {r}, the program computes {p} {predicted} {threshold}")
    if not out:
        sys.exit(f"{path} has no predictions")
    print(f"{len(out)} events of {path} have the probability, threshold and prediction that the program computes")


def main():
    if sys.argv[1:2] == ["--published"]:
        return published(*sys.argv[2:])
    if sys.argv[1:2] != ["--check"]:
        print("[\n" + ",\n".join(json.dumps(compute(*row)) for row in rows()) + "\n]")
        return
    have = json.loads(pathlib.Path(sys.argv[2]).read_text())
    for row, names in zip(have, rows(), strict=True):
        if not same(row, now := compute(*names)):
            sys.exit(f"{sys.argv[2]} has {row}, the program computes {now}")
    print(f"{len(have)} rows of {sys.argv[2]} are what the program computes")


if __name__ == "__main__":
    main()
