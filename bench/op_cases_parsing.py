"""Parsing for op_cases.py: what input pipelines spend their time on. PyTorch has nothing like it."""
import struct

import numpy as np

from op_cases import Case, Input

BATCH = 512
RANDOM = np.random.default_rng(7)
NO_NAMES = np.zeros(0, object)
NO_FLOATS, NO_INTS = np.zeros(0, np.float32), np.zeros(0, np.int64)


def base128(number):
    number = int(number)
    out = b""
    while number >= 128:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(tag, data):
    return bytes([tag]) + base128(len(data)) + data


def float_list(values):
    return field(0x12, field(0x0a, struct.pack(f"<{len(values)}f", *values)))


def int_list(values):
    return field(0x1a, field(0x0a, b"".join(map(base128, values))))


def example(features):
    return field(0x0a, b"".join(field(0x0a, field(0x0a, key.encode()) + field(0x12, value))
                                for key, value in features.items()))


def clicks():
    """Many small features: numbers of fixed size and lists of ids."""
    return example({"label": int_list([1]),
                    **{f"number_{k}": float_list(RANDOM.uniform(size=1)) for k in range(13)},
                    **{f"ids_{k}": int_list(RANDOM.integers(0, 1 << 20, RANDOM.integers(4)))
                       for k in range(26)}})


def vectors():
    return example({"x": float_list(RANDOM.uniform(size=256)),
                    "ids": int_list(RANDOM.integers(0, 1000, 64)), "y": int_list([3])})


def strings(make):
    return Input(np.array([make() for _ in range(BATCH)], object))


def parsed(r, x, dense, sparse):
    """Dense features by key and default, sparse ones by key; all of those are int64."""
    return r.ParseExample(serialized=x, names=NO_NAMES, sparse_keys=sparse, dense_keys=list(dense),
                          dense_defaults=[default for default, _ in dense.values()],
                          sparse_types=["int64"] * len(sparse),
                          dense_shapes=[shape for _, shape in dense.values()])


def parsed_clicks(r, x):
    dense = {"label": (NO_INTS, [1]), **{f"number_{k}": (NO_FLOATS, [1]) for k in range(13)}}
    return parsed(r, x, dense, [f"ids_{k}" for k in range(26)])


def parsed_vectors(r, x):
    return parsed(r, x, {"x": (NO_FLOATS, [256]), "y": (NO_INTS, [])}, ["ids"])


def line_of_numbers():
    return ",".join(f"{v:.4f}" if k % 2 else str(int(v * 1e5))
                    for k, v in enumerate(RANDOM.uniform(size=20))).encode()


def decoded_lines(r, x):
    return r.DecodeCSV(records=x, record_defaults=[
        NO_FLOATS if k % 2 else np.zeros(0, np.int32) for k in range(20)])


CASES = [
    Case("parse_example_clicks", {"x": strings(clicks)}, parsed_clicks, None),
    Case("parse_example_vectors", {"x": strings(vectors)}, parsed_vectors, None),
    Case("decode_csv", {"x": strings(line_of_numbers)}, decoded_lines, None),
    Case("decode_raw", {"x": strings(lambda: bytes(784))},
         lambda r, x: r.DecodeRaw(bytes=x, out_type="uint8"), None),
]
