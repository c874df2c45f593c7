#!/usr/bin/env python3
"""Says at which examples River's ADWIN detects a change of the mistakes on five streams.

    drift.py ../../../shared/data > drift.json

Go tests (TestRiver of learner/drift) hold our detector against the rows. Needs numpy 2.4.6 and river 0.26.1; River 0.21
detects elsewhere. Mistakes on Elec2 are those of a perceptron without scaling, which the test computes itself. Those on
streams that River makes are of River's learners, and are in the row: bytes in base64, the first example in the lowest bit.
"""
import base64
import csv
import json
import pathlib
import sys

import numpy as np
from river import drift, linear_model, naive_bayes, preprocessing
from river.datasets import synth

import reference

SETTINGS = [(0.002, 32, False), (0.002, 1, False), (1e-7, 256, False), (0.002, 32, True)]


def elec2(folder):
    """Mistakes of a perceptron."""
    separator, _ = reference.make("perceptron", 9)
    for row in csv.DictReader((folder / "elec2/electricity.csv").open()):
        y = 1 if row.pop("class") == "UP" else -1
        x = np.array([*map(float, row.values()), 1.0])
        yield int(reference.sign(separator.score(x)) != y)
        separator.learn(x, y, 1.0)


def mistakes(model, *streams):
    for stream, n in streams:
        for x, y in stream.take(n):
            yield int(model.predict_one(x) != y)
            model.learn_one(x, y)


def streams(folder):
    """Names, mistakes, and whether the mistakes go into the row."""
    logistic = lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression()
    yield "elec2", [*elec2(folder)], False
    yield "sea", [*mistakes(logistic(), *((synth.SEA(variant=v, noise=0.1, seed=v), 5000) for v in (0, 1, 2, 3)))], True
    led = [(synth.LEDDrift(seed=i, noise_percentage=0.1, irrelevant_features=True, n_drift_features=n), 5000)
           for i, n in enumerate((0, 3, 7, 1))]
    yield "led", [*mistakes(naive_bayes.BernoulliNB(), *led)], True
    plane = [(synth.Hyperplane(seed=i, n_features=5, n_drift_features=2, mag_change=c, noise_percentage=0.05), 5000)
             for i, c in ((1, 0), (1, 0.01), (2, 0), (3, 0.001))]
    yield "hyperplane", [*mistakes(logistic(), *plane)], True
    yield "reversed", [*mistakes(linear_model.Perceptron(), *plane[::-1])], True


def cost(values):
    """Two in five mistakes cost 1, the others 0.05."""
    return [x * (1 if i % 5 < 2 else 0.05) for i, x in enumerate(values)]


def detections(values, delta, clock):
    detector, found = drift.ADWIN(delta=delta, clock=clock), []
    for i, x in enumerate(values, 1):
        detector.update(x)
        if detector.drift_detected:
            found.append(i)
    return found


def main():
    rows = []
    for name, values, kept in streams(pathlib.Path(sys.argv[1])):
        bits = base64.b64encode(np.packbits(np.array(values, np.uint8), bitorder="little")).decode() if kept else ""
        for backwards in (False, True):
            x = values[::-1] if backwards else values
            found = [dict(delta=delta, clock=clock, costs=costs, at=detections(cost(x) if costs else x, delta, clock))
                     for delta, clock, costs in SETTINGS]
            rows.append(dict(stream=name, backwards=backwards, examples=len(values), mistakes=sum(values),
                             bits="" if backwards else bits, detected=found))
    print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
