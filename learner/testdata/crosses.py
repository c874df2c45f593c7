"""Accuracies of Vowpal Wabbit with and without crosses, for cmd/rosenblatt/accuracy_crosses_test.go.

    python crosses.py FOLDER_OF_SETS      (vowpalwabbit 9.11.9)

One pass in the order of the file; each event is predicted before it is learned. The defaults are vw's but for the loss.
"""
import gzip
import sys

import vowpalwabbit


def a9a(folder):
    for line in open(folder + "/a9a/a9a"):
        label, *features = line.split()
        yield label == "+1", "|a " + " ".join(features)


def elec2(folder):
    rows = (line.strip().split(",") for line in open(folder + "/elec2/electricity.csv"))
    next(rows)
    for date, day, period, *numbers, label in rows:
        numbers = " ".join(f"n{i}:{x}" for i, x in enumerate([date, *numbers]))
        yield label == "UP", f"|d {day} |p period:{period} |n {numbers}"


def kdd99(folder):
    for line in gzip.open(folder + "/kdd99/kddcup.data_10_percent.gz", "rt"):
        duration, protocol, service, flag, *numbers, label = line.strip().split(",")
        numbers = " ".join(f"n{i}:{x}" for i, x in enumerate([duration, *numbers]) if float(x) != 0)
        yield label == "normal.", f"|p {protocol} |s {service} |f {flag} |n {numbers}"


def accuracy(events, crosses):
    w = vowpalwabbit.Workspace("--quiet --loss_function logistic --holdout_off " + crosses)
    right = count = 0
    for positive, features in events:
        example = w.parse(f"{1 if positive else -1} {features}")
        w.learn(example)
        right += (example.get_simplelabel_prediction() > 0) == positive
        count += 1
        w.finish_example(example)
    return 100 * right / count


for read, crosses in (a9a, "-q aa"), (elec2, "-q dp"), (kdd99, "-q ps -q pf -q sf"):
    print(read.__name__, *(f"{accuracy(read(sys.argv[1]), c):.2f}" for c in ("", crosses)), crosses)
