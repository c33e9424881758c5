"""What changed between TensorFlow's 0.x and 1.x: names, the order of arguments, and their names.

Names are paths below `tf`, those of 0.x; _old_names.tsv has the ones that were renamed.
"""

from rill import _absent

# The order of the arguments in 0.x. They become keywords, since that of 1.x is another.
ORDERS = {
    "concat": ("concat_dim", "values", "name"),
    "split": ("split_dim", "num_split", "value", "name"),
    "sparse_concat": ("concat_dim", "sp_inputs", "name", "expand_nonconcat_dim"),
    "sparse_split": ("split_dim", "num_split", "sp_input", "name"),
    "op_scope": ("values", "name", "default_name"),
    "svd": ("tensor", "compute_uv", "full_matrices", "name"),
    "nn.softmax_cross_entropy_with_logits": ("logits", "labels", "dim", "name"),
    "nn.sparse_softmax_cross_entropy_with_logits": ("logits", "labels", "name"),
    "nn.sigmoid_cross_entropy_with_logits": ("logits", "targets", "name"),
    "nn.weighted_cross_entropy_with_logits": ("logits", "targets", "pos_weight", "name"),
    "nn.nce_loss": ("weights", "biases", "inputs", "labels", "num_sampled", "num_classes", "num_true"),
    "nn.sampled_softmax_loss": ("weights", "biases", "inputs", "labels", "num_sampled", "num_classes", "num_true"),
    "image_summary": ("tag", "tensor", "max_images", "collections", "name"),
    "audio_summary": ("tag", "tensor", "sample_rate", "max_outputs", "collections", "name"),
}

# Where only some forms are of 0.x: the argument that comes first there is a number or a name of one, never a list.
# tf.concat(xs, 0) and tf.split(x, 2) are left alone.
AXIS_FIRST = {"concat", "split", "sparse_concat", "sparse_split"}

_REDUCTIONS = ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")

# The names of arguments.
KEYWORDS = {
    **{f"reduce_{kind}": {"reduction_indices": "axis", "keep_dims": "keepdims"} for kind in _REDUCTIONS},
    "argmax": {"dimension": "axis"}, "argmin": {"dimension": "axis"},
    "batch_matmul": {"adj_x": "adjoint_a", "adj_y": "adjoint_b"},
    "concat": {"concat_dim": "axis"}, "count_nonzero": {"reduction_indices": "axis"},
    "expand_dims": {"dim": "axis"}, "pack": {}, "squeeze": {"squeeze_dims": "axis"},
    "reverse_sequence": {"batch_dim": "batch_axis", "seq_dim": "seq_axis"},
    "sparse_concat": {"concat_dim": "axis"}, "sparse_reduce_sum": {"reduction_axes": "axis"},
    "sparse_split": {"split_dim": "axis"}, "split": {"split_dim": "axis", "num_split": "num_or_size_splits"},
    "nn.sigmoid_cross_entropy_with_logits": {"targets": "labels"},
    "nn.softmax_cross_entropy_with_logits": {}, "nn.nce_loss": {}, "nn.sampled_softmax_loss": {},
    "scalar_summary": {"tags": "name", "values": "tensor"}, "histogram_summary": {"tag": "name"},
    "image_summary": {"tag": "name", "max_images": "max_outputs", "name": None},
    "audio_summary": {"tag": "name", "name": None},
}

# Functions of 0.x that are called where 1.x has classes: initializer=tf.zeros_initializer.
MADE_FIRST = {"ones_initializer", "zeros_initializer"}

# What a person must look at.
REMARKS = {
    "reverse": "tf.reverse takes the axes to reverse and no longer a flag for each of them",
    "nn.nce_loss": "labels come before inputs now",
    "nn.sampled_softmax_loss": "labels come before inputs now",
    "nn.rnn": "tf.nn.static_rnn takes what tf.nn.rnn took",
    "contrib.learn": "tf.contrib.learn changed much between 0.x and 1.x",
}


def new_name(path):
    """The name of today, or None where it has not changed."""
    return _absent.old_names().get(path)
