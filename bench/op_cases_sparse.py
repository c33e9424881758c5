"""Ops on sparse tensors."""
import numpy as np

from op_cases import Case, Input, floats

ROWS, COLUMNS, ELEMENTS = 1000, 1000, 20_000
PLACES = np.random.default_rng(5).choice(ROWS * COLUMNS, ELEMENTS, replace=False)
INDICES = np.stack(np.divmod(np.sort(PLACES), COLUMNS), axis=1).astype(np.int64)


def multiplied(r, indices, values, b):
    return r.SparseTensorDenseMatMul(a_indices=indices, a_values=values,
                                     a_shape=np.array([ROWS, COLUMNS], np.int64), b=b)


def multiplied_by_torch(torch, indices, values, b):
    return torch.sparse.mm(torch.sparse_coo_tensor(indices, values, (ROWS, COLUMNS)), b)


CASES = [
    Case("sparse_dense_matmul",
         {"indices": Input(INDICES, lambda t: t.t()), "values": floats(ELEMENTS),
          "b": floats(COLUMNS, 128)}, multiplied, multiplied_by_torch),
]
