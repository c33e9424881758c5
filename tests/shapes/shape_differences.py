"""Where static shapes are not those of TensorFlow 2.15, and why.

A call's entry says what holds for every variant whose answers differ, and of how many variants there are:
"more" is known here, "less", either of them ("other"), or an error there and shapes here ("accepted").
"""
import collections

Difference = collections.namedtuple("Difference", "kind count reason")

UNKNOWN_FILTER = "the paddings of a dilated filter of unknown sizes are computed in the step"
UNKNOWN_BLOCKS = "a block shape of unknown length is told by the step"
RANK_IS_KNOWN = "one more dimension, wherever it is put"
SCALARS = "scalars, though nothing but the op tells that they are"

DIFFERENCES = {
    "atrous_conv2d": Difference("accepted", 41, UNKNOWN_FILTER),
    "convolution_dilated": Difference("accepted", 41, UNKNOWN_FILTER),
    "depthwise_dilated": Difference("accepted", 42, UNKNOWN_FILTER),
    "batch_to_space_nd": Difference("accepted", 13, UNKNOWN_BLOCKS),
    "space_to_batch_nd": Difference("accepted", 13, UNKNOWN_BLOCKS),
    "conv2d_transpose": Difference("other", 63, "the wanted shape tells the batch in 1.15, the input in 2.15"),
    "batch_gather": Difference("less", 5, "the indices are computed, as in 1.15, where 2.15 has an op"),
    "expand_dims": Difference("more", 4, RANK_IS_KNOWN),
    "expand_dims_last": Difference("more", 4, RANK_IS_KNOWN),
    "extract_patches": Difference("more", 2, "rows do not depend on columns"),
    "linspace": Difference("more", 10, SCALARS),
    "eye": Difference("less", 1, "a size of unknown rank may be a vector"),
    "resize_by_twice": Difference("more", 2, "the known part of a shape of which another part is unknown"),
    "unique": Difference("more", 1, "what is searched is a vector"),
}


def knows(shapes, others):
    """Whether `shapes` tell all that `others` tell, and nothing else."""
    return all(other == "?" or (shape != "?" and len(parts(shape)) == len(parts(other)) and all(
        theirs in ("?", ours) for ours, theirs in zip(parts(shape), parts(other))))
        for shape, other in zip(shapes.split(";"), others.split(";"), strict=True))


def parts(shape):
    return shape.strip("[]").split(",")


def is_other(ours, theirs):
    return len(parts(ours)) == len(parts(theirs)) and all(
        "?" in pair or pair[0] == pair[1] for pair in zip(parts(ours), parts(theirs)))


def fits(kind, ours, theirs):
    if "!" in ours or (theirs.startswith("!") != (kind == "accepted")):
        return False
    return {"accepted": lambda: True, "more": lambda: knows(ours, theirs),
            "less": lambda: knows(theirs, ours), "other": lambda: is_other(ours, theirs)}[kind]()
