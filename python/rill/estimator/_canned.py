"""The premade estimators of tf.estimator."""

from rill import losses
from rill.estimator._estimator import Estimator
from rill.estimator._head_parts import (_binary_logistic_or_multi_class_head as _class_head,
                                        _regression_head as _number_head)
from rill.estimator._models import (_baseline_model_fn, _dnn_linear_combined_model_fn, _dnn_model_fn, _linear_model_fn,
                                    relu)

_SUM = losses.Reduction.SUM


def _model_fn_of(model_fn, head, **settings):
    def _model_fn(features, labels, mode, config):
        return model_fn(features=features, labels=labels, mode=mode, head=head, config=config, **settings)

    return _model_fn


def _columns(feature_columns):
    return tuple(feature_columns or [])


def _start_dnn(estimator, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
               input_layer_partitioner, config, warm_start_from, batch_norm):
    model_fn = _model_fn_of(_dnn_model_fn, head, hidden_units=hidden_units, feature_columns=_columns(feature_columns),
                            optimizer=optimizer, activation_fn=activation_fn, dropout=dropout,
                            input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm)
    Estimator.__init__(estimator, model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNEstimator(Estimator):
    """A net of fully connected layers, with a head of the program's."""

    def __init__(self, head, hidden_units, feature_columns, model_dir=None, optimizer="Adagrad", activation_fn=relu,
                 dropout=None, input_layer_partitioner=None, config=None, warm_start_from=None, batch_norm=False):
        _start_dnn(self, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                   input_layer_partitioner, config, warm_start_from, batch_norm)


class DNNClassifier(Estimator):
    """A net of fully connected layers that tells classes."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, n_classes=2, weight_column=None,
                 label_vocabulary=None, optimizer="Adagrad", activation_fn=relu, dropout=None,
                 input_layer_partitioner=None, config=None, warm_start_from=None, loss_reduction=_SUM,
                 batch_norm=False):
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        _start_dnn(self, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                   input_layer_partitioner, config, warm_start_from, batch_norm)


class DNNRegressor(Estimator):
    """A net of fully connected layers that tells numbers."""

    def __init__(self, hidden_units, feature_columns, model_dir=None, label_dimension=1, weight_column=None,
                 optimizer="Adagrad", activation_fn=relu, dropout=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=_SUM, batch_norm=False):
        head = _number_head(weight_column, label_dimension, loss_reduction)
        _start_dnn(self, head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
                   input_layer_partitioner, config, warm_start_from, batch_norm)


def _start_linear(estimator, head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
                  warm_start_from):
    model_fn = _model_fn_of(_linear_model_fn, head, feature_columns=_columns(feature_columns), optimizer=optimizer,
                            partitioner=partitioner, sparse_combiner=sparse_combiner)
    Estimator.__init__(estimator, model_fn, model_dir, config, warm_start_from=warm_start_from)


class LinearEstimator(Estimator):
    """Weighted sums of columns, with a head of the program's."""

    def __init__(self, head, feature_columns, model_dir=None, optimizer="Ftrl", config=None, partitioner=None,
                 sparse_combiner="sum", warm_start_from=None):
        _start_linear(self, head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
                      warm_start_from)


class LinearClassifier(Estimator):
    """Weighted sums of columns that tell classes."""

    def __init__(self, feature_columns, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None,
                 optimizer="Ftrl", config=None, partitioner=None, warm_start_from=None, loss_reduction=_SUM,
                 sparse_combiner="sum"):
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        _start_linear(self, head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
                      warm_start_from)


class LinearRegressor(Estimator):
    """Weighted sums of columns that tell numbers."""

    def __init__(self, feature_columns, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl",
                 config=None, partitioner=None, warm_start_from=None, loss_reduction=_SUM, sparse_combiner="sum"):
        head = _number_head(weight_column, label_dimension, loss_reduction)
        _start_linear(self, head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
                      warm_start_from)


def _start_combined(estimator, head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                    dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner, config,
                    warm_start_from=None, batch_norm=False, linear_sparse_combiner="sum"):
    estimator._feature_columns = [*(linear_feature_columns or []), *(dnn_feature_columns or [])]
    if not estimator._feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    model_fn = _model_fn_of(_dnn_linear_combined_model_fn, head, linear_feature_columns=linear_feature_columns,
                            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns,
                            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units,
                            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
                            input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
                            linear_sparse_combiner=linear_sparse_combiner)
    Estimator.__init__(estimator, model_fn, model_dir, config, warm_start_from=warm_start_from)


class DNNLinearCombinedEstimator(Estimator):
    """A wide and deep model, with a head of the program's."""

    def __init__(self, head, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl",
                 dnn_feature_columns=None, dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=relu,
                 dnn_dropout=None, input_layer_partitioner=None, config=None, linear_sparse_combiner="sum",
                 batch_norm=False):
        _start_combined(self, head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                        dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner,
                        config, None, batch_norm, linear_sparse_combiner)


class DNNLinearCombinedClassifier(Estimator):
    """A wide and deep model that tells classes."""

    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl", dnn_feature_columns=None,
                 dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=relu, dnn_dropout=None, n_classes=2,
                 weight_column=None, label_vocabulary=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=_SUM, batch_norm=False, linear_sparse_combiner="sum"):
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        _start_combined(self, head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                        dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner,
                        config, warm_start_from, batch_norm, linear_sparse_combiner)


class DNNLinearCombinedRegressor(Estimator):
    """A wide and deep model that tells numbers."""

    def __init__(self, model_dir=None, linear_feature_columns=None, linear_optimizer="Ftrl", dnn_feature_columns=None,
                 dnn_optimizer="Adagrad", dnn_hidden_units=None, dnn_activation_fn=relu, dnn_dropout=None,
                 label_dimension=1, weight_column=None, input_layer_partitioner=None, config=None,
                 warm_start_from=None, loss_reduction=_SUM, batch_norm=False, linear_sparse_combiner="sum"):
        head = _number_head(weight_column, label_dimension, loss_reduction)
        _start_combined(self, head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                        dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner,
                        config, warm_start_from, batch_norm, linear_sparse_combiner)


def _start_baseline(estimator, head, model_dir, optimizer, config, weight_column=None):
    model_fn = _model_fn_of(_baseline_model_fn, head, optimizer=optimizer, weight_column=weight_column)
    Estimator.__init__(estimator, model_fn, model_dir, config)


class BaselineEstimator(Estimator):
    """A model that does not look at features, with a head of the program's."""

    def __init__(self, head, model_dir=None, optimizer="Ftrl", config=None):
        _start_baseline(self, head, model_dir, optimizer, config)


class BaselineClassifier(Estimator):
    """Tells the most frequent class."""

    def __init__(self, model_dir=None, n_classes=2, weight_column=None, label_vocabulary=None, optimizer="Ftrl",
                 config=None, loss_reduction=_SUM):
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        _start_baseline(self, head, model_dir, optimizer, config, weight_column)


class BaselineRegressor(Estimator):
    """Tells the mean of the labels."""

    def __init__(self, model_dir=None, label_dimension=1, weight_column=None, optimizer="Ftrl", config=None,
                 loss_reduction=_SUM):
        head = _number_head(weight_column, label_dimension, loss_reduction)
        _start_baseline(self, head, model_dir, optimizer, config)
