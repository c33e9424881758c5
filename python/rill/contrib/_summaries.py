"""tf.contrib.layers' summaries of tensors."""

import functools
import re

from rill._collections import GraphKeys, get_collection


def _is_summarized(name):
    return any(name == summary.op.name for summary in get_collection(GraphKeys.SUMMARIES))


def summarize_tensor(tensor, tag=None):
    """A scalar, or the histogram of a tensor."""
    from rill import summary
    if not hasattr(tensor, "op"):
        raise ValueError(f"{tensor} is not a tensor.")
    tag = tag or tensor.op.name
    scalar = tensor.get_shape().ndims == 0
    return (summary.scalar if scalar else summary.histogram)(tag, tensor)


def summarize_activation(op):
    """The share of zeros of a rectified tensor, and its histogram."""
    from rill import nn, name_scope, summary
    kind = op.op.type
    if kind in ("Relu", "Softplus", "Relu6"):
        with name_scope(op.op.name.rpartition("/")[0] + "/" if "/" in op.op.name else None):
            summary.scalar(op.op.name + "/zeros", nn.zero_fraction(op))
    if kind == "Relu6":
        from rill import cast, equal, float32, reduce_mean
        summary.scalar(op.op.name + "/sixes", reduce_mean(cast(equal(op, 6.0), float32)))
    return summary.histogram(op.op.name + "/activation", op)


def summarize_tensors(tensors, summarizer=summarize_tensor):
    """A summary of each."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    """A summary of each tensor of a collection whose name matches."""
    tensors = [tensor for tensor in get_collection(collection)
               if name_filter is None or re.match(name_filter, tensor.op.name)]
    return summarize_tensors(tensors, summarizer)


summarize_activations = functools.partial(summarize_collection, GraphKeys.ACTIVATIONS,
                                          summarizer=summarize_activation)
