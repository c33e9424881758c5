"""Heads of tf.contrib.estimator and the premade estimators: what becomes of logits. The work is done in C++."""

import collections
import functools
import inspect

from rill import _rill, losses

LossSpec = collections.namedtuple("LossSpec", ["training_loss", "unreduced_loss", "weights", "processed_labels"])

_SUM = losses.Reduction.SUM
_SUM_OVER_BATCH_SIZE = losses.Reduction.SUM_OVER_BATCH_SIZE
# Names of reductions in tf.keras, which the second generation of heads has.
_KERAS_REDUCTIONS = {"sum": _SUM, "sum_over_batch_size": _SUM_OVER_BATCH_SIZE, "auto": _SUM_OVER_BATCH_SIZE}


class MetricKeys:
    """Names of metrics."""

    LOSS = "loss"
    LOSS_MEAN = "average_loss"
    LOSS_REGULARIZATION = "regularization_loss"
    ACCURACY = "accuracy"
    PRECISION = "precision"
    RECALL = "recall"
    ACCURACY_BASELINE = "accuracy_baseline"
    AUC = "auc"
    AUC_PR = "auc_precision_recall"
    LABEL_MEAN = "label/mean"
    PREDICTION_MEAN = "prediction/mean"
    ACCURACY_AT_THRESHOLD = "accuracy/positive_threshold_%g"
    PRECISION_AT_THRESHOLD = "precision/positive_threshold_%g"
    RECALL_AT_THRESHOLD = "recall/positive_threshold_%g"
    PROBABILITY_MEAN_AT_CLASS = "probability_mean/class%d"
    AUC_AT_CLASS = "auc/class%d"
    AUC_PR_AT_CLASS = "auc_precision_recall/class%d"
    PROBABILITY_MEAN_AT_NAME = "probability_mean/%s"
    AUC_AT_NAME = "auc/%s"
    AUC_PR_AT_NAME = "auc_precision_recall/%s"


class PredictionKeys:
    """Names of predictions."""

    CLASSES = "classes"
    CLASS_IDS = "class_ids"
    ALL_CLASSES = "all_classes"
    ALL_CLASS_IDS = "all_class_ids"
    LOGISTIC = "logistic"
    LOGITS = "logits"
    PREDICTIONS = "predictions"
    PROBABILITIES = "probabilities"
    TOP_K = "top_k"


# --- what programs give ---------------------------------------------------------------------------

def _arguments_of(function):
    """The names of the arguments that a program's function still takes."""
    if isinstance(function, functools.partial):
        taken = set(function.keywords or {})
        return [name for name in _arguments_of(function.func)[len(function.args):] if name not in taken]
    return [name for name in inspect.signature(function).parameters if name != "self"]


def _loss_function(loss_fn, allowed=("labels", "logits", "features")):
    if not loss_fn:
        return None
    names = _arguments_of(loss_fn)
    for name in ("labels", "logits"):
        if name not in names:
            raise ValueError(f"loss_fn must contain argument: {name}. Given arguments: {tuple(names)}")
    unexpected = sorted(set(names) - set(allowed))
    if unexpected:
        raise ValueError(f"loss_fn has unexpected args: {unexpected}")

    def call(labels, logits, features):
        more = {"features": features} if "features" in names else {}
        return loss_fn(labels=labels, logits=logits, **more)

    return call


def _vocabulary(words, error=ValueError):
    if words is not None and not isinstance(words, (list, tuple)):
        raise error(f"label_vocabulary should be a list or a tuple. Given type: {type(words)}")
    return words


def _weights(column, kind="_DenseColumn"):
    """A key, or a column of numbers."""
    if column is None or isinstance(column, str):
        return column
    from rill.feature_column import _columns
    if not isinstance(column, (_columns.DenseColumn, _columns._DenseColumn)):
        raise TypeError(f"Weight column must be either a string or {kind}. Given type: {type(column)}.")
    return column


def _reduction(reduction):
    """The reduction as C++ has it."""
    if reduction == losses.Reduction.NONE or reduction not in (*losses.Reduction.all(), *_KERAS_REDUCTIONS):
        raise ValueError(f"Invalid loss_reduction: {reduction}. See `tf.losses.Reduction` for valid options.")
    return _KERAS_REDUCTIONS.get(reduction, reduction)


def _class_ids(classes, vocabulary):
    if not classes:
        return []
    if not isinstance(classes[0], str):
        return list(classes)
    if not vocabulary:
        raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are strings.")
    return [list(vocabulary).index(name) for name in classes]


def _training(optimizer, train_op_fn, trainable_variables=None):
    """One function that makes the operation that trains."""
    if optimizer is None:
        return train_op_fn

    def train(loss):
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        if hasattr(optimizer, "get_updates"):
            return optimizer.get_updates(loss, _checked_variables(trainable_variables))[0]
        from rill import train as tf_train
        return optimizer.minimize(loss, global_step=tf_train.get_global_step())

    return train


def _checked_variables(variables):
    if variables is None:
        raise ValueError(f"trainable_variables cannot be None. Given {variables}")
    if not isinstance(variables, (list, tuple)):
        raise ValueError(f"trainable_variables should be a list or a tuple. Given type: {type(variables)}.")
    return variables


# --- what heads give ------------------------------------------------------------------------------

def _export_output(kind, *parts):
    from rill.estimator import export
    return {"classification": export.ClassificationOutput, "regression": export.RegressionOutput,
            "predict": export.PredictOutput}[kind](*parts)


def _spec(parts):
    from rill.estimator import EstimatorSpec
    if "export_outputs" in parts:
        parts["export_outputs"] = {key: _export_output(*output)
                                   for key, output in parts["export_outputs"].items()}
    return EstimatorSpec(**parts)


class _Head:
    """A head of the first generation, such as the premade estimators have."""

    def __init__(self, kind, **settings):
        self._core = _rill.HeadCore(kind, settings)
        self._weight_column = settings.get("weight_column")

    @property
    def name(self):
        """The name, None where it has none."""
        return self._core.name

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits."""
        return self._core.logits_dimension

    def create_loss(self, features, mode, logits, labels):
        """The loss of a batch and what it was made of."""
        return LossSpec(*self._core.create_loss(features, mode, logits, labels))

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None,
                              regularization_losses=None):
        """A model for a mode."""
        return _spec(self._core.create_estimator_spec(features, mode, logits, labels,
                                                      _training(optimizer, train_op_fn), None,
                                                      regularization_losses))


class _MultiHead(_Head):
    """Several heads of the first generation."""

    def __init__(self, heads, head_weights):
        self._core = _several(heads, head_weights, False)

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None, train_op_fn=None,
                              regularization_losses=None):
        """A model for a mode; labels are a dict by the names of the heads."""
        if labels is not None and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        return super().create_estimator_spec(features, mode, logits, labels, optimizer, train_op_fn,
                                             regularization_losses)


def _several(heads, head_weights, gathers):
    if not heads:
        raise ValueError(f"Must specify heads. Given: {heads}")
    if head_weights and len(head_weights) != len(heads):
        raise ValueError("heads and head_weights must have the same size. "
                         f"Given len(heads): {len(heads)}. Given len(head_weights): {len(head_weights)}.")
    for head in heads:
        if head.name is None:
            raise ValueError(f"All given heads must have name specified. Given: {head}")
    return _rill.HeadCore.several([head._core for head in heads], list(head_weights or []), gathers)


# tf.contrib.estimator's, and with other defaults those of the premade estimators.

def binary_classification_head(weight_column=None, thresholds=None, label_vocabulary=None,
                               loss_reduction=_SUM_OVER_BATCH_SIZE, loss_fn=None, name=None):
    """A head for two classes, of one logit."""
    return _Head("binary_classification_head", weight_column=_weights(weight_column),
                 thresholds=list(thresholds or []), label_vocabulary=_vocabulary(label_vocabulary, TypeError),
                 loss_reduction=_reduction(loss_reduction), loss_fn=_loss_function(loss_fn), name=name)


def multi_class_head(n_classes, weight_column=None, label_vocabulary=None,
                     loss_reduction=_SUM_OVER_BATCH_SIZE, loss_fn=None, name=None):
    """A head for one of several classes."""
    if n_classes is None:
        raise ValueError("n_classes cannot be None")
    return _Head("multi_class_head", n_classes=n_classes, weight_column=_weights(weight_column),
                 label_vocabulary=_vocabulary(label_vocabulary), loss_reduction=_reduction(loss_reduction),
                 loss_fn=_loss_function(loss_fn), name=name)


def multi_label_head(n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
                     loss_reduction=_SUM_OVER_BATCH_SIZE, loss_fn=None, classes_for_class_based_metrics=None,
                     name=None):
    """A head for any number of several classes."""
    classes = _class_ids(classes_for_class_based_metrics, label_vocabulary)
    return _Head("multi_label_head", n_classes=n_classes or 0, weight_column=_weights(weight_column),
                 thresholds=list(thresholds or []), label_vocabulary=_vocabulary(label_vocabulary),
                 loss_reduction=_reduction(loss_reduction), loss_fn=_loss_function(loss_fn),
                 classes_for_class_based_metrics=classes, name=name)


def regression_head(weight_column=None, label_dimension=1, loss_reduction=_SUM_OVER_BATCH_SIZE, loss_fn=None,
                    inverse_link_fn=None, name=None):
    """A head for numbers."""
    return _Head("regression_head", weight_column=_weights(weight_column), label_dimension=label_dimension,
                 loss_reduction=_reduction(loss_reduction), loss_fn=_loss_function(loss_fn),
                 inverse_link_fn=inverse_link_fn, name=name)


def poisson_regression_head(weight_column=None, label_dimension=1, loss_reduction=_SUM_OVER_BATCH_SIZE,
                            compute_full_loss=True, name=None):
    """A head for counts."""
    return _Head("poisson_regression_head", weight_column=_weights(weight_column),
                 label_dimension=label_dimension, loss_reduction=_reduction(loss_reduction),
                 compute_full_loss=compute_full_loss, name=name)


def logistic_regression_head(weight_column=None, loss_reduction=_SUM_OVER_BATCH_SIZE, name=None):
    """A head for probabilities."""
    return _Head("logistic_regression_head", weight_column=_weights(weight_column),
                 loss_reduction=_reduction(loss_reduction), name=name)


def multi_head(heads, head_weights=None):
    """A head for several objectives at once."""
    return _MultiHead(heads, head_weights)


def _binary_logistic_head_with_sigmoid_cross_entropy_loss(
        weight_column=None, thresholds=None, label_vocabulary=None, loss_reduction=_SUM, loss_fn=None, name=None):
    return binary_classification_head(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


def _multi_class_head_with_softmax_cross_entropy_loss(
        n_classes, weight_column=None, label_vocabulary=None, loss_reduction=_SUM, loss_fn=None, name=None):
    return multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def _regression_head(weight_column=None, label_dimension=1, loss_reduction=_SUM, loss_fn=None,
                     inverse_link_fn=None, name=None):
    return regression_head(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


def _binary_logistic_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction):
    if n_classes == 2:
        return binary_classification_head(weight_column, None, label_vocabulary, loss_reduction)
    return multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
