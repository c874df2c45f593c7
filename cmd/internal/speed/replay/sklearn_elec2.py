"""scikit-learn one by one on Elec2: predict, then partial_fit, and count the mistakes by each convention.

python sklearn_elec2.py ELECTRICITY.CSV [none|standard]

scikit-learn cannot predict before its first partial_fit; weights of 0 give the first example the score 0.
"""

import csv
import sys
import warnings

import numpy as np
import sklearn
from sklearn.linear_model import PassiveAggressiveClassifier, Perceptron

warnings.filterwarnings("ignore")
sklearn.set_config(assume_finite=True, skip_parameter_validation=True)  # the arithmetic is the same, in half the time


def load(path):
    """Rows of eight numbers, and labels: UP is +1."""
    with open(path, newline="") as f:
        rows = list(csv.reader(f))[1:]
    return np.array([[float(v) for v in r[:-1]] for r in rows]), np.array([1 if r[-1] == "UP" else -1 for r in rows])


def standardized(x):
    """Each row by the mean and population variance (Welford) of the rows up to and including it; 0 where the variance is 0."""
    mean, squares, out = np.zeros(x.shape[1]), np.zeros(x.shape[1]), np.empty_like(x)
    for i, row in enumerate(x):
        step = row - mean
        mean += step / (i + 1)
        squares += step * (row - mean)
        sd = np.sqrt(squares / (i + 1))
        out[i] = np.divide(row - mean, sd, out=np.zeros_like(row), where=sd > 0)
    return out


def one_by_one(model, x, y, margin):
    """Mistakes with score 0 taken as negative, scikit-learn's way, and as positive, ours.

    An example with label * score above the margin changes nothing in the model: its loss is 0. So all up to the first other
    one are predicted at once, and partial_fit is called for that one alone. With margin = infinity it is called for each.
    """
    negative = positive = i = 0
    model.partial_fit(x[:1], y[:1], classes=[-1, 1])
    scores = np.zeros(1)
    while True:
        due = np.flatnonzero(y[i : i + len(scores)] * scores <= margin)
        n = due[0] + 1 if len(due) else len(scores)
        negative += np.count_nonzero(np.where(scores[:n] > 0, 1, -1) != y[i : i + n])
        positive += np.count_nonzero(np.where(scores[:n] >= 0, 1, -1) != y[i : i + n])
        i += n
        if len(due) and i > 1:
            model.partial_fit(x[i - 1 : i], y[i - 1 : i])
        if i == len(x):
            return negative, positive
        scores = model.decision_function(x[i : i + 16])


def main():
    x, y = load(sys.argv[1])
    ones = np.ones((len(x), 1))
    print("| scale | scikit-learn | bias | mistakes, score 0 is negative | score 0 is positive |\n|---|---|---|--:|--:|", flush=True)
    for scale in sys.argv[2:] or ("none", "standard"):
        features = standardized(x) if scale == "standard" else x
        as_feature = np.hstack([features, ones]), False
        as_intercept = features, True
        for name, make, bias, (rows, intercept) in (
            ("Perceptron", Perceptron, "intercept", as_intercept),
            ("PassiveAggressiveClassifier hinge", pa("hinge"), "a feature of 1", as_feature),
            ("PassiveAggressiveClassifier squared_hinge", pa("squared_hinge"), "a feature of 1", as_feature),
            ("PassiveAggressiveClassifier hinge", pa("hinge"), "intercept", as_intercept),
            ("PassiveAggressiveClassifier squared_hinge", pa("squared_hinge"), "intercept", as_intercept),
        ):
            negative, positive = one_by_one(make(fit_intercept=intercept), rows, y, 0 if make is Perceptron else 1)
            print(f"| {scale} | {name} | {bias} | {negative} | {positive} |", flush=True)


def pa(loss):
    """hinge is PA-I, squared_hinge PA-II."""
    return lambda **k: PassiveAggressiveClassifier(C=1, loss=loss, **k)


if __name__ == "__main__":
    main()
