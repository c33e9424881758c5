"""Models of premade estimators: their logits are made in C++, their losses by heads, their steps by optimizers."""

import math

from rill import _rill, _surface
from rill._scopes import control_dependencies
from rill._variable_scope import variable_scope

_LARGE_SLICE = 64 << 20
# Learning rates of optimizers that are given by name.
_BASELINE_RATE, _LINEAR_RATE, _DNN_RATE, _COMBINED_DNN_RATE, _COMBINED_LINEAR_RATE = 0.3, 0.2, 0.05, 0.001, 0.005
_OPTIMIZERS = {name: kind for name, kind, _, of_estimators in _rill.named_optimizers() if of_estimators}


def relu(features, name=None):
    """max(features, 0)"""
    return _surface._find("nn.relu")(features, name=name)


def get_optimizer_instance(opt, learning_rate=None):
    """The optimizer that a name, a function or an optimizer stands for."""
    from rill import train
    if isinstance(opt, str):
        if opt not in _OPTIMIZERS:
            raise ValueError(f"Unsupported optimizer name: {opt}. Supported names are: {tuple(sorted(_OPTIMIZERS))}")
        if not learning_rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return getattr(train, _OPTIMIZERS[opt])(learning_rate=learning_rate)
    if isinstance(opt, LinearSDCA):
        opt.get_train_step(*[None] * 8)
    if callable(opt):
        opt = opt()
    if not isinstance(opt, train.Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {opt}")
    return opt


class LinearSDCA:
    """Stochastic dual coordinate ascent, which is not there yet."""

    def __init__(self, example_id_column, num_loss_partitions=1, num_table_shards=None,
                 symmetric_l1_regularization=0.0, symmetric_l2_regularization=1.0, adaptive=False):
        self._example_id_column = example_id_column
        self._num_loss_partitions = num_loss_partitions
        self._num_table_shards = num_table_shards
        self._symmetric_l1_regularization = symmetric_l1_regularization
        self._symmetric_l2_regularization = symmetric_l2_regularization
        self._adaptive = adaptive

    def get_train_step(self, state_manager, weight_column_name, loss_type, feature_columns, features, targets,
                       bias_var, global_step):
        """Raises UnimplementedError."""
        from rill import errors
        raise errors.UnimplementedError(None, None, "LinearSDCA is not implemented.")


def _by_size(config, min_slice_size=256 << 10):
    make = _surface._find("min_max_variable_partitioner")
    return make(max_partitions=config.num_ps_replicas if config else 0, min_slice_size=min_slice_size)


def _checked_features(features):
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")


def _global_step():
    from rill import train
    return train.get_global_step()


# --- logits ---------------------------------------------------------------------------------------

def dnn_logit_fn_builder(units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner,
                         batch_norm):
    """A function of features and mode: fully connected layers over columns."""
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features, mode):
        return _rill.dnn_logits(features, mode, units, list(hidden_units), feature_columns, activation_fn, dropout,
                                input_layer_partitioner, batch_norm)

    return dnn_logit_fn


def linear_logit_fn_builder(units, feature_columns, sparse_combiner="sum"):
    """A function of features: weighted sums of columns."""
    def linear_logit_fn(features):
        return _rill.linear_logits(features, units, feature_columns, sparse_combiner)

    return linear_logit_fn


def _baseline_logit_fn_builder(num_outputs, weight_column=None):
    key = weight_column if weight_column is None or isinstance(weight_column, str) else weight_column.key

    def baseline_logit_fn(features):
        return _rill.baseline_logits(features, num_outputs, key or "")

    return baseline_logit_fn


def _add_layer_summary(value, tag):
    from rill import nn, summary
    summary.scalar(f"{tag}/fraction_of_zero_values", nn.zero_fraction(value))
    summary.histogram(f"{tag}/activation", value)


# --- models ---------------------------------------------------------------------------------------

def _dnn_model_fn(features, labels, mode, head, hidden_units, feature_columns, optimizer="Adagrad",
                  activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None, use_tpu=False,
                  batch_norm=False):
    optimizer = get_optimizer_instance(optimizer, _DNN_RATE)
    _checked_features(features)
    with variable_scope("dnn", partitioner=_by_size(config)):
        logit_fn = dnn_logit_fn_builder(head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout,
                                        input_layer_partitioner or _by_size(config, _LARGE_SLICE), batch_norm)
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=optimizer,
                                          logits=logit_fn(features, mode))


def _linear_model_fn(features, labels, mode, head, feature_columns, optimizer, partitioner=None, config=None,
                     sparse_combiner="sum"):
    _checked_features(features)
    with variable_scope("linear", partitioner=partitioner or _by_size(config, _LARGE_SLICE)):
        logits = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)(features)
        if not optimizer:
            from rill import train
            optimizer = train.FtrlOptimizer(min(_LINEAR_RATE, 1 / math.sqrt(len(feature_columns))))
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits,
                                          optimizer=get_optimizer_instance(optimizer, _LINEAR_RATE))


def _single(optimizer):
    from rill import train
    if isinstance(optimizer, train.SyncReplicasOptimizer):
        raise ValueError("SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not supported "
                         "in DNNLinearCombined model. If you want to use this optimizer, please use either DNN or "
                         "Linear model.")
    return optimizer


def _train_halves(halves):
    """Each half of a model by its own optimizer; the step is counted after both."""
    find = _surface._find

    def train(loss):
        step = _global_step()
        ops = [optimizer.minimize(loss, var_list=find("get_collection")("trainable_variables", scope=scope))
               for optimizer, scope, _ in halves]
        with control_dependencies([find("group")(*ops)]):
            return find("assign_add")(step, 1).op

    return train


def _dnn_linear_combined_model_fn(features, labels, mode, head, linear_feature_columns=None, linear_optimizer="Ftrl",
                                  dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None,
                                  dnn_activation_fn=relu, dnn_dropout=None, input_layer_partitioner=None, config=None,
                                  batch_norm=False, linear_sparse_combiner="sum"):
    _checked_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    partitioner = input_layer_partitioner or _by_size(config, _LARGE_SLICE)
    halves = []
    if dnn_feature_columns:
        optimizer = _single(get_optimizer_instance(dnn_optimizer, _COMBINED_DNN_RATE))
        if not dnn_hidden_units:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        with variable_scope("dnn", partitioner=_by_size(config)) as scope:
            logit_fn = dnn_logit_fn_builder(head.logits_dimension, dnn_hidden_units, dnn_feature_columns,
                                            dnn_activation_fn, dnn_dropout, partitioner, batch_norm)
            halves.append((optimizer, scope.name, logit_fn(features, mode)))
    if linear_feature_columns:
        rate = min(_COMBINED_LINEAR_RATE, 1 / math.sqrt(len(linear_feature_columns)))
        optimizer = _single(get_optimizer_instance(linear_optimizer, rate))
        with variable_scope("linear", partitioner=partitioner) as scope:
            logit_fn = linear_logit_fn_builder(head.logits_dimension, linear_feature_columns, linear_sparse_combiner)
            halves.append((optimizer, scope.name, logit_fn(features)))
            _add_layer_summary(halves[-1][2], scope.name)
    logits = halves[0][2] if len(halves) == 1 else halves[0][2] + halves[1][2]
    return head.create_estimator_spec(features=features, mode=mode, labels=labels, logits=logits,
                                      train_op_fn=_train_halves(halves))


def _baseline_model_fn(features, labels, mode, head, optimizer, weight_column=None, config=None):
    logits = _baseline_logit_fn_builder(head.logits_dimension, weight_column)(features)

    def train(loss):
        return get_optimizer_instance(optimizer, _BASELINE_RATE).minimize(loss, global_step=_global_step())

    return head.create_estimator_spec(features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train)
