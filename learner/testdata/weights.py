#!/usr/bin/env python3
"""Takes weights out of rosenblatt and brings weights of scikit-learn in, and compares the scores of 1,000 events.

    weights.py ROSENBLATT

ROSENBLATT is the program. Out: scores from the JSON of inspect --weights, with each event taken into mean and deviation
first as the daemon does, are those that replay publishes. In: scores that replay publishes are those of the pipeline of
scikit-learn that the JSON was made of, whose scaler the events do not move, as it has seen very many; and with a scaler
of few examples they are those that the JSON gives, with the event taken in. All within 1e-9. Needs numpy and
scikit-learn.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

WORDS = ["vic", "nsw", "qld"]


def events(seed, n):
    """Numbers, of which seldom is one event in five, a word, and a label."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        price, size, seldom = rng.normal(1000, 30), rng.exponential(2), rng.normal(5, 1)
        word = WORDS[rng.integers(3)]
        label = (price - 1000) / 30 + size / 2 + 2 * (word == "vic") + rng.normal() > 1.5
        rows.append({"id": f"e{i}", "label": int(label), "price": price, "size": size,
                     "seldom": seldom if rng.random() < 0.2 else None, "market": word, "flat": 3})
    return rows


def write(path, rows):
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, rows[0])
        out.writeheader()
        out.writerows({k: "" if v is None else v for k, v in r.items()} for r in rows)


def score(model, event, taken):
    """The score by the JSON; taken: the event is taken into mean and deviation first."""
    parts = [model["bias"]]
    for name, value in event.items():
        if name in ("id", "label") or value is None:
            continue
        if isinstance(value, str):
            name, value = f"{name}={value}", 1.0
        if name not in model["weights"]:
            continue
        if s := model.get("scale", {}).get(name):
            m, d, n = s["mean"], s["deviation"], s.get("count")
            if n is None:  # maxabs
                d = max(d, abs(value)) if taken else d
            elif taken and s.get("centred", True):
                moved = m + (value - m) / (n + 1)
                d = math.sqrt((d * d * n + (value - m) * (value - moved)) / (n + 1))
                m = moved
            elif taken:
                d = math.sqrt((d * d * n + value * value) / (n + 1))
            value = (value - m) / d
        parts.append(model["weights"][name] * value)
    return math.fsum(parts)


def published(path):
    return np.array([float(r["score"]) for r in csv.DictReader(open(path))])


def compare(what, got, want):
    worst = np.max(np.abs(got - want) / np.maximum(1, np.abs(want)))
    print(f"{what}: {len(got)} scores, largest difference {worst:.1e}")
    return len(got) != 1000 or worst > 1e-9


def main():
    program, wrong = str(pathlib.Path(sys.argv[1]).resolve()), 0
    with tempfile.TemporaryDirectory() as folder:
        def run(*args):
            subprocess.run([program, *args], check=True, cwd=folder, capture_output=True)

        train, test = events(1, 5000), events(2, 1000)
        write(f"{folder}/train.csv", train)
        write(f"{folder}/test.csv", test)
        for scale in ("standard", "maxabs", "none", "standard:centre=always"):
            for learner in ("logistic", "averaged", "pa1:C=0.1", "alma", "arow"):
                run("replay", "train.csv", "--learner", learner, "--scale", scale, "--out", "out.model")
                run("inspect", "out.model", "--weights", "w.json")
                run("replay", "test.csv", "--from-model", "out.model", "--no-learn", "--predictions", "p.csv")
                model = json.load(open(f"{folder}/w.json"))
                wrong += compare(f"out, {learner}, {scale}", published(f"{folder}/p.csv"),
                                 np.array([score(model, e, True) for e in test]))
                run("replay", "test.csv", "--weights", "w.json", "--no-learn", "--scale", scale, "--learner", "logistic",
                    "--predictions", "p.csv")
                wrong += compare("  and in again", published(f"{folder}/p.csv"),
                                 np.array([score(model, e, True) for e in test]))

        numbers = ["price", "size", "flat"]
        names = numbers + [f"market={w}" for w in WORDS]
        words = lambda rows: np.array([[e["market"] == w for w in WORDS] for e in rows], float)
        scaler = StandardScaler().fit([[e[n] for n in numbers] for e in train])
        x = lambda rows: np.hstack([scaler.transform([[e[n] for n in numbers] for e in rows]), words(rows)])
        batch = SGDClassifier(loss="log_loss", random_state=1).fit(x(train), [e["label"] for e in train])
        for count in (1e12, int(scaler.n_samples_seen_)):
            model = {"bias": batch.intercept_[0], "weights": dict(zip(names, batch.coef_[0])),
                     "scale": {n: {"mean": m, "deviation": d, "count": count}
                               for n, m, d in zip(numbers, scaler.mean_, scaler.scale_)}}
            json.dump(model, open(f"{folder}/w.json", "w"))
            run("replay", "test.csv", "--weights", "w.json", "--no-learn", "--learner", "logistic", "--scale", "standard",
                "--predictions", "p.csv")
            if count == 1e12:
                wrong += compare("in, of scikit-learn", published(f"{folder}/p.csv"), batch.decision_function(x(test)))
                wrong += compare("  by the JSON", batch.decision_function(x(test)),
                                 np.array([score(model, e, False) for e in test]))
            else:
                wrong += compare("in, of few examples", published(f"{folder}/p.csv"),
                                 np.array([score(model, e, True) for e in test]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
