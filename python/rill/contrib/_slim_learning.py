"""slim.learning: training operations."""

from rill import _rill
from rill._collections import GraphKeys, get_collection
from rill._slices import IndexedSlices

_USE_GLOBAL_STEP = 0


def clip_gradient_norms(gradients_to_variables, max_norm):
    """Gradients none of which is longer than max_norm."""
    from rill import clip_by_norm

    def clipped(gradient):
        if isinstance(gradient, IndexedSlices):
            return IndexedSlices(clip_by_norm(gradient.values, max_norm), gradient.indices,
                                 gradient.dense_shape)
        return clip_by_norm(gradient, max_norm)
    return [(None if g is None else clipped(g), v) for g, v in gradients_to_variables]


def multiply_gradients(grads_and_vars, gradient_multipliers):
    """Gradients times what is said for their variables, by variable or by name."""
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")

    def multiplied(gradient, variable):
        factor = gradient_multipliers.get(variable, gradient_multipliers.get(variable.op.name))
        if factor is None:
            return gradient
        if gradient is None:
            raise ValueError(f"Requested multiple of `None` gradient: {variable}")
        if isinstance(gradient, IndexedSlices):
            return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
        return gradient * factor
    return [(multiplied(g, v), v) for g, v in grads_and_vars]


def create_train_op(total_loss, optimizer, global_step=_USE_GLOBAL_STEP, update_ops=None,
                    variables_to_train=None, clip_gradient_norm=0, summarize_gradients=False,
                    gate_gradients=1, aggregation_method=None, colocate_gradients_with_ops=False,
                    gradient_multipliers=None, check_numerics=True):
    """A tensor: the loss, after the updates and one step of the optimizer."""
    from rill import name_scope

    def transform(gradients):
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                gradients = multiply_gradients(gradients, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                gradients = clip_gradient_norms(gradients, clip_gradient_norm)
        return gradients
    return create_transformed_train_op(
        total_loss, optimizer, global_step, update_ops, variables_to_train, transform, summarize_gradients,
        gate_gradients, aggregation_method, colocate_gradients_with_ops, check_numerics)


def create_transformed_train_op(total_loss, optimizer, global_step=_USE_GLOBAL_STEP, update_ops=None,
                                variables_to_train=None, transform_grads_fn=None, summarize_gradients=False,
                                gate_gradients=1, aggregation_method=None, colocate_gradients_with_ops=False,
                                check_numerics=True):
    """The same, where a function changes the gradients."""
    from rill import (check_numerics as checked, colocate_with, control_dependencies, identity, name_scope, no_op,
                      train, trainable_variables)
    if global_step is _USE_GLOBAL_STEP:
        global_step = train.get_or_create_global_step()
    updates = set(get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops)
    if updates:
        with control_dependencies(sorted(updates, key=lambda update: update.name)):
            barrier = no_op(name="update_barrier")
        with control_dependencies([barrier]):
            total_loss = identity(total_loss)
    variables = trainable_variables() if variables_to_train is None else variables_to_train
    assert variables
    gradients = optimizer.compute_gradients(
        total_loss, variables, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops)
    if transform_grads_fn:
        gradients = transform_grads_fn(gradients)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries_below(gradients)
    step = optimizer.apply_gradients(gradients, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = checked(total_loss, "LossTensor is inf or nan")
        with colocate_with(total_loss.op), control_dependencies([step]):
            train_op = identity(total_loss, name="control_dependency")
    operations = get_collection(GraphKeys.TRAIN_OP)
    if all(train_op is not known for known in operations):
        _rill.get_default_graph().add_to_collection(GraphKeys.TRAIN_OP, train_op)
    return train_op


def clip_gradient_norms_fn(max_norm):
    """A function that clips gradients: what transform_grads_fn may be."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def add_gradients_summaries(grads_and_vars, separator="/"):
    """Histograms and lengths of the gradients."""
    from rill import global_norm, logging, summary
    summaries = []
    for gradient, variable in grads_and_vars:
        name = variable.op.name
        if gradient is None:
            logging.info("Var %s has no gradient", name)
            continue
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        summaries.append(summary.histogram(f"{name}{separator}gradient", values))
        summaries.append(summary.scalar(f"{name}{separator}gradient_norm", global_norm([values])))
    return summaries


def add_gradients_summaries_below(grads_and_vars):
    """The same under the names of tf.contrib.training."""
    return add_gradients_summaries(grads_and_vars, separator="_")


def __getattr__(name):
    if name in ("train", "train_step"):
        from rill.contrib import _slim_training
        return getattr(_slim_training, name)
    raise AttributeError(f"module 'tensorflow.contrib.slim.learning' has no attribute '{name}'")
