#!/usr/bin/env python3
"""Counts the mistakes of River's and scikit-learn's learners where they follow the same rules as ours.

    peers.py ~/.cache/rosenblatt/data > peers.json

Go tests (TestPeers) hold ours against the counts. Needs numpy 2.4.6, river 0.26.1 and scikit-learn 1.9.1. Two conventions are made ours:
the bias is the weight of a feature that is always 1, and a score of 0 predicts the positive label.
"""
import json
import math
import pathlib
import sys

from river import linear_model, multiclass, optim, preprocessing
from sklearn.linear_model import SGDClassifier

import reference


def river(model, data, scale):
    """Mistakes of a River model of two labels."""
    mistakes = 0
    for x, y, _ in reference.examples(data, scale):
        x = dict(enumerate(x.tolist()))
        mistakes += (model.predict_proba_one(x)[True] >= 0.5) != (y > 0)
        model.learn_one(x, y > 0)
    return mistakes


def river_classes(model, data, scale):
    mistakes = 0
    for x, label, _ in reference.examples(data, scale):
        x = dict(enumerate(x.tolist()))
        mistakes += model.predict_one(x) != label
        model.learn_one(x, label)
    return mistakes


def sklearn(model, data, scale):
    """Mistakes of scikit-learn's model, which takes the weights of examples."""
    mistakes, learned = 0, False
    for x, y, weight in reference.examples(data, scale):
        score = model.decision_function([x])[0] if learned else 0.0
        mistakes += reference.sign(score) != y
        if weight > 0:
            model.partial_fit([x], [y], classes=[-1, 1], sample_weight=[weight])
            learned = True
    return mistakes


def river_scaled(model, data, scale):
    """Mistakes of scikit-learn's model behind River's scaler, which leaves absent features alone."""
    scaler, scaled = preprocessing.StandardScaler(), []
    for x, y, weight in data:
        here = {i: v for i, v in enumerate(x) if not math.isnan(v)}
        scaler.learn_one(here)
        now = scaler.transform_one(here)
        scaled.append(([now.get(i, 0.0) for i in range(len(x))], y, weight))
    return sklearn(model, scaled, "none")


def logistic(rate):
    model = linear_model.LogisticRegression(optimizer=optim.AdaGrad(lr=rate, eps=1e-30))
    model.intercept_lr = optim.schedulers.Constant(0.0)
    return model


ROWS = [
    ("River ALMAClassifier", "alma", "", lambda: linear_model.ALMAClassifier(), river),
    ("River ALMAClassifier", "alma:alpha=0.5,B=2,C=0.7", "", lambda: linear_model.ALMAClassifier(alpha=0.5, B=2, C=0.7),
     river),
    ("River PAClassifier", "pa1:C=0.1", "",
     lambda: linear_model.PAClassifier(C=0.1, mode=1, learn_intercept=False), river),
    ("River PAClassifier", "pa2:C=0.1", "",
     lambda: linear_model.PAClassifier(C=0.1, mode=2, learn_intercept=False), river),
    ("River LogisticRegression, AdaGrad", "logistic:rate=0.1,window=0", "", lambda: logistic(0.1), river),
    ("River LogisticRegression, AdaGrad", "logistic:rate=0.5,window=0", "", lambda: logistic(0.5), river),
    ("River LogisticRegression, AdaGrad, OneVsRestClassifier", "logistic:rate=0.1,window=0", "ova",
     lambda: multiclass.OneVsRestClassifier(logistic(0.1)), river_classes),
    ("River LogisticRegression, AdaGrad, OneVsOneClassifier", "logistic:rate=0.1,window=0", "ovo",
     lambda: multiclass.OneVsOneClassifier(logistic(0.1)), river_classes),
    ("scikit-learn SGDClassifier, perceptron", "perceptron:rate=0.5", "",
     lambda: SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=0.5, fit_intercept=False),
     sklearn),
    ("scikit-learn SGDClassifier, hinge", "perceptron:rate=0.1,threshold=1", "",
     lambda: SGDClassifier(loss="hinge", penalty=None, learning_rate="constant", eta0=0.1, fit_intercept=False),
     sklearn),
    ("River StandardScaler, scikit-learn SGDClassifier, hinge", "perceptron:rate=0.1,threshold=1", "",
     lambda: SGDClassifier(loss="hinge", penalty=None, learning_rate="constant", eta0=0.1, fit_intercept=False),
     river_scaled),
]
SETS = {"": [("phishing", "standard"), ("breast_cancer", "standard")],
        "classes": [("segment", "standard"), ("iris", "standard")], "weights": [("weighted2", "none")],
        "scaled": [("sparse", "standard:centre=always"), ("phishing", "standard:centre=always")]}


def main():
    folder = pathlib.Path(sys.argv[1])
    out = []
    for program, learner, scheme, make, count in ROWS:
        for name, scale in SETS["classes" if scheme else {sklearn: "weights", river_scaled: "scaled"}.get(count, "")]:
            mistakes = count(make(), reference.read_set(folder, name), scale)
            out.append(json.dumps(dict(program=program, set=name, scale=scale, learner=learner, scheme=scheme,
                                       mistakes=int(mistakes))))
    print("[\n" + ",\n".join(out) + "\n]")


if __name__ == "__main__":
    main()
