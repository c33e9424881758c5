"""tf.contrib.layers: layers as functions that arg_scope applies to; the work is done in C++."""

import functools
import importlib
import types

from rill import _rill
from rill._arg_scope import add_arg_scope, scope_arguments
from rill._collections import GraphKeys
from rill._initializers import zeros_initializer as _zeros_initializer
from rill.contrib._optimize_loss import OPTIMIZER_CLS_NAMES, OPTIMIZER_SUMMARIES, optimize_loss
from rill.contrib._regularizers import (apply_regularization, l1_l2_regularizer, l1_regularizer,
                                        l2_regularizer, sum_regularizer,
                                        variance_scaling_initializer, xavier_initializer,
                                        xavier_initializer_conv2d)
from rill.contrib._variables import model_variable
from rill.contrib._summaries import (summarize_activation, summarize_activations, summarize_collection,
                                     summarize_tensor, summarize_tensors)

DATA_FORMAT_NHWC, DATA_FORMAT_NCHW = "NHWC", "NCHW"


# --- layers --------------------------------------------------------------------------------------

_XAVIER, _ZEROS = xavier_initializer(), _zeros_initializer()


def _relu(x):
    from rill import nn
    return nn.relu(x)


_relu.__name__ = "relu"


def _make(name, inputs, arguments):
    """A layer of C++, with the arguments of the function of that name."""
    given = dict(arguments)
    normalize, parameters = given.get("normalizer_fn"), given.get("normalizer_params") or {}
    if normalize is not None:
        given["normalizer_fn"] = functools.partial(normalize, **parameters)
    given["variable_device"] = scope_arguments(model_variable).get("device")
    outputs = _rill.contrib_layer(name, inputs, types.SimpleNamespace(**given))
    if given.get("outputs_collections"):
        outputs.aliases = _rill.tensor_aliases(outputs)
        outputs.alias = outputs.aliases[-1]
    return outputs


@add_arg_scope
def fully_connected(inputs, num_outputs, activation_fn=_relu, normalizer_fn=None,
                    normalizer_params=None, weights_initializer=_XAVIER, weights_regularizer=None,
                    biases_initializer=_ZEROS, biases_regularizer=None, reuse=None,
                    variables_collections=None, outputs_collections=None, trainable=True, scope=None):
    """activation_fn(x * weights + biases), along the last dimension."""
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs type should be one of {[int]}, got {type(num_outputs)}.")
    return _make("fully_connected", inputs, locals())


@add_arg_scope
def convolution(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1,
                activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                weights_initializer=_XAVIER, weights_regularizer=None, biases_initializer=_ZEROS,
                biases_regularizer=None, reuse=None, variables_collections=None,
                outputs_collections=None, trainable=True, scope=None, conv_dims=None):
    """A convolution over as many dimensions of space as the inputs have."""
    if data_format not in (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ValueError(f"Invalid data_format: {data_format!r}")
    return _make("convolution", inputs, locals())


def _convolution_of(name, dims, doc):
    def conv(inputs, num_outputs, kernel_size, stride=1, padding="SAME", data_format=None, rate=1,
             activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
             weights_initializer=_XAVIER, weights_regularizer=None, biases_initializer=_ZEROS,
             biases_regularizer=None, reuse=None, variables_collections=None,
             outputs_collections=None, trainable=True, scope=None):
        return _make("convolution", inputs, {**locals(), "conv_dims": dims})
    conv.__name__ = conv.__qualname__ = name
    conv.__doc__ = doc
    conv._key_op = f"{__name__}.{name}"
    return add_arg_scope(conv)


convolution1d = _convolution_of("convolution1d", 1, "A convolution of sequences.")
convolution2d = _convolution_of("convolution2d", 2, "A convolution of images.")
convolution3d = _convolution_of("convolution3d", 3, "A convolution of volumes.")


@add_arg_scope
def convolution2d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME",
                            data_format=DATA_FORMAT_NHWC, activation_fn=_relu, normalizer_fn=None,
                            normalizer_params=None, weights_initializer=_XAVIER,
                            weights_regularizer=None, biases_initializer=_ZEROS,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None):
    """The transpose of a convolution of images."""
    return _make("conv2d_transpose", inputs, locals())


@add_arg_scope
def convolution3d_transpose(inputs, num_outputs, kernel_size, stride=1, padding="SAME",
                            data_format="NDHWC", activation_fn=_relu, normalizer_fn=None,
                            normalizer_params=None, weights_initializer=_XAVIER,
                            weights_regularizer=None, biases_initializer=_ZEROS,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None):
    """The transpose of a convolution of volumes."""
    return _make("conv3d_transpose", inputs, locals())


@add_arg_scope
def separable_convolution2d(inputs, num_outputs, kernel_size, depth_multiplier=1, stride=1,
                            padding="SAME", data_format=DATA_FORMAT_NHWC, rate=1,
                            activation_fn=_relu, normalizer_fn=None, normalizer_params=None,
                            weights_initializer=_XAVIER, pointwise_initializer=None,
                            weights_regularizer=None, biases_initializer=_ZEROS,
                            biases_regularizer=None, reuse=None, variables_collections=None,
                            outputs_collections=None, trainable=True, scope=None):
    """Each channel by itself, then a mixing of channels unless num_outputs is None."""
    return _make("separable_conv2d", inputs, locals())


@add_arg_scope
def batch_norm(inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None,
               param_initializers=None, param_regularizers=None,
               updates_collections=GraphKeys.UPDATE_OPS, is_training=True, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True,
               batch_weights=None, fused=None, data_format=DATA_FORMAT_NHWC,
               zero_debias_moving_mean=False, scope=None, renorm=False, renorm_clipping=None,
               renorm_decay=0.99, adjustment=None):
    """Subtracts the mean and divides by the deviation; updates_collections None: updated in place."""
    if data_format not in (DATA_FORMAT_NCHW, DATA_FORMAT_NHWC):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    return _make("batch_norm", inputs, locals())


@add_arg_scope
def layer_norm(inputs, center=True, scale=True, activation_fn=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True,
               begin_norm_axis=1, begin_params_axis=-1, scope=None):
    """Normalises each example by its own mean and variance."""
    return _make("layer_norm", inputs, locals())


def _check_volume_format(data_format):
    if data_format not in ("NCDHW", "NDHWC"):
        raise ValueError("data_format has to be either NCDHW or NDHWC.")


@add_arg_scope
def max_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format=DATA_FORMAT_NHWC,
               outputs_collections=None, scope=None):
    """The largest element of each window of images."""
    return _make("max_pool2d", inputs, locals())


@add_arg_scope
def avg_pool2d(inputs, kernel_size, stride=2, padding="VALID", data_format=DATA_FORMAT_NHWC,
               outputs_collections=None, scope=None):
    """The mean of each window of images."""
    return _make("avg_pool2d", inputs, locals())


@add_arg_scope
def max_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC",
               outputs_collections=None, scope=None):
    """The largest element of each window of volumes."""
    _check_volume_format(data_format)
    return _make("max_pool3d", inputs, locals())


@add_arg_scope
def avg_pool3d(inputs, kernel_size, stride=2, padding="VALID", data_format="NDHWC",
               outputs_collections=None, scope=None):
    """The mean of each window of volumes."""
    _check_volume_format(data_format)
    return _make("avg_pool3d", inputs, locals())


@add_arg_scope
def dropout(inputs, keep_prob=0.5, noise_shape=None, is_training=True, outputs_collections=None,
            scope=None, seed=None):
    """While training, keeps elements with that probability and makes them larger."""
    return _make("dropout", inputs, locals())


@add_arg_scope
def flatten(inputs, outputs_collections=None, scope=None):
    """All dimensions but the first as one."""
    return _make("flatten", inputs, locals())


@add_arg_scope
def one_hot_encoding(labels, num_classes, on_value=1.0, off_value=0.0, outputs_collections=None,
                     scope=None):
    """A row of zeros with one 1 for each label."""
    return _make("one_hot_encoding", labels, locals())


@add_arg_scope
def bias_add(inputs, activation_fn=None, initializer=_ZEROS, regularizer=None, reuse=None,
             variables_collections=None, outputs_collections=None, trainable=True,
             data_format=DATA_FORMAT_NHWC, scope=None):
    """A bias added to each channel."""
    return _make("bias_add", inputs, locals())


@add_arg_scope
def instance_norm(inputs, center=True, scale=True, epsilon=1e-6, activation_fn=None,
                  param_initializers=None, reuse=None, variables_collections=None,
                  outputs_collections=None, trainable=True, data_format=DATA_FORMAT_NHWC, scope=None):
    """Normalises each channel of each example by its own mean and variance."""
    return _make("instance_norm", inputs, locals())


@add_arg_scope
def group_norm(inputs, groups=32, channels_axis=-1, reduction_axes=(-3, -2), center=True, scale=True,
               epsilon=1e-6, activation_fn=None, param_initializers=None, reuse=None,
               variables_collections=None, outputs_collections=None, trainable=True, scope=None,
               mean_close_to_zero=False):
    """Normalises groups of channels of each example."""
    return _make("group_norm", inputs, locals())


@add_arg_scope
def unit_norm(inputs, dim, epsilon=1e-7, scope=None):
    """Vectors along a dimension, of length 1."""
    return _make("unit_norm", inputs, locals())


@add_arg_scope
def maxout(inputs, num_units, axis=-1, scope=None):
    """The largest of each group of channels."""
    return _make("maxout", inputs, locals())


def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None,
                   regularizer=None, trainable=True, scope=None, reuse=None):
    """The embeddings of ids; with `unique` each id is looked up once."""
    return _make("embed_sequence", ids, locals())


def embedding_lookup_unique(params, ids, partition_strategy="mod", name=None):
    """nn.embedding_lookup that looks each id up once, however often it comes."""
    parts = list(params) if isinstance(params, (list, tuple)) or hasattr(params, "_variable_list") \
        else [params]
    return _rill.embedding_lookup_unique(parts, ids, partition_strategy, name or "")


def safe_embedding_lookup_sparse(embedding_weights, sparse_ids, sparse_weights=None, combiner=None,
                                 default_id=None, name=None, partition_strategy="div", max_norm=None):
    """nn.safe_embedding_lookup_sparse."""
    from rill import nn
    return nn.safe_embedding_lookup_sparse(
        embedding_weights, sparse_ids, sparse_weights=sparse_weights, combiner=combiner or "mean",
        default_id=default_id, name=name, partition_strategy=partition_strategy, max_norm=max_norm)


def softmax(logits, scope=None):
    """nn.softmax along the last dimension."""
    return _make("softmax", logits, locals())


# --- several layers ------------------------------------------------------------------------------


def _layer_name(layer):
    return getattr(layer, "__name__", None) or getattr(layer.func, "__name__", None)


@add_arg_scope
def repeat(inputs, repetitions, layer, *args, **kwargs):
    """The same layer several times, in scopes scope/scope_1, scope/scope_2, ..."""
    from rill._variable_scope import variable_scope
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        scope = scope or _layer_name(layer) or "repeat"
        for i in range(repetitions):
            inputs = layer(inputs, *args, **{**kwargs, "scope": f"{scope}_{i + 1}"})
    return inputs


def stack(inputs, layer, stack_args, **kwargs):
    """One layer after another, with the arguments of each, in scopes scope/scope_1, ..."""
    from rill._variable_scope import variable_scope
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Stack", [inputs]):
        scope = scope or _layer_name(layer) or "stack"
        for i, arguments in enumerate(stack_args):
            arguments = arguments if isinstance(arguments, (list, tuple)) else [arguments]
            inputs = layer(inputs, *arguments, **{**kwargs, "scope": f"{scope}_{i + 1}"})
    return inputs


def _with_activation(name):
    def layer(*args, **kwargs):
        activation = None
        if name != "linear":
            from rill import nn
            activation = getattr(nn, name)
        return fully_connected(*args, **{"activation_fn": activation, **kwargs})
    layer.__name__ = layer.__qualname__ = name
    layer.__doc__ = f"fully_connected with the activation {name}."
    return layer


linear, relu, relu6 = (_with_activation(name) for name in ("linear", "relu", "relu6"))
conv1d, conv2d, conv3d = convolution1d, convolution2d, convolution3d
conv2d_transpose, conv3d_transpose = convolution2d_transpose, convolution3d_transpose
separable_conv2d = separable_convolution2d

__all__ = [name for name in dir() if not name.startswith("_")] + [
    "OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES", "apply_regularization", "l1_l2_regularizer",
    "l1_regularizer", "l2_regularizer", "optimize_loss", "sum_regularizer", "summarize_activation",
    "summarize_activations", "summarize_collection", "summarize_tensor", "summarize_tensors",
    "variance_scaling_initializer", "xavier_initializer", "xavier_initializer_conv2d"]


def __getattr__(name):
    """Feature columns, which are imported when they are asked for, and two modules that TensorFlow shows here."""
    from rill.contrib import _feature_columns
    if name in ("feature_column", "summaries"):
        return importlib.import_module(f"tensorflow.contrib.layers.python.layers.{name}")
    if name.startswith("_") or not hasattr(_feature_columns, name):
        raise AttributeError(f"module 'tensorflow.contrib.layers' has no attribute '{name}'")
    return getattr(_feature_columns, name)
