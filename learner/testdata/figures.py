#!/usr/bin/env python3
"""Compares figures of a replay of two labels with scikit-learn's, from the predictions that it published.

    rosenblatt replay FILE --learner logistic --predictions p.csv --json r.json
    figures.py p.csv r.json POSITIVE

POSITIVE is how the positive label is spelled. Over all examples, areas and cuts are from counts by score, where scores
that differ by less than a thousandth are one. Needs numpy and scikit-learn; with River, its area over the last 1,000 is
compared, too.
"""
import csv
import json
import sys

import numpy as np
from sklearn import metrics

try:
    from river.metrics import RollingROCAUC
except ImportError:
    RollingROCAUC = None


def ratio(a, b):
    return a / b if b else None


def figures(y, predicted, scores, p):
    """What the replay should say of these examples; None is no figure."""
    tn, fp, fn, tp = metrics.confusion_matrix(y, predicted, labels=[0, 1]).ravel()
    both = 0 < y.sum() < len(y)
    out = {
        "accuracy": metrics.accuracy_score(y, predicted),
        "balancedAccuracy": metrics.balanced_accuracy_score(y, predicted) if both else None,
        "precision": ratio(tp, tp + fp), "recall": ratio(tp, tp + fn), "specificity": ratio(tn, tn + fp),
        "f1": metrics.f1_score(y, predicted) if tp + fp + fn else None,
        "matthews": metrics.matthews_corrcoef(y, predicted) if both and 0 < predicted.sum() < len(y) else None,
        "kappa": metrics.cohen_kappa_score(y, predicted) if both else None,
        "positives": y.mean(), "predictedPositives": predicted.mean(),
        "rocAuc": metrics.roc_auc_score(y, scores) if both else None,
        "averagePrecision": metrics.average_precision_score(y, scores) if y.any() else None,
    }
    if p is not None:
        bins = np.minimum(14, np.floor(p * 15).astype(int))
        out |= {
            "logLoss": metrics.log_loss(y, np.clip(p, 1e-15, 1 - 1e-15), labels=[0, 1]),
            "brier": metrics.brier_score_loss(y, p),
            "calibrationError": sum(abs((p - y)[bins == b].sum()) for b in range(15)) / len(y),
            "expectedPositives": ratio(p.sum(), y.sum()),
        }
    return out


def read(path, positive):
    rows = [r for r in csv.DictReader(open(path)) if r["label"] and not r["rejected"] and r["untrained"] != "true"]
    y = np.array([int(r["label"] == positive) for r in rows])
    predicted = np.array([int(r["prediction"] == positive) for r in rows])
    scores, p = np.array([float(r["score"]) for r in rows]), None
    if rows[0]["probability"]:
        given = np.array([float(r["probability"]) for r in rows])
        p = np.where(predicted == 1, given, 1 - given)
    return y, predicted, scores, p


def main():
    predictions, report, positive = sys.argv[1:]
    y, predicted, scores, p = read(predictions, positive)
    learner = json.load(open(report))["learners"][0]
    wrong = 0
    for scope, last in (("all", len(y)), ("last", 1000), ("last10000", 10000)):
        got = learner if scope == "all" else learner[scope]
        want = figures(y[-last:], predicted[-last:], scores[-last:], None if p is None else p[-last:])
        for name, x in want.items():
            within = {"rocAuc": 5e-4, "averagePrecision": 1e-3}.get(name, 1e-9) if scope == "all" else 1e-9
            if (name in got) != (x is not None) or x is not None and abs(got[name] - x) > within:
                print(f"{scope} {name}: {got.get(name)}, want {x}")
                wrong += 1
    if RollingROCAUC and "rocAuc" in learner["last"]:
        rolling = RollingROCAUC(window_size=1000)
        for label, score in zip(y[-3000:], scores[-3000:]):
            rolling.update(bool(label), score)
        if abs(rolling.get() - learner["last"]["rocAuc"]) > 1e-9:
            print(f"last rocAuc: {learner['last']['rocAuc']}, River's is {rolling.get()}")
            wrong += 1
    cuts = learner.get("cuts", [])
    for c in cuts:
        alarms = scores >= c["score"]
        tp, fp = (alarms & (y == 1)).sum(), (alarms & (y == 0)).sum()
        want = {"recall": tp / y.sum(), "precision": tp / (tp + fp), "falsePositiveRate": fp / (len(y) - y.sum())}
        wrong += any(abs(c[name] - x) > 1e-12 for name, x in want.items())
    print(f"{len(y)} predictions, {len(cuts)} cuts, {wrong} figures wrong")
    sys.exit(wrong > 0 or not 0 < len(cuts) <= 200)


if __name__ == "__main__":
    main()
