"""Tables, which outlive the step that uses them. PyTorch has none."""
import numpy as np

from op_cases import Case, Input

KEYS = np.array([b"word_%d" % i for i in range(1_000_000)], object)


def table(r):
    return r.HashTableV2(key_dtype="string", value_dtype="int64", shared_name="words")


def filled_table(r, keys, **_):
    return r.InitializeTableV2(table_handle=table(r), keys=keys,
                               values=np.arange(len(KEYS), dtype=np.int64))


def looked_up(r, shuffled, **_):
    return r.LookupTableFindV2(table_handle=table(r), keys=shuffled,
                               default_value=np.int64(-1))


CASES = [
    Case("table_lookup_1m_strings",
         {"keys": Input(KEYS), "shuffled": Input(np.random.default_rng(1).permutation(KEYS))},
         looked_up, None, setup=filled_table),
]
