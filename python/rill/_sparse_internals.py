"""Functions of tensorflow.python.ops.sparse_ops that take and return SparseTensors around an op of another signature."""

from rill import raw_ops
from rill._sparse_tensor import SparseTensor


def _parts(sparse):
    if not isinstance(sparse, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return {"sparse_indices": sparse.indices, "sparse_values": sparse.values, "sparse_shape": sparse.dense_shape}


def sparse_dense_cwise_add(sp_t, dense_t):
    """The values of a SparseTensor plus those of a dense tensor at their places."""
    values = raw_ops.SparseDenseCwiseAdd(sp_indices=sp_t.indices, sp_values=sp_t.values, sp_shape=sp_t.dense_shape,
                                         dense=dense_t)
    return SparseTensor(sp_t.indices, values, sp_t.dense_shape)


def add_sparse_to_tensors_map(sp_input, container=None, shared_name=None, name=None):
    """Keeps a SparseTensor in a map; returns its handle."""
    return raw_ops.AddSparseToTensorsMap(**_parts(sp_input), container=container or "",
                                         shared_name=shared_name or "", name=name)


def add_many_sparse_to_tensors_map(sp_input, container=None, shared_name=None, name=None):
    """Keeps each row of a SparseTensor in a map; returns their handles."""
    return raw_ops.AddManySparseToTensorsMap(**_parts(sp_input), container=container or "",
                                             shared_name=shared_name or "", name=name)


def take_many_sparse_from_tensors_map(sparse_map_op, sparse_handles, rank=None, name=None):
    """What was kept under these handles, as one SparseTensor."""
    shared_name = sparse_map_op.get_attr("shared_name").decode() or sparse_map_op.name
    found = raw_ops.TakeManySparseFromTensorsMap(
        sparse_handles=sparse_handles, dtype=sparse_map_op.get_attr("T"),
        container=sparse_map_op.get_attr("container").decode(), shared_name=shared_name, name=name)
    return _with_rank(found, rank)


def deserialize_sparse(serialized_sparse, dtype, rank=None, name=None):
    """The SparseTensor that serialize_sparse wrote."""
    return _with_rank(raw_ops.DeserializeSparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name), rank)


def _with_rank(parts, rank):
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)
