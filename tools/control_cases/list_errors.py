"""What the ops over lists refuse."""
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_list_ops as ops

from control_cases.common import CASES, numbers, Step
from control_cases.lists import concated, empty, item, pushed, reserved, SCALARS, stacked


def unknown(value, dtype=tf.float32):
    """A value that shape functions do not see."""
    return tf.placeholder_with_default(tf.constant(value, dtype), None)


def refused(name, error, build):
    def steps():
        fetch = build()
        return Step(fetch if fetch.dtype != tf.variant else ops.tensor_list_length(fetch),
                    error=error)
    CASES["list_refuses_" + name] = steps


two = lambda: pushed(tf.constant([1.0]), tf.constant([2.0]))  # noqa: E731
rows = lambda *shape: tf.constant(numbers(*shape))  # noqa: E731
MERGE = "Incompatible shapes during merge"

refused("scalar_shape", "only valid scalar shape tensor", lambda: empty(unknown(0, tf.int32)))
refused("matrix_shape", "at most rank 1", lambda: empty(unknown([[1]], tf.int32)))
refused("negative_shape", "Dimension -2 must be >= -1", lambda: empty(unknown([-2], tf.int32)))
refused("limit_vector", "max_num_elements expected to be a scalar", lambda: empty([1], [3]))
refused("full", "full list list size: 1 max_num_elements: 1",
        lambda: pushed(1.0, 2.0, into=empty(-1, 1)))
refused("shape_pushed", "Tried to append a tensor with incompatible shape",
        lambda: pushed([1.0], into=empty([2])))
refused("pop_of_nothing", "Trying to pop from an empty list",
        lambda: ops.tensor_list_pop_back(empty(), SCALARS, tf.float32)[1])
refused("pop_unknown", "uninitialized tensor but element_shape is not fully defined",
        lambda: ops.tensor_list_pop_back(reserved(2), -1, tf.float32)[1])
refused("stack_size", "expected a list with 3 elements but got a list with 2",
        lambda: stacked(two(), num_elements=3))
refused("stack_of_nothing", "empty list with non-fully-defined element_shape: <unknown>",
        lambda: stacked(empty()))
refused("stack_ragged", MERGE, lambda: stacked(pushed([1.0], [2.0, 3.0])))
refused("stack_shape", MERGE, lambda: stacked(two(), element_shape=[4]))
refused("stack_unknown", "only contains uninitialized tensors", lambda: stacked(reserved(2)))
refused("index_too_high", "access element 2 in a list with 2 elements", lambda: item(two(), 2))
refused("index_negative", "access element -1 in a list with 2 elements", lambda: item(two(), -1))
refused("item_unknown", "not fully defined: .2,.. and no list element is set",
        lambda: item(reserved(2, [2, -1]), 1))
refused("set_too_high", "modify element 3 in a list with 2 elements",
        lambda: ops.tensor_list_set_item(two(), 3, [1.0]))
refused("set_negative", "modify element -1 in a list with 2 elements",
        lambda: ops.tensor_list_set_item(two(), -1, [1.0]))
refused("set_type", "op elements int32 but list elements float",
        lambda: ops.tensor_list_set_item(two(), 0, [1]))
refused("set_shape", "Tried to set a tensor with incompatible shape",
        lambda: ops.tensor_list_set_item(reserved(2, [2]), 0, unknown([1.0])))
refused("reserve_negative", "must be a non negative number, but got -2", lambda: reserved(-2))
refused("reserve_vector", "must be a tensor size 1", lambda: reserved([2]))
refused("resize_negative", "size to be non-negative. Got: -2",
        lambda: ops.tensor_list_resize(two(), -2))
refused("rows_of_scalar", "at least a vector, but saw shape: ..",
        lambda: ops.tensor_list_from_tensor(1.0, -1))
refused("rows_of_shape", "Specified a list with shape .2. from a tensor with shape .1.",
        lambda: ops.tensor_list_from_tensor(unknown([[1.0]]), [2]))
refused("gather_too_high", "gather element 3 in a list with 2",
        lambda: ops.tensor_list_gather(two(), [0, 3], -1, tf.float32))
refused("gather_negative", "gather element -1 in a list with 2",
        lambda: ops.tensor_list_gather(two(), [-1], -1, tf.float32))
refused("gather_of_nothing", "gather 0-elements from a list with non-fully-defined shape",
        lambda: ops.tensor_list_gather(two(), tf.zeros([0], tf.int32), -1, tf.float32))
refused("gather_unknown", "gather uninitialized tensors",
        lambda: ops.tensor_list_gather(reserved(2), [0], -1, tf.float32))
refused("gather_ragged", MERGE,
        lambda: ops.tensor_list_gather(pushed([1.0], [2.0, 3.0]), [0, 1], -1, tf.float32))
refused("scatter_too_high", "scatter at index 2 in list with size 2",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [2, 0], -1, 2))
refused("scatter_negative", "must all be non-negative",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [-2, 0], -1, -1))
refused("scatter_count", "num_elements >= -1, found: -2",
        lambda: ops.tensor_list_scatter_v2(rows(2, 1), [1, 0], -1, -2))
refused("scatter_rows", "Invalid number of rows in input tensor. Expected: 1 Actual: 2",
        lambda: ops.tensor_list_scatter(rows(2, 1), [0], -1))
refused("scatter_shape", "Specified a list with shape .3. from a tensor with shape .1.",
        lambda: ops.tensor_list_scatter(rows(2, 1), [0, 1], [3]))
refused("scatter_into_rows", "len.indices. == tensor.shape.0., but saw: 2 vs. 1",
        lambda: ops.tensor_list_scatter_into_existing_list(two(), rows(1, 1), [0, 1]))
refused("concat_of_nothing", "must be fully defined when concating an empty tensor list",
        lambda: concated(empty())[0])
refused("concat_scalars", "Concat saw a scalar shape at index 0",
        lambda: concated(pushed(1.0, 2.0))[0])
refused("concat_scalar_shape", "at least vectors, found scalars", lambda: concated(empty(), SCALARS)[0])
refused("concat_shape", MERGE, lambda: concated(pushed([[1.0]]), [-1, 4])[0])
refused("concat_unknown", "only uninitialized tensors", lambda: concated(reserved(2))[0])
refused("concat_lengths", "at index 1 but leading_dims has only 1 elements",
        lambda: concated(reserved(3, [-1, 1]), [-1, 1], [1])[0])
refused("split_rest", "Unused values in tensor. Length of tensor: 3 Values used: 2",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [1, 1]))
refused("split_negative", "Invalid value in lengths: -1",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [-1, 4]))
refused("split_too_far", "from tensor with length 3",
        lambda: ops.tensor_list_split(rows(3, 1), [-1, 1], [1, 4]))
refused("split_scalar", "at least a vector",
        lambda: ops.tensor_list_split(unknown(1.0), [-1], [1]))
refused("split_lengths_shape", "Expected lengths to be a vector",
        lambda: ops.tensor_list_split(rows(1), [-1], unknown([[1]], tf.int64)))
refused("split_shape", "is not compatible with element_shape",
        lambda: ops.tensor_list_split(unknown([[1.0]]), [-1, 2], [1]))
refused("lists_of_shapes", "element shapes are not identical at index 0",
        lambda: ops.tensor_list_concat_lists(empty([1, -1]), empty([-1, 3]), tf.float32))
refused("batch_rows", "Expected tensor.shape.0. == input_handles.size, but saw 3 vs. 1",
        lambda: ops.tensor_list_push_back_batch(tf.stack([two()]), unknown([[1.0]] * 3))[0])
refused("sum_of_lengths", "different lengths. One is 2 and the other is 1",
        lambda: tf.add_n([two(), pushed([1.0])]))
refused("sum_of_shapes", "incompatible element shapes. One is .1. and the other is .2.",
        lambda: tf.add_n([pushed([1.0]), pushed([1.0, 2.0])]))
refused("vector_of_lists", "Input list must be a scalar saw: .2.",
        lambda: ops.tensor_list_length(tf.stack([two(), two()])))
