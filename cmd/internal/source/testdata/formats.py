#!/usr/bin/env python3
"""Prints files of Vowpal Wabbit's text format and of svmlight, and what vw and scikit-learn read from them.

    formats.py > formats.json

A Go test (TestFormats) reads the same files. Needs vowpalwabbit 9.11.9 and scikit-learn 1.9.1. A row without examples is
a line that vw refuses (--strict_parse). vw leaves out features of value 0, and the test does.
"""
import io
import json
import os
import tempfile

import numpy as np
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from vowpalwabbit import Workspace

LINES = r"""
1 | city:paris
-1 |u:3 city:paris age:2 member
1 2.5 t|u age:30
1 0.5 0.25 't|u age:30
'only_a_tag|u age:30
1 t|u a
| a b:0.5 a
|u a |v a |u b:2
|user a |use b |us c
1 | :0.5 :-2 a:3 :1
|u :0.5 :2 |v:2 :3
|u :0 :2
| :red u:blue :0.5
|u:2 a:
| height: 1.5 width:  2 shape: round
| a:.5 b:5. c:-.5 d:+3 e:1e3 f:1.5E-2
| a:0 b:-0 c:1
| b::c d=e:f
|a|b x||c y
1 |u
1 |
|u:0.5 a:2|v b:2
| <=50K:1 #hash "quoted" 'single' naïve:2
1 0 t|a b
  1  2  t| a
|u:2:3 a
|u::2 a
|u:x a
""".strip("\n").split("\n")


def vw(line):
    """The label, weight, tag and features of a line; None if vw refuses it."""
    with tempfile.TemporaryFile() as out:
        kept = os.dup(1)
        os.dup2(out.fileno(), 1)  # --audit prints there
        try:
            workspace = Workspace("--quiet --audit -t --noconstant --strict_parse")
            e = workspace.example(line)
            label = e.get_simplelabel_label()
            got = [label if label < 3e38 else None, e.get_simplelabel_weight(), e.get_tag()]
            workspace.predict(e)
        except RuntimeError:
            return None
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        out.seek(0)
        features = {}
        for part in out.read().decode().split("\t")[1:]:
            name, slot, value, _ = part.rsplit(":", 3)
            if name == "" or name.endswith("^"):  # without a name: its slot is that of a number
                zero = workspace.hash_feature("0", workspace.hash_space(name[:-1])) if name else 0
                name += str(int(slot) - zero)
            features[name] = features.get(name, 0) + float(value)
        return got + [features]


def svmlight(x, y, **how):
    """A file as scikit-learn writes it, and what it reads from it."""
    out = io.BytesIO()
    dump_svmlight_file(x, y, out, **how)
    out.seek(0)
    x, y, *_ = load_svmlight_file(out, zero_based=True, query_id="query_id" in how)
    rows = [[label, 1, "", {str(i): v for i, v in zip(row.indices.tolist(), row.data.tolist())}]
            for label, row in zip(y.tolist(), x.tocsr())]
    return {"format": "libsvm", "text": out.getvalue().decode(), "examples": rows}


def main():
    files = [{"format": "vw", "text": line + "\n", "examples": [got] if (got := vw(line)) else []} for line in LINES]
    x = np.array([[0, 1.5, -2e-7], [0, 0, 0], [1 / 3, 0, 1e22], [7, 8, 9]])
    y = np.array([1, 0, 1, 0])
    files += [svmlight(x, y), svmlight(x, y, zero_based=False), svmlight(x, 2.0 * y - 1),
              svmlight(x, y, comment="two lines\nof words: 1:2", query_id=[3, 3, 4, 4]),
              svmlight(scipy.sparse.csr_matrix(x), y, zero_based=False, comment="sparse"),
              svmlight(x.astype(np.float32), y), svmlight(np.round(x[:, :2]).astype(int), y)]
    print("[" + ",\n".join(json.dumps(f) for f in files) + "]")


main()
