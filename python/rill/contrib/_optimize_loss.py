"""tf.contrib.layers.optimize_loss: one training operation of a loss, an optimizer and what is around it."""

import functools

from rill import _optimizers, _rill
from rill._collections import GraphKeys, get_collection
from rill._optimizers import Optimizer
from rill._slices import IndexedSlices


def _class_or_function(kind, momentum):
    made = getattr(_optimizers, kind)
    return functools.partial(made, momentum=momentum) if momentum else made


OPTIMIZER_CLS_NAMES = {name: _class_or_function(kind, momentum)
                       for name, kind, momentum, _ in _rill.named_optimizers()}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm",
                       "global_gradient_norm"]
_DEFAULT_SUMMARIES = ["loss", "learning_rate", "global_gradient_norm"]


def _rate(learning_rate):
    """The learning rate as a tensor; a number becomes a variable."""
    from rill import constant_initializer, get_variable
    if learning_rate is None:
        return None
    if isinstance(learning_rate, (_rill.Tensor,)):
        if learning_rate.get_shape().ndims != 0:
            raise ValueError(f"Invalid learning_rate {learning_rate}.")
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError(f"Invalid learning_rate {learning_rate}.")
        return get_variable("learning_rate", [], trainable=False,
                            initializer=constant_initializer(learning_rate))
    raise ValueError("Learning rate should be 0d Tensor or float. Got "
                     f"{learning_rate} of type {type(learning_rate)}")


def _optimizer(optimizer, rate):
    if isinstance(optimizer, str):
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is string "
                             f"({optimizer}).")
        if optimizer not in OPTIMIZER_CLS_NAMES:
            raise ValueError(f"Optimizer name should be one of [{', '.join(OPTIMIZER_CLS_NAMES)}], you "
                             f"provided {optimizer}.")
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is class "
                             f"({optimizer}).")
        return optimizer(learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError("Optimizer should be string, subclass of Optimizer, instance of "
                             f"subclass of Optimizer or function with one argument. Got {made}.")
        return made
    raise ValueError("Unrecognized optimizer: should be string, subclass of Optimizer, instance of "
                     "subclass of Optimizer or function with one argument. Got "
                     f"{optimizer}[type={type(optimizer)}].")


def _values(gradient):
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _noisy(gradient, scale):
    """The gradient with normally distributed noise."""
    from rill import shape, truncated_normal
    if gradient is None:
        return None
    values = _values(gradient)
    noise = truncated_normal(shape(values)) * scale
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(values + noise, gradient.indices, gradient.dense_shape)
    return gradient + noise


def _clipped(gradients, limit):
    from rill import clip_by_global_norm
    if callable(limit):
        return limit(gradients)
    if not isinstance(limit, float):
        raise ValueError(f"Unknown type {type(limit)} for clip_gradients")
    clipped, _ = clip_by_global_norm([gradient for gradient, _ in gradients], limit)
    return list(zip(clipped, [variable for _, variable in gradients]))


def _summarize(gradients, summaries, suffix=""):
    from rill import global_norm, summary
    if "global_gradient_norm" in summaries or "gradient_norm" in summaries:
        summary.scalar(f"global_norm/{suffix}gradient_norm",
                       global_norm([gradient for gradient, _ in gradients]))
    if suffix:
        return
    for gradient, variable in gradients:
        if gradient is None:
            continue
        name = variable.name.replace(":", "_")
        if "gradients" in summaries:
            summary.histogram(f"gradients/{name}", _values(gradient))
        if "gradient_norm" in summaries:
            summary.scalar(f"gradient_norm/{name}", global_norm([_values(gradient)]))


def _prepared_gradients(optimizer, loss, variables, colocate, noise, multipliers):
    from rill.contrib._slim_learning import multiply_gradients
    gradients = optimizer.compute_gradients(loss, variables, colocate_gradients_with_ops=colocate)
    if noise is not None:
        gradients = [(_noisy(gradient, noise), variable) for gradient, variable in gradients]
    return multiply_gradients(gradients, multipliers) if multipliers is not None else gradients


def optimize_loss(loss, global_step, learning_rate, optimizer, gradient_noise_scale=None,
                  gradient_multipliers=None, clip_gradients=None, learning_rate_decay_fn=None,
                  update_ops=None, variables=None, name=None, summaries=None,
                  colocate_gradients_with_ops=False, increment_global_step=True):
    """The loss, after one step of training."""
    from rill import control_dependencies, convert_to_tensor, identity, summary, train, trainable_variables
    from rill._variable_scope import variable_scope
    loss = convert_to_tensor(loss)
    if loss.get_shape().ndims not in (None, 0):
        raise ValueError(f"Loss should be a scalar, got {loss.get_shape()}")
    if global_step is None:
        global_step = train.get_global_step()
    else:
        train.assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        updates = get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else list(update_ops)
        if updates:
            with control_dependencies(updates):
                loss = identity(loss)
        rate = _rate(learning_rate)
        if rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
        summaries = _DEFAULT_SUMMARIES if summaries is None else summaries
        for kind in summaries:
            if kind not in OPTIMIZER_SUMMARIES:
                raise ValueError(f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you "
                                 f"provided {kind}.")
        if rate is not None and "learning_rate" in summaries:
            summary.scalar("learning_rate", rate)
        chosen = _optimizer(optimizer, rate)
        gradients = _prepared_gradients(
            chosen, loss, trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops, gradient_noise_scale, gradient_multipliers)
        _summarize(gradients, summaries)
        if clip_gradients is not None:
            gradients = _clipped(gradients, clip_gradients)
            _summarize(gradients, summaries, "clipped_")
        if "loss" in summaries:
            summary.scalar("loss", loss)
        step = chosen.apply_gradients(
            gradients, global_step=global_step if increment_global_step else None, name="train")
        with control_dependencies([step]):
            return identity(loss)
