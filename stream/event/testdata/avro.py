"""Rows for TestAvroRows: schemas, values as fastavro writes them, and their JSON forms by the definition.

    python3 -m venv venv && venv/bin/pip install fastavro && venv/bin/python avro.py > avro.json
"""
import decimal
import io
import json
import random
import struct
import uuid
from fractions import Fraction

import fastavro

decimal.getcontext().prec = 60
ABSENT = object()
r = random.Random(37)


def number(x):
    """The float next to an exact number, and a whole number as it is."""
    return int(x) if x.denominator == 1 else float(x)


def form(schema, v, named):
    """What a value is in JSON; v is what fastavro wrote, with branches as (index, value)."""
    if isinstance(schema, list):
        return form(schema[v[0]], v[1], named)
    s = named[schema] if isinstance(schema, str) and schema in named else schema
    if isinstance(s, str):
        s = {"type": s}
    kind, logical = s["type"], s.get("logicalType") or s.get("connect.name", "").rpartition(".")[2]
    if s.get("connect.name", "").endswith("VariableScaleDecimal"):
        return float(Fraction(int.from_bytes(v["value"], "big", signed=True)) / Fraction(10) ** v["scale"])
    if kind == "record":
        all = [(f["name"], form(f["type"], v[f["name"]], named)) for f in s["fields"]]
        return {k: x for k, x in all if x is not ABSENT}
    if kind == "map":
        all = [(k, form(s["values"], x, named)) for k, x in v.items()]
        return {k: x for k, x in all if x is not ABSENT}
    if kind == "array":
        all = [form(s["items"], x, named) for x in v]
        return ABSENT if all and all[0] is ABSENT else all
    if kind in ("bytes", "fixed"):
        if logical == "decimal":
            return float(Fraction(int.from_bytes(v, "big", signed=True)) / 10 ** s["scale"])
        return str(uuid.UUID(bytes=v)) if logical == "uuid" and kind == "fixed" else ABSENT
    if kind == "float":
        return struct.unpack("<f", struct.pack("<f", v))[0]
    if kind == "long":
        return number(Fraction(v, {"timestamp-micros": 1000, "time-micros": 1000, "timestamp-nanos": 10**6,
                                   "local-timestamp-micros": 1000, "MicroTimestamp": 1000, "NanoTimestamp": 10**6,
                                   "MicroTime": 1000, "NanoTime": 10**6}.get(logical, 1)))
    return v


def plain(schema):
    """The schema without logical types, which fastavro would convert."""
    if isinstance(schema, list):
        return [plain(s) for s in schema]
    if isinstance(schema, dict):
        return {k: plain(v) for k, v in schema.items() if k not in ("logicalType", "precision", "scale", "connect.name")}
    return schema


def written(schema, v, named):
    """v as fastavro takes it: branches with the names of their types."""
    if isinstance(schema, list):
        of = schema[v[0]]
        name = of if isinstance(of, str) else of.get("name") or of["type"]
        return (name, written(of, v[1], named)) if v[1] is not None else None
    s = named.get(schema, schema) if isinstance(schema, str) else schema
    if isinstance(s, dict):
        if s["type"] == "record":
            return {f["name"]: written(f["type"], v[f["name"]], named) for f in s["fields"]}
        if s["type"] == "map":
            return {k: written(s["values"], x, named) for k, x in v.items()}
        if s["type"] == "array":
            return [written(s["items"], x, named) for x in v]
    return v


def long(kind):
    return {"type": "long", "logicalType": kind}


SCHEMA = {"type": "record", "name": "E", "fields": [
    {"name": "id", "type": ["null", "string", "long"]},
    {"name": "label", "type": "boolean"},
    {"name": "i", "type": "int"}, {"name": "f", "type": "float"}, {"name": "d", "type": "double"},
    {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    {"name": "t", "type": {"type": "int", "logicalType": "time-millis"}}, {"name": "tm", "type": long("time-micros")},
    {"name": "ms", "type": long("timestamp-millis")}, {"name": "us", "type": long("timestamp-micros")},
    {"name": "ns", "type": long("timestamp-nanos")}, {"name": "lo", "type": long("local-timestamp-micros")},
    {"name": "wrong", "type": {"type": "string", "logicalType": "date"}},
    {"name": "c", "type": {"type": "long", "connect.name": "io.debezium.time.NanoTimestamp"}},
    {"name": "var", "type": {"type": "record", "name": "V", "connect.name": "io.debezium.data.VariableScaleDecimal",
                             "fields": [{"name": "scale", "type": "int"}, {"name": "value", "type": "bytes"}]}},
    {"name": "dec", "type": {"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 9}},
    {"name": "fix", "type": {"type": "fixed", "name": "F", "size": 9, "logicalType": "decimal", "precision": 18,
                             "scale": 4}},
    {"name": "u", "type": {"type": "fixed", "name": "U", "size": 16, "logicalType": "uuid"}},
    {"name": "us4", "type": {"type": "string", "logicalType": "uuid"}},
    {"name": "raw", "type": "bytes"}, {"name": "raws", "type": {"type": "array", "items": "bytes"}},
    {"name": "e", "type": {"type": "enum", "name": "K", "symbols": ["A", "B", "C"]}},
    {"name": "m", "type": {"type": "map", "values": ["null", "double", {"type": "array", "items": "string"}]}},
    {"name": "rec", "type": ["null", {"type": "record", "name": "N", "fields": [
        {"name": "x", "type": "double"}, {"name": "more", "type": ["null", "N"]}]}]},
    {"name": "l", "type": {"type": "array", "items": "long"}}]}
NAMED = {"N": SCHEMA["fields"][23]["type"][1]}


def value(n):
    word = lambda: r.choice(["", "a", "é", "Zürich", 'q"\\', "\t", "日本"])
    integer = lambda bits: r.randrange(-(1 << bits - 1), 1 << bits - 1) >> r.randrange(bits)
    real = lambda: r.choice([0.0, -0.0, 1e30, 5e-324, 0.1, r.gauss(0, 1), r.gauss(0, 1e9)])
    nested = lambda depth: (1, {"x": real(), "more": nested(depth - 1)}) if depth and r.random() < .7 else (0, None)
    branch = lambda: r.choice([(0, None), (1, real()), (2, [word() for _ in range(r.randrange(3))])])
    return {"id": [(0, None), (1, word()), (2, integer(64))][n % 3], "label": r.random() < .5, "i": integer(32),
            "f": r.gauss(0, 1), "d": real(), "day": integer(16), "t": r.randrange(86400000),
            "tm": r.randrange(86400000000), "ms": integer(50), "us": integer(60), "ns": integer(64), "lo": integer(55),
            "wrong": word(), "c": integer(63),
            "var": {"scale": r.randrange(-20, 40), "value": r.randbytes(r.randrange(1, 24))},
            "dec": r.randbytes(r.randrange(1, 17)), "fix": r.randbytes(9), "u": r.randbytes(16),
            "us4": str(uuid.UUID(int=r.getrandbits(128))), "raw": r.randbytes(3),
            "raws": [b"x"] * r.randrange(1, 3), "e": r.choice("ABC"),
            "m": {word() + str(i): branch() for i in range(r.randrange(5))}, "rec": nested(3),
            "l": [integer(64) for _ in range(r.randrange(4))]}


parsed = fastavro.parse_schema(plain(SCHEMA))
values = []
for n in range(20):
    v, out = value(n), io.BytesIO()
    fastavro.schemaless_writer(out, parsed, written(SCHEMA, v, NAMED))
    values.append({"value": out.getvalue().hex(), "form": form(SCHEMA, v, NAMED)})
print('{"schema":' + json.dumps(SCHEMA) + ',\n"values":[')
print(",\n".join(json.dumps(v, ensure_ascii=False) for v in values) + "]}")
