"""Where what is said of wrong inputs is not what TensorFlow 1.15 says: the changes of each call, by reason."""

# Only a step would refuse it there; here building the graph does.
REFUSED_EARLIER = {
    "argmax": "0.fewer",
    "broadcast_dynamic_shape": "0.negative1",
    "conv2d_transpose": "0.more 0.fewer 0.dim0 0.dim1 0.dim2 0.dim3 1.more 1.fewer 1.dim2 1.dim3 2.far0 2.far1 2.far2 2.far3",
    "crop_and_resize": "3.negative0 3.negative1",
    "cumprod_bad": "1.vector",
    "cumsum": "1.vector",
    "cumsum_bad": "1.vector",
    "random_crop": "1.far0 1.far1 1.far2",
    "resize_bilinear": "1.negative0 1.negative1",
    "resize_images": "1.negative0 1.negative1",
    "resize_nearest": "1.negative0 1.negative1",
    "slice": "1.far0 1.far1 2.far0 2.far1",
    "slice_rest": "1.far1 2.far0 2.far1",
    "sparse_reshape": "2.negative0 2.negative1 3.negative0 3.negative1",
    "transpose": "1.negative0 1.negative1 1.negative2",
    "transpose_bad": "1.negative0 1.negative1 1.negative2",
}

# Refused there while the graph is built; here a step does, as in TensorFlow 2.15.
TAKEN = {
    "atrous_conv2d": "0.more",
    "atrous_conv2d_valid": "0.more",
    "conv2d": "0.more",
    "conv2d_valid": "0.more",
    "conv3d": "0.more",
    "convolution_1d": "0.more",
    "convolution_dilated": "0.more",
}

# The op is tried twice there, so that its name has a number.
NAMED_ANEW = {
    "stack": "0.more 0.fewer 0.dim0 0.dim1 1.more 1.fewer 1.dim0 1.dim1",
}

# The same class of error in other words.
OTHER_WORDS = {
    "atrous_conv2d": "0.fewer 1.more 1.fewer",
    "atrous_conv2d_valid": "0.fewer 1.more 1.fewer",
    "batch_to_space": "0.fewer 1.longer",
    "batch_to_space_nd": "1.longer 1.shorter 2.longer",
    "boolean_mask": "0.more 0.dim0 1.dim0",
    "conv2d_transpose": "2.longer 2.shorter",
    "convolution_1d": "0.fewer 1.more 1.fewer",
    "convolution_dilated": "0.fewer 1.more 1.fewer",
    "dynamic_stitch": "0.longer 0.shorter 1.more 1.fewer 1.dim0",
    "einsum": "0.more 0.fewer 0.dim0 1.more 1.fewer 1.dim0 1.dim1",
    "expand_dims": "1.vector",
    "expand_dims_last": "1.vector",
    "eye": "0.negative",
    "gather_axis": "2.vector",
    "getitem": "0.fewer",
    "getitem_tensor": "0.fewer",
    "one_hot": "1.vector",
    "one_hot_axis": "1.vector",
    "scatter_nd": "0.more 0.fewer 0.dim0 0.dim1 1.more 1.fewer 1.dim0 2.longer 2.shorter",
    "slice_rest": "1.far0",
    "space_to_batch": "1.longer",
    "space_to_batch_nd": "1.longer 1.shorter 2.longer",
    "sparse_matmul": "3.more 3.fewer",
    "sparse_reshape": "2.far0 2.far1 3.longer 3.far0 3.far1",
    "split_axis": "1.vector",
    "split_sizes": "0.fewer 1.scalar 1.longer 1.shorter",
    "strided_slice": "0.fewer",
    "top_k": "1.vector",
    "unsorted_segment_sum": "2.negative",
    "unstack_num": "0.more 0.fewer 0.dim1",
    "where_pick": "0.dim0 1.more 1.fewer 1.dim0 1.dim1 2.more 2.fewer 2.dim0 2.dim1",
}


def of(name):
    """The changes of a call whose messages differ."""
    return {change for kind in (REFUSED_EARLIER, TAKEN, NAMED_ANEW, OTHER_WORDS) for change in kind.get(name, "").split()}
