"""tf.estimator's heads: what becomes of logits. The work is done in C++."""

import abc

from rill import _rill, _surface
from rill.estimator._head_parts import (MetricKeys, _class_ids, _loss_function, _reduction, _several, _spec, _training,
                                        _vocabulary, _weights)


class Head(abc.ABC):
    """What becomes of logits; the base of programs' own heads."""

    @property
    @abc.abstractmethod
    def name(self):
        """The name, None where it has none."""

    @property
    @abc.abstractmethod
    def logits_dimension(self):
        """The size of the last dimension of logits."""

    @property
    @abc.abstractmethod
    def loss_reduction(self):
        """What becomes of the losses of examples."""

    @abc.abstractmethod
    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        """The loss of a batch."""

    @abc.abstractmethod
    def predictions(self, logits, keys=None):
        """A dict of predictions."""

    @abc.abstractmethod
    def metrics(self, regularization_losses=None):
        """A dict of metrics of tf.keras."""

    @abc.abstractmethod
    def update_metrics(self, eval_metrics, features, logits, labels, mode=None, regularization_losses=None):
        """Takes a batch into account."""

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None,
                              trainable_variables=None, train_op_fn=None, update_ops=None,
                              regularization_losses=None):
        """A model for a mode."""
        raise NotImplementedError("Subclasses of Head must implement `create_estimator_spec()` or "
                                  "_create_tpu_estimator_spec().")


class _CoreHead(Head):
    """A head of C++."""

    def _start(self, kind, loss_reduction, **settings):
        self._loss_reduction = loss_reduction
        self._core = _rill.HeadCore(kind, {"loss_reduction": _reduction(loss_reduction), **settings})

    @property
    def name(self):
        """The name, None where it has none."""
        return self._core.name

    @property
    def logits_dimension(self):
        """The size of the last dimension of logits."""
        return self._core.logits_dimension

    @property
    def loss_reduction(self):
        """What becomes of the losses of examples."""
        return self._loss_reduction

    def loss(self, labels, logits, features=None, mode=None, regularization_losses=None):
        """The loss of a batch, with the regularization losses."""
        return self._core.loss(labels, logits, features, regularization_losses)

    def predictions(self, logits, keys=None):
        """All predictions, or those of some keys."""
        return self._core.predictions(logits, list(keys or []))

    def metrics(self, regularization_losses=None):
        """Metrics of tf.keras, not updated yet."""
        from rill.keras import metrics
        return {key: getattr(metrics, kind)(**settings)
                for key, kind, settings in self._core.metrics(regularization_losses is not None)}

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        """Takes a batch into account in each metric."""
        for key, values, weights in self._core.metric_updates(features, logits, labels, regularization_losses):
            eval_metrics[key].update_state(*values, sample_weight=weights)
        self._follow_labels(eval_metrics)
        return eval_metrics

    def _follow_labels(self, eval_metrics):
        """The baseline of accuracy is what the most frequent label gives."""
        def key(metric):
            return f"{metric}/{self.name}" if self.name else metric

        baseline = eval_metrics.get(key(MetricKeys.ACCURACY_BASELINE))
        if baseline is not None:
            mean = eval_metrics[key(MetricKeys.LABEL_MEAN)]
            baseline.result = lambda: _surface._find("math.maximum")(mean.result(), 1 - mean.result())

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None,
                              trainable_variables=None, train_op_fn=None, update_ops=None,
                              regularization_losses=None):
        """A model for a mode."""
        if update_ops is not None and not isinstance(update_ops, (list, tuple)):
            raise ValueError(f"update_ops should be a list or a tuple. Given type: {type(update_ops)}.")
        train = _training(optimizer, train_op_fn, trainable_variables)
        return _spec(self._core.create_estimator_spec(features, mode, logits, labels, train, update_ops,
                                                      regularization_losses))


_HEAD_LOSS_ARGUMENTS = ("labels", "logits", "features", "loss_reduction")


class BinaryClassHead(_CoreHead):
    """Two classes, of one logit."""

    def __init__(self, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction="sum_over_batch_size", loss_fn=None, name=None):
        self._start("BinaryClassHead", loss_reduction, weight_column=_weights(weight_column, "NumericColumn"),
                    thresholds=list(thresholds or []), label_vocabulary=_vocabulary(label_vocabulary),
                    loss_fn=_loss_function(loss_fn, _HEAD_LOSS_ARGUMENTS), name=name)


class MultiClassHead(_CoreHead):
    """One of several classes."""

    def __init__(self, n_classes, weight_column=None, label_vocabulary=None,
                 loss_reduction="sum_over_batch_size", loss_fn=None, name=None):
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        self._start("MultiClassHead", loss_reduction, n_classes=n_classes,
                    weight_column=_weights(weight_column, "NumericColumn"),
                    label_vocabulary=_vocabulary(label_vocabulary),
                    loss_fn=_loss_function(loss_fn, _HEAD_LOSS_ARGUMENTS), name=name)


class MultiLabelHead(_CoreHead):
    """Any number of several classes."""

    def __init__(self, n_classes, weight_column=None, thresholds=None, label_vocabulary=None,
                 loss_reduction="sum_over_batch_size", loss_fn=None,
                 classes_for_class_based_metrics=None, name=None):
        classes = _class_ids(classes_for_class_based_metrics, label_vocabulary)
        self._start("MultiLabelHead", loss_reduction, n_classes=n_classes or 0,
                    weight_column=_weights(weight_column, "NumericColumn"), thresholds=list(thresholds or []),
                    label_vocabulary=_vocabulary(label_vocabulary),
                    loss_fn=_loss_function(loss_fn, _HEAD_LOSS_ARGUMENTS),
                    classes_for_class_based_metrics=classes, name=name)


class RegressionHead(_CoreHead):
    """Numbers."""

    def __init__(self, label_dimension=1, weight_column=None, loss_reduction="sum_over_batch_size",
                 loss_fn=None, inverse_link_fn=None, name=None):
        self._start("RegressionHead", loss_reduction, label_dimension=label_dimension,
                    weight_column=_weights(weight_column, "NumericColumn"),
                    loss_fn=_loss_function(loss_fn, _HEAD_LOSS_ARGUMENTS), inverse_link_fn=inverse_link_fn,
                    name=name)

    def predictions(self, logits):
        """The predictions."""
        return self._core.predictions(logits, [])


class PoissonRegressionHead(RegressionHead):
    """Counts."""

    def __init__(self, label_dimension=1, weight_column=None, loss_reduction="sum_over_batch_size",
                 compute_full_loss=True, name=None):
        self._start("PoissonRegressionHead", loss_reduction, label_dimension=label_dimension,
                    weight_column=_weights(weight_column, "NumericColumn"), compute_full_loss=compute_full_loss,
                    name=name)


class LogisticRegressionHead(RegressionHead):
    """Probabilities."""

    def __init__(self, weight_column=None, loss_reduction="sum_over_batch_size", name=None):
        self._start("LogisticRegressionHead", loss_reduction,
                    weight_column=_weights(weight_column, "NumericColumn"), name=name)


class MultiHead(_CoreHead):
    """Several objectives at once; labels are a dict by the names of the heads."""

    def __init__(self, heads, head_weights=None):
        self._heads = tuple(heads)
        self._core = _several(heads, head_weights, True)

    @property
    def loss_reduction(self):
        """The heads', which must be the same."""
        reductions = [head.loss_reduction for head in self._heads]
        if len(set(reductions)) > 1:
            raise ValueError(f"The loss_reduction must be the same for different heads. Given: {reductions}")
        return reductions[0]

    def create_estimator_spec(self, features, mode, logits, labels=None, optimizer=None,
                              trainable_variables=None, train_op_fn=None, update_ops=None,
                              regularization_losses=None):
        """A model for a mode."""
        if labels is not None and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        return super().create_estimator_spec(features, mode, logits, labels, optimizer, trainable_variables,
                                             train_op_fn, update_ops, regularization_losses)

    def update_metrics(self, eval_metrics, features, logits, labels, regularization_losses=None):
        """Takes a batch into account in each metric of each head."""
        super().update_metrics(eval_metrics, features, logits, labels, regularization_losses)
        for head in self._heads:
            head_logits = logits[head.name] if isinstance(logits, dict) else self._part(logits, head)
            eval_metrics.update(head.update_metrics(head.metrics(), features, head_logits, labels[head.name]))
        return eval_metrics

    def _part(self, logits, head):
        first = sum(other.logits_dimension for other in self._heads[:self._heads.index(head)])
        return logits[..., first:first + head.logits_dimension]
