"""What estimators of tf.contrib.learn are told and give."""

import collections

from rill import _surface
from rill.contrib._feature_columns import LONE
from rill.estimator import RunConfig as _RunConfig


class ModeKeys:
    """What a model is built for."""

    TRAIN, EVAL, INFER = "train", "eval", "infer"


class TaskType:
    """Kinds of tasks of a cluster."""

    MASTER, PS, WORKER = "master", "ps", "worker"


class PredictionKey:
    """Names of predictions."""

    CLASSES, PROBABILITIES, LOGITS, LOGISTIC = "classes", "probabilities", "logits", "logistic"
    SCORES, TOP_K, GENERIC = "scores", "top_k", "output"


class ProblemType:
    """What a model is for."""

    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = range(4)


InputFnOps = collections.namedtuple("InputFnOps", ["features", "labels", "default_inputs"])


class ModelFnOps(collections.namedtuple("ModelFnOps", [
        "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives", "training_chief_hooks",
        "training_hooks", "scaffold", "mode"])):
    """A model for a mode."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, output_alternatives=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None):
        if mode not in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.INFER):
            raise ValueError(f"mode={mode} unrecognized")
        if train_op is None and mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        if loss is None and mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return super().__new__(cls, predictions, loss, train_op, eval_metric_ops or {}, output_alternatives,
                               training_chief_hooks or [], training_hooks or [], scaffold, mode)


class RunConfig(_RunConfig):
    """How an estimator runs."""

    def __init__(self, master=None, num_cores=0, log_device_placement=False, gpu_memory_fraction=1,
                 tf_random_seed=None, save_summary_steps=100, save_checkpoints_secs=None, save_checkpoints_steps=None,
                 keep_checkpoint_max=5, keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, protocol=None,
                 evaluation_master="", model_dir=None, session_config=None):
        timing = {"save_checkpoints_steps": save_checkpoints_steps} if save_checkpoints_steps else {
            "save_checkpoints_secs": 600 if save_checkpoints_secs is None else save_checkpoints_secs}
        super().__init__(model_dir=model_dir, tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps,
                         session_config=session_config, keep_checkpoint_max=keep_checkpoint_max,
                         keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
                         log_step_count_steps=log_step_count_steps, **timing)


class MetricSpec:
    """A metric, and which predictions, labels and weights it takes."""

    def __init__(self, metric_fn, prediction_key=None, label_key=None, weight_key=None):
        self.metric_fn, self.prediction_key = metric_fn, prediction_key
        self.label_key, self.weight_key = label_key, weight_key

    def create_metric_ops(self, inputs, labels, predictions):
        """The value of the metric and its update."""
        def chosen(given, key):
            return given[key] if key is not None and isinstance(given, dict) else (
                next(iter(given.values())) if isinstance(given, dict) and len(given) == 1 else given)
        more = {"weights": inputs[self.weight_key]} if self.weight_key else {}
        return self.metric_fn(predictions=chosen(predictions, self.prediction_key),
                              labels=chosen(labels, self.label_key), **more)


class ExportStrategy(collections.namedtuple("ExportStrategy", ["name", "export_fn", "strip_default_attrs"])):
    """How a trained model is exported."""

    def __new__(cls, name, export_fn, strip_default_attrs=None):
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(self, estimator, export_path, checkpoint_path=None, eval_result=None):
        """Exports the model."""
        return self.export_fn(estimator, export_path, checkpoint_path=checkpoint_path)


def make_export_strategy(serving_input_fn, default_output_alternative_key=None, assets_extra=None, as_text=False,
                         exports_to_keep=5, strip_default_attrs=None):
    """A strategy that writes SavedModels."""
    def export(estimator, export_dir_base, checkpoint_path=None):
        return estimator.export_savedmodel(export_dir_base, serving_input_fn, assets_extra=assets_extra,
                                           as_text=as_text, checkpoint_path=checkpoint_path)

    return ExportStrategy("Servo", export, strip_default_attrs)


def infer_real_valued_columns_from_input_fn(input_fn):
    """A column of numbers for each feature that an input function gives."""
    from rill import Graph, feature_column
    with Graph().as_default():
        features, _ = input_fn()
        if not isinstance(features, dict):
            features = {LONE: features}
        return [feature_column.numeric_column(key, shape=tuple(tensor.shape.as_list()[1:]) or (1,))
                for key, tensor in sorted(features.items())]


def infer_real_valued_columns_from_input(x):
    """A column of numbers for an array, or for each array of a dict."""
    import numpy as np
    from rill import feature_column
    arrays = x if isinstance(x, dict) else {LONE: x}
    return [feature_column.numeric_column(key, shape=tuple(np.shape(array)[1:]) or (1,))
            for key, array in sorted(arrays.items())]


def run_n(output_dict, feed_dict=None, restore_checkpoint_path=None, n=1):
    """The outputs of n steps."""
    return run_feeds(output_dict, [feed_dict] * n, restore_checkpoint_path)


def run_feeds(output_dict, feed_dicts, restore_checkpoint_path=None):
    """The outputs of a step for each of the feeds."""
    from rill import Session, train
    find = _surface._find
    with Session() as session:
        session.run([find("global_variables_initializer")(), find("local_variables_initializer")(),
                     find("tables_initializer")()])
        if restore_checkpoint_path:
            train.Saver().restore(session, restore_checkpoint_path)
        return [session.run(output_dict, feed) for feed in feed_dicts]
