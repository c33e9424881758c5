"""Functions of tf.compat.v2 whose arguments mean something else than version 1's, not only in another order."""

import rill


def argmax(input, axis, output_type, name):
    return rill.argmax(input, 0 if axis is None else axis, output_type=output_type, name=name)


def argmin(input, axis, output_type, name):
    return rill.argmin(input, 0 if axis is None else axis, output_type=output_type, name=name)


def bincount(arr, weights, minlength, maxlength, dtype, name):
    with rill.name_scope(name, "bincount"):
        return rill.math.bincount(arr, weights, minlength, maxlength, dtype)


def dropout(x, rate, noise_shape, seed, name):
    return rill.nn.dropout(x, noise_shape=noise_shape, seed=seed, name=name, rate=rate)


def embedding_lookup(params, ids, max_norm, name):
    return rill.nn.embedding_lookup(params, ids, "div", name, max_norm=max_norm)


def embedding_lookup_sparse(params, sp_ids, sp_weights, combiner, max_norm, name):
    return rill.nn.embedding_lookup_sparse(params, sp_ids, sp_weights, "div", name, combiner, max_norm)


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, max_norm, name):
    return rill.nn.safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights, combiner, default_id,
                                                name, "div", max_norm)


def nce_loss(partition_strategy="div", **arguments):
    return rill.nn.nce_loss(partition_strategy=partition_strategy, **arguments)


def sampled_softmax_loss(partition_strategy="div", **arguments):
    return rill.nn.sampled_softmax_loss(partition_strategy=partition_strategy, **arguments)


def _check_nhwc(data_format):
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")


def dilation2d(input, filters, strides, padding, data_format, dilations, name):
    _check_nhwc(data_format)
    return rill.nn.dilation2d(input, filters, strides, dilations, padding, name)


def erosion2d(value, filters, strides, padding, data_format, dilations, name):
    _check_nhwc(data_format)
    return rill.nn.erosion2d(value, filters, strides, dilations, padding, name)


def _seeds(seed):
    """A graph's and an op's seed of what version 2 takes as one: 0 is no seed."""
    return {"deterministic": bool(seed), "seed": seed, "seed2": seed}


def fractional_avg_pool(value, pooling_ratio, pseudo_random, overlapping, seed, name):
    return rill.nn.fractional_avg_pool(value, pooling_ratio, pseudo_random, overlapping, name=name, **_seeds(seed))


def fractional_max_pool(value, pooling_ratio, pseudo_random, overlapping, seed, name):
    return rill.nn.fractional_max_pool(value, pooling_ratio, pseudo_random, overlapping, name=name, **_seeds(seed))


def while_loop(**arguments):
    return rill.while_loop(return_same_structure=True, **arguments)


_RESIZES = {"bilinear": "ResizeBilinear", "nearest": "ResizeNearestNeighbor", "bicubic": "ResizeBicubic"}


def image_resize(images, size, method, preserve_aspect_ratio, antialias, name):
    """Pixels have their centres in the middle, other than in version 1."""
    if preserve_aspect_ratio or antialias or method not in (*_RESIZES, "area"):
        raise rill.errors.UnimplementedError(None, None, "tf.compat.v2.image.resize with preserve_aspect_ratio, antialias "
                                                         f"or method {method!r}")
    with rill.name_scope(name, "resize"):
        images = rill.convert_to_tensor(images)
        if images.shape.ndims not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        batch = images if images.shape.ndims == 4 else rill.expand_dims(images, 0)
        centres = {} if method == "area" else {"half_pixel_centers": True}
        op = getattr(rill.raw_ops, _RESIZES.get(method, "ResizeArea"))
        resized = op(images=batch, size=rill.cast(size, rill.int32), **centres)
        return resized if images.shape.ndims == 4 else rill.squeeze(resized, [0])
