#!/usr/bin/env python3
"""Computes what the learners must compute, from their definitions alone: dense vectors, nothing lazy, no hashing.

    reference.py ~/.cache/rosenblatt/data > reference.json
    reference.py ~/.cache/rosenblatt/data --check reference.json [set ...]
    reference.py --train > train.json
    reference.py --train --check train.json

Go tests (TestReference, and TestTrainReference of training) hold the learners against the rows. --check compares a file
with what the program computes, of all sets or those named; weighted2, weighted4 and sparse need no files. Needs numpy.
The vector of an example ends with a 1, whose weight is the bias, and with bias=0 with a 0.
"""
import csv
import gzip
import io
import json
import math
import pathlib
import sys
import zipfile

import numpy as np


class Linear:
    """A separator w. Subclasses define step(x, y, s, v): what an example with score s and weight v adds to w, or None."""

    def __init__(self, size, **parameters):
        self.w = np.zeros(size)
        self.t = 0
        for name, value in (self.defaults | parameters).items():
            setattr(self, name, value)

    defaults = {}

    def score(self, x):
        return float(self.w @ x)

    raw = score

    def learn(self, x, y, v):
        step = self.step(x, y, self.raw(x), v) if v > 0 and x.any() else None
        self.pass_by(x, step, v)
        return step is not None

    def pass_by(self, x, step, v):
        """Moves w, and lets an example's time pass unless its weight is 0."""
        if step is not None:
            self.w = self.w + step
        if v > 0:
            self.after()
            self.t += 1

    def after(self):
        pass


def shrunk(w, h, l1, l2):
    """w after dw/dt = -l1·sign(w) - l2·w for a time h, the bias left out."""
    fade = np.exp(-l2 * h)
    lost = l1 * h if l2 == 0 else l1 * (1 - fade) / l2
    out = np.sign(w) * np.maximum(0, np.abs(w) * fade - lost)
    out[-1] = w[-1]
    return out


class Perceptron(Linear):
    defaults = dict(rate=1.0, threshold=0.0, update="threshold", decay=0.0, l1=0.0, l2=0.0)

    def rate_now(self):
        return self.rate / (1 + self.decay * self.t)

    def due(self, y, s):
        return sign(s) != y if self.update == "mistake" else y * s <= self.threshold

    def step(self, x, y, s, v):
        return self.rate_now() * v * y * x if self.due(y, s) else None

    def direct(self, x, y, scores, v):
        best = int(np.argmax(scores))
        return None if best == y else (best, self.rate_now() * v)

    def after(self):
        if self.l1 or self.l2:
            self.w = shrunk(self.w, self.rate_now(), self.l1, self.l2)


class Averaged(Perceptron):
    defaults = Perceptron.defaults | dict(window=0, fade=0.0)

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.sum, self.before = np.zeros(size), np.zeros(size)
        self.mean = np.zeros(size)

    def score(self, x):
        return float(self.mean @ x)

    def raw(self, x):
        return float(self.w @ x)

    def after(self):
        if self.fade:
            self.mean = self.fade * self.mean + (1 - self.fade) * self.w
            return
        self.sum = self.sum + self.w
        block = self.window // 2 if self.window else self.t + 2
        blocks, done = divmod(self.t + 1, block)
        if done == 0:
            self.before, self.sum = self.sum, np.zeros_like(self.sum)
        self.mean = (self.before + self.sum) / (done + (block if blocks else 0))


class PA(Linear):
    defaults = dict(kind="pa", C=1.0)

    def tau(self, loss, n, v):
        if self.kind == "pa1":
            return min(self.C * v, loss / n)
        if self.kind == "pa2":
            return loss / (n + 1 / (2 * self.C * v))
        return min(1, v) * loss / n

    def step(self, x, y, s, v):
        loss = 1 - y * s
        return self.tau(loss, x @ x, v) * y * x if loss > 0 else None

    def direct(self, x, y, scores, v):
        others = [c for c in range(len(scores)) if c != y]
        if not others:
            return None
        best = max(others, key=lambda c: (scores[c], -c))
        loss = 1 - (scores[y] - scores[best])
        return (best, self.tau(loss, 2 * (x @ x), v)) if loss > 0 else None


class Arow(Linear):
    defaults = dict(r=1.0, floor=0.0)

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.variance = np.ones(size)

    def step(self, x, y, s, v):
        loss = 1 - y * s
        if loss <= 0:
            return None
        beta = 1 / (self.variance @ (x * x) + self.r)
        step = loss * beta * v * y * self.variance * x
        self.variance = np.maximum(self.floor, self.variance - beta * (self.variance * x) ** 2)
        return step


class Logistic(Perceptron):
    defaults = dict(rate=0.1, decay=0.0, l1=0.0, l2=0.0, schedule="adagrad", window=0)

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.squares = np.zeros(size)

    def step(self, x, y, s, v):
        error = 1 / (1 + math.exp(min(y * s, 700)))
        g = -y * error * x
        if self.schedule == "constant":
            return -self.rate_now() * v * g
        keep = 1 - error / self.window if self.window else 1
        self.squares = np.where(g != 0, keep * self.squares + g * g, self.squares)
        roots = np.sqrt(np.where(self.squares > 0, self.squares, 1))
        return -self.rate_now() * v * g / roots

    def after(self):
        if self.schedule == "constant":
            super().after()
        elif self.l1 or self.l2:
            roots = np.sqrt(np.where(self.squares > 0, self.squares, 1))
            moved = shrunk(self.w, self.rate_now() / roots, self.l1, self.l2)
            self.w = np.where(self.squares > 0, moved, self.w)


class Alma(Linear):
    defaults = dict(alpha=0.9, B=1 / 0.9, C=math.sqrt(2))

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.k = 1

    def step(self, x, y, s, v):
        return self.C * v / math.sqrt(self.k) * y * x if y * s <= (1 - self.alpha) * self.B / math.sqrt(self.k) else None

    def pass_by(self, x, step, v):
        if step is not None:
            w = self.w + step
            self.w = w / max(1, math.sqrt(w @ w))
            self.k += 1


class Dual(Linear):
    """Kept examples with their counts; the kernel of the bias is 1, or 0 without one."""
    defaults = dict(kernel="linear", gamma=1.0, degree=2, offset=1.0, budget=1000, rate=1.0, threshold=0.0,
                    update="threshold", C=1.0, predict="last")

    def __init__(self, size, **parameters):
        super().__init__(size, **parameters)
        self.kept = np.zeros((0, size))
        self.labels, self.alphas, self.sums, self.times = [], [], [], []

    def kernels(self, x):
        a, z = self.kept[:, :-1], x[:-1]
        if self.kernel == "poly":
            return (a @ z + self.offset) ** self.degree + x[-1]
        if self.kernel == "rbf":
            return np.exp(-self.gamma * ((a - z) ** 2).sum(axis=1)) + x[-1]
        return a @ z + x[-1]

    def raw(self, x):
        return float((np.array(self.alphas) * self.labels) @ self.kernels(x)) if self.labels else 0.0

    def score(self, x):
        if self.predict == "last" or not self.labels:
            return self.raw(x)
        return float((np.array(self.sums) / self.t * self.labels) @ self.kernels(x))

    def step(self, x, y, s, v):
        if self.update == "pa1":
            loss = 1 - y * s
            if loss <= 0:
                return None
            own = Dual(len(x), **{k: getattr(self, k) for k in self.defaults})
            own.kept = x[None, :]
            return min(self.C * v, loss / float(own.kernels(x)[0]))
        due = sign(s) != y if self.update == "mistake" else y * s <= self.threshold
        return self.rate * v if due else None

    def learn(self, x, y, v):
        step = self.step(x, y, self.raw(x), v) if v > 0 else None
        if step is not None:
            self.keep(x, y, step)
        if v > 0:
            self.sums = [s + a for s, a in zip(self.sums, self.alphas)]
            self.t += 1
        return step is not None

    def keep(self, x, y, alpha):
        for i in range(len(self.labels)):
            if self.labels[i] == y and (self.kept[i] == x).all():
                self.alphas[i] += alpha
                self.times[i] += 1
                return
        if len(self.labels) == self.budget:
            i = self.times.index(min(self.times))  # the oldest of those
            self.kept = np.delete(self.kept, i, axis=0)
            for column in (self.labels, self.alphas, self.sums, self.times):
                del column[i]
        self.kept = np.vstack([self.kept, x])
        self.labels.append(y)
        self.alphas.append(alpha)
        self.sums.append(0.0)
        self.times.append(1)


KINDS = dict(perceptron=Perceptron, averaged=Averaged, arow=Arow, logistic=Logistic, alma=Alma, dual=Dual)


def make(text, size):
    """A separator and the weights of its two labels, of a learner as users write it."""
    name, _, rest = text.partition(":")
    parameters, label_weights = {}, {1: 1.0, -1: 1.0}
    for part in rest.split(",") if rest else []:
        key, value = part.split("=")
        try:
            value = float(value) if key not in ("degree", "budget", "window") else int(value)
        except ValueError:
            pass
        if key == "bias":
            continue
        if key == "positive-weight":
            label_weights[1] = value
        elif key == "negative-weight":
            label_weights[-1] = value
        elif key == "decay" and name == "averaged":
            parameters["fade"] = value
        else:
            parameters[key] = value
    if name in ("pa", "pa1", "pa2"):
        return PA(size, kind=name, **parameters), label_weights
    return KINDS[name](size, **parameters), label_weights


def sign(s):
    return 1 if s >= 0 else -1


class Scaler:
    """Values over the labelled examples so far, this one included; nan where a feature is absent.

    A feature that at least half of the examples have becomes (x - mean)/deviation, any other one x/size, the root of
    the mean square. Of a feature that does not vary, x/size; but 0 in the first 10 examples, while all have it. With
    centre=always every feature is (x - mean)/deviation, and 0 while it does not vary.

    Each value counts 2^(-1/half_life) as much as the next one of its feature, and each distance between examples that
    have the feature as much as the next distance.
    """

    def __init__(self, size, half_life="inf", centre="half"):
        self.keep, self.always = 2 ** (-1 / float(half_life)), centre == "always"
        self.values = [[] for _ in range(size)]  # of each feature: number of the example, value
        self.seen = 0

    def __call__(self, x):
        self.seen += 1
        out = np.zeros(len(x))
        for i in np.flatnonzero(~np.isnan(x)):
            self.values[i].append((self.seen, x[i]))
            out[i] = self.scaled(x[i], *np.array(self.values[i]).T)
        return out

    def scaled(self, x, numbers, values):
        weights = self.keep ** np.arange(len(values) - 1, -1, -1)
        n, examples = weights.sum(), weights @ np.diff(numbers, prepend=0)
        mean = weights @ values / n
        deviation = math.sqrt(weights @ (values - mean) ** 2 / n)
        varies, everywhere = (values != values[0]).any(), numbers[-1] == len(numbers)
        if varies and (self.always or 2 * n >= examples * (1 - 1e-12)):
            return (x - mean) / deviation
        if self.always or x == 0 or not varies and everywhere and self.seen <= 10:
            return 0
        return x / math.sqrt(weights @ values ** 2 / n)


def examples(data, scale, bias=1.0):
    for x, (_, label, weight) in zip(scaled(data, scale), data):
        yield np.append(x, bias), label, weight


def scaled(data, scale, known={}):
    """Each x as scaled, computed once."""
    if (id(data), scale) not in known:
        name, _, settings = scale.partition(":")
        scaler = np.nan_to_num
        if name == "standard":
            parts = dict(part.split("=") for part in settings.split(",")) if settings else {}
            scaler = Scaler(len(data[0][0]), **{key.replace("-", "_"): value for key, value in parts.items()})
        known[id(data), scale] = [scaler(np.array(x, dtype=float)) for x, _, _ in data]
    return known[id(data), scale]


def bias_of(text):
    return 0.0 if "bias=0" in text else 1.0


def binary(text, data, scale):
    separator, label_weights = make(text, len(data[0][0]) + 1)
    mistakes = updates = 0
    for x, y, v in examples(data, scale, bias_of(text)):
        score = separator.score(x)
        mistakes += sign(score) != y
        updates += separator.learn(x, y, v * label_weights[y])
    return mistakes, updates, score


def multiclass(text, scheme, data, scale):
    size = len(data[0][0]) + 1
    classes, separators = [], []  # of ovo: (i, j), i < j, at j(j-1)/2 + i
    mistakes = updates = 0
    score = 0.0
    for x, label, v in examples(data, scale, bias_of(text)):
        scores = [s.score(x) for s, _ in separators]
        votes = margins = scores
        if scheme.startswith("ovo"):
            votes, margins = [0] * len(classes), [0.0] * len(classes)
            for j in range(len(classes)):
                for i in range(j):
                    s = scores[j * (j - 1) // 2 + i]
                    votes[i if s >= 0 else j] += 1
                    margins[i] += s
                    margins[j] -= s
        best = -1
        if classes:
            tied = [c for c in range(len(classes)) if votes[c] == max(votes)]
            best = max(tied, key=lambda c: margins[c]) if scheme == "ovo:ties=margin" else tied[0]
        mistakes += best < 0 or classes[best] != label
        score = float(votes[best]) if classes else 0.0
        if label not in classes:
            classes.append(label)
            for _ in range(len(classes) - 1 if scheme.startswith("ovo") else 1):
                separators.append(make(text, size))
                if scheme == "direct" and len(separators) > 1:
                    separators[-1][0].t = separators[0][0].t
        updates += learn_class(separators, classes.index(label), len(classes), scheme, x, v)
    return mistakes, updates, score


def learn_class(separators, y, classes, scheme, x, v):
    if scheme == "direct":
        own = separators[y][0]
        raw = [s.raw(x) for s, _ in separators]
        found = None
        if v > 0 and classes > 1 and x.any():
            known = raw[:-1] if is_new(separators, y) else raw
            found = own.direct(x, y, known if not isinstance(own, PA) else raw, v)
        for c, (s, _) in enumerate(separators):
            step = None
            if found and c == y:
                step = found[1] * x
            elif found and c == found[0]:
                step = -found[1] * x
            s.pass_by(x, step, v)
            s.met = True
        return found is not None
    if scheme == "ova":
        turns = [(c, 1 if c == y else -1) for c in range(classes)]
    else:
        turns = [(y * (y - 1) // 2 + i, -1) for i in range(y)]
        turns += [(j * (j - 1) // 2 + y, 1) for j in range(y + 1, classes)]
    return sum(separators[i][0].learn(x, side, v * separators[i][1][side]) for i, side in turns)


def is_new(separators, y):
    return not hasattr(separators[y][0], "met")


def random_numbers():
    """Knuth's linear congruential generator, its upper 31 bits."""
    state = 2026
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield state >> 33


def weighted(classes):
    """2,000 sparse examples with noise and weights from 0 to 2, whose separators change halfway."""
    r = random_numbers()
    data = []
    for i in range(2000):
        x = [(next(r) % 2001 - 1000) / 250 if next(r) % 3 else 0.0 for _ in range(8)]
        weight = (next(r) % 5) / 2
        scores = [sum(plane(c + i // 1000, j) * x[j] for j in range(8)) for c in range(classes)]
        label = int(np.argmax(scores))
        if next(r) % 10 == 0:
            label = next(r) % classes
        data.append((x, label if classes > 2 else 2 * label - 1, weight))
    return data


def sparse():
    """2,000 examples of numbers that are more or less usual, always the same, or counts, and more usual later on."""
    r = random_numbers()
    data = []
    for i in range(2000):
        x = [math.nan] * 9
        for j in range(8):
            if next(r) % 9 <= j + (i // 1000) * (j % 3 - 1):
                x[j] = j - 2.5 if j % 4 == 3 else (next(r) % 4 + 1 if j % 4 == 2 else 10 + (next(r) % 2001) / 400)
        if i % 3 == 0:
            x[8] = 2.0
        score = sum(plane(i // 1500, j) * (x[j] - (12 if j % 4 < 2 else 1)) for j in range(9) if not math.isnan(x[j]))
        label = 1 if score > 0 else -1
        if next(r) % 10 == 0:
            label = -label
        data.append((x, label, (next(r) % 3) / 2))
    return data


def plane(c, j):
    return (7 * c + 3 * j + 5 * c * j) % 11 - 5


def read_set(folder, name):
    """Examples of a data set; the last column of a table is the class."""
    if name == "sparse":
        return sparse()
    if name.startswith("weighted"):
        return weighted(2 if name == "weighted2" else 4)
    path, rows = folder / name, None
    if name == "bananas":
        with zipfile.ZipFile(path / "banana.zip") as z:
            lines = z.read(z.namelist()[0]).decode().splitlines()
        rows = []
        for words in (line.split() for line in lines if line.strip()):
            values = dict(w.split(":") for w in words[1:])
            rows.append(([float(values.get(k, 0)) for k in ("1", "2")], int(float(words[0])), 1.0))
        return rows
    file = {"phishing": "phishing.csv.gz", "digits": "digits.csv.gz", "segment": "segment.csv", "iris": "iris.csv",
            "breast_cancer": "breast_cancer.csv"}[name]
    data = (path / file).read_bytes()
    if file.endswith(".gz"):
        data = gzip.decompress(data)
    rows = list(csv.reader(io.StringIO(data.decode())))
    if name != "digits":
        rows = rows[1:]  # names of the columns, or how many there are
    if name == "iris":
        rows = [rows[i % 3 * 50 + i // 3] for i in range(150)]  # the classes in turn
    labels = {"phishing": lambda t: 2 * int(t) - 1, "breast_cancer": lambda t: 2 * int(t) - 1}.get(name, str)
    return [([float(v) for v in row[:-1]], labels(row[-1]), 1.0) for row in rows]


BINARY = """perceptron:rate=0.5,decay=0.001,l1=0.001 perceptron:rate=0.3,threshold=1,l2=0.01 perceptron:l1=0.01,l2=0.02
 averaged:window=100 averaged:decay=0.99 averaged:rate=0.5,threshold=1 pa pa1:C=0.1 pa2:C=0.1 arow:r=0.5
 arow:floor=0.05 logistic:rate=0.1,window=0 logistic:rate=0.5,decay=0.001,window=0 logistic:rate=0.5,l1=0.001,window=0
 logistic:rate=0.1,l2=0.01,window=0 logistic:rate=0.1,l1=0.002,l2=0.003,window=0 alma alma:alpha=0.5,B=2,C=0.7"""
FORGETTING = """logistic:rate=0.5,window=50 logistic:schedule=constant,rate=0.05
 logistic:schedule=constant,rate=0.2,decay=0.001,l1=0.001,l2=0.002 logistic:rate=0.3,window=20,l1=0.001"""
UNBIASED = """perceptron:bias=0 averaged:bias=0,window=100 pa:bias=0 pa1:C=0.1,bias=0 pa2:C=0.1,bias=0 arow:bias=0
 logistic:rate=0.1,bias=0,window=0 alma:bias=0 dual:kernel=rbf,gamma=0.1,budget=50,update=pa1,bias=0"""
WEIGHTS = """perceptron:positive-weight=2 averaged:negative-weight=0.5 pa:positive-weight=3 pa1:C=0.1,positive-weight=3
 pa2:C=0.1,negative-weight=0.3 arow:positive-weight=2 logistic:rate=0.1,positive-weight=3,window=0
 alma:positive-weight=2 dual:kernel=rbf,gamma=0.1,budget=50,positive-weight=2"""
KERNELS = """dual:kernel=rbf,gamma=0.5,budget=100 dual:kernel=poly,degree=3,budget=200 dual:kernel=rbf,update=pa1
 dual:kernel=rbf,update=pa1,C=0.5,budget=100 dual:kernel=rbf,predict=mean,budget=200
 dual:kernel=rbf,update=pa1,predict=mean,budget=300"""
SPARSE = "perceptron averaged:window=100 pa1:C=0.1 arow:floor=0.1 logistic:rate=0.3,window=50 alma arow:bias=0"
SPARSE_KERNELS = "dual:kernel=rbf,gamma=0.5,budget=2000 dual:kernel=poly,budget=2000"
CLASSES = """perceptron:rate=0.5,l2=0.001 averaged averaged:window=200 averaged:decay=0.99 pa pa1:C=0.1 pa2:C=0.1
 arow logistic:rate=0.1,window=0 alma dual:kernel=rbf,gamma=0.02,budget=50"""


def rows():
    for name, scale, learners in [
            ("phishing", "standard", BINARY), ("phishing", "none", BINARY), ("breast_cancer", "standard", BINARY),
            ("bananas", "standard", KERNELS), ("phishing", "standard", KERNELS),
            ("weighted2", "none", f"{BINARY} {WEIGHTS} {FORGETTING} {UNBIASED}"),
            ("phishing", "standard:half-life=100", FORGETTING), ("sparse", "standard", f"{SPARSE} {SPARSE_KERNELS}"),
            ("sparse", "standard:half-life=30", SPARSE), ("sparse", "standard:centre=always", SPARSE),
            ("sparse", "standard:half-life=50,centre=always", SPARSE)]:
        for learner in learners.split():
            yield name, scale, learner, ""
    for name, scale in [("iris", "standard"), ("segment", "standard"), ("weighted4", "none")]:
        for scheme in ["direct", "ova", "ovo"]:
            yield from ((name, scale, learner, scheme) for learner in with_classes(CLASSES, scheme))
    for scheme in ["direct", "ova", "ovo:ties=margin"]:
        yield from (("weighted4", "none", learner, scheme) for learner in with_classes(UNBIASED, scheme))
    for learner in ["perceptron", "pa1:C=0.1", "arow"]:
        yield "iris", "standard:half-life=50", learner, "ovo:ties=margin"


def with_classes(learners, scheme):
    """Those that the scheme has."""
    direct = ("perceptron", "averaged", "pa", "pa1", "pa2")
    return [text for text in learners.split() if scheme != "direct" or text.partition(":")[0] in direct]


def compute(folder, name, scale, learner, scheme, sets={}):
    if name not in sets:
        sets[name] = read_set(folder, name)
    result = multiclass(learner, scheme, sets[name], scale) if scheme else binary(learner, sets[name], scale)
    return dict(set=name, scale=scale, learner=learner, scheme=scheme, mistakes=int(result[0]), updates=int(result[1]),
                score=result[2])


def same(a, b):
    """Scores may differ by the order in which a version of numpy sums."""
    return math.isclose(a["score"], b["score"], rel_tol=1e-9, abs_tol=1e-9) and a | {"score": 0} == b | {"score": 0}


def check(folder, path, sets):
    """Exits with a message unless the file has the program's rows, and of the sets the numbers that it computes."""
    have = json.loads(pathlib.Path(path).read_text())
    want = list(rows())
    if [(r["set"], r["scale"], r["learner"], r["scheme"]) for r in have] != want:
        sys.exit(f"{path} has other rows than the program: write it anew")
    chosen = [(h, w) for h, w in zip(have, want) if not sets or w[0] in sets]
    for row, w in chosen:
        if not same(row, now := compute(folder, *w)):
            sys.exit(f"{path} has {row}, the program computes {now}")
    print(f"{len(chosen)} of {len(want)} rows of {path} are what the program computes")


def train_sets():
    """Rows of features and a label, None where there is none."""
    r = random_numbers()
    made = []
    for i in range(60):
        x = [(next(r) % 2001 - 1000) * size / 500 for size in (1.0, 100.0, 0.01)]
        plane = x[0] + 3 - x[1] / 100 + 20 * x[2]
        if abs(plane) > 0.5:  # a margin
            made.append((x, None if i % 5 == 0 else 1 if plane > 0 else -1))
    return {"four": [([1.0], -1), ([2.0], -1), ([3.0], 1), ([10.0], 1)], "made": made}


def train(rows):
    """The perceptron over the labelled rows, each scaled by mean and deviation of all of them, until none is wrong."""
    x = np.array([features for features, label in rows if label])
    y = np.array([label for _, label in rows if label])
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    a = np.column_stack([x, np.ones(len(x))])
    w, updates, passes, wrong = np.zeros(a.shape[1]), 0, 0, True
    while wrong:
        wrong, passes = False, passes + 1
        for row, label in zip(a, y):
            if label * (w @ row) <= 0:
                w, updates, wrong = w + label * row, updates + 1, True
    margin = float(np.min(y * (a @ w)) / np.linalg.norm(w))
    return dict(R=float(np.linalg.norm(a, axis=1).max()), passes=passes, updates=updates, margin=margin,
                bias=float(w[-1]), weights=[float(v) for v in w[:-1]])


def train_main(arguments):
    rows = [dict(set=name, rows=[[*x, label] for x, label in data], **train(data))
            for name, data in train_sets().items()]
    if arguments[:1] != ["--check"]:
        print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")
        return
    for have, now in zip(json.loads(pathlib.Path(arguments[1]).read_text()), rows, strict=True):
        numbers = lambda row: [row["R"], row["margin"], row["bias"], *row["weights"]]
        if not np.allclose(numbers(have), numbers(now), rtol=1e-9, atol=1e-9) or any(
                have[key] != now[key] for key in ("set", "rows", "passes", "updates")):
            sys.exit(f"{arguments[1]} has {have}, the program computes {now}")
    print(f"{len(rows)} rows of {arguments[1]} are what the program computes")


def main():
    if sys.argv[1] == "--train":
        return train_main(sys.argv[2:])
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ["--check"]:
        return check(folder, sys.argv[3], sys.argv[4:])
    print("[\n" + ",\n".join(json.dumps(compute(folder, *row)) for row in rows()) + "\n]")


if __name__ == "__main__":
    main()
