"""tf.contrib.slim.summaries: summaries of tensors under names made of a prefix and their own."""


def _named(tensor, name=None, prefix=None, postfix=None):
    return "/".join(part for part in (prefix, name or tensor.op.name, postfix) if part)


def _printed(make, tensor, name, print_summary):
    """A summary that also prints its tensor, where that is wanted."""
    from rill import GraphKeys, Print, add_to_collection
    if not print_summary:
        return make(name, tensor)
    summary = Print(make(name, tensor, collections=[]), [tensor], name)
    add_to_collection(GraphKeys.SUMMARIES, summary)
    return summary


def add_histogram_summary(tensor, name=None, prefix=None):
    """The histogram of a tensor."""
    from rill import summary
    return summary.histogram(_named(tensor, name, prefix), tensor)


def add_image_summary(tensor, name=None, prefix=None, print_summary=False):
    """Images."""
    from rill import summary
    return _printed(summary.image, tensor, _named(tensor, name, prefix), print_summary)


def add_scalar_summary(tensor, name=None, prefix=None, print_summary=False):
    """A number."""
    from rill import summary
    return _printed(summary.scalar, tensor, _named(tensor, name, prefix), print_summary)


def add_zero_fraction_summary(tensor, name=None, prefix=None, print_summary=False):
    """The share of zeros in a tensor."""
    from rill import nn
    name = _named(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(nn.zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors, prefix=None):
    """The histogram of each tensor."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors, prefix=None):
    """The images of each tensor."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors, prefix=None, print_summary=False):
    """Each number."""
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]


def add_zero_fraction_summaries(tensors, prefix=None):
    """The share of zeros of each tensor."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
