"""Exporters: what writes models after evaluations."""

import abc
import inspect
import os

from rill import _rill, logging


class Exporter:
    """Writes a model after an evaluation."""

    __metaclass__ = abc.ABCMeta

    @property
    @abc.abstractmethod
    def name(self):
        """The directory of its exports."""

    @abc.abstractmethod
    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Writes the model, or not; returns where to, or None."""


class _SavedModelExporter(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=None):
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}")
        self._name = name
        self._serving_input_receiver_fn = serving_input_receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text
        self._exports_to_keep = exports_to_keep

    @property
    def name(self):
        """The directory of its exports."""
        return self._name

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Writes the model; returns where to."""
        path = estimator.export_saved_model(export_path, self._serving_input_receiver_fn,
                                            assets_extra=self._assets_extra, as_text=self._as_text,
                                            checkpoint_path=checkpoint_path)
        if self._exports_to_keep is not None:
            _rill.delete_old_exports(os.fspath(export_path), self._exports_to_keep)
        return path


class FinalExporter(_SavedModelExporter):
    """Writes the model once, when training ends."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Writes the model at the end of training."""
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)


class LatestExporter(_SavedModelExporter):
    """Writes the model after every evaluation and keeps the latest ones."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)


def _loss_smaller(best_eval_result, current_eval_result):
    """Whether the second result has the smaller loss."""
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


def _check_compare_fn(compare_fn):
    if compare_fn is None:
        raise ValueError("`compare_fn` must not be None.")
    names, wanted = set(inspect.signature(compare_fn).parameters), ("best_eval_result", "current_eval_result")
    for name in wanted:
        if name not in names:
            raise ValueError(f"compare_fn ({compare_fn}) must include {name} argument.")
    if names - set(wanted):
        raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {list(names - set(wanted))}")


class BestExporter(_SavedModelExporter):
    """Writes the model when an evaluation was better than all before it."""

    def __init__(self, name="best_exporter", serving_input_receiver_fn=None, event_file_pattern="eval/*.tfevents.*",
                 compare_fn=_loss_smaller, assets_extra=None, as_text=False, exports_to_keep=5):
        _check_compare_fn(compare_fn)
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir = self._best_eval_result = None
        self._has_exported = False

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        """Writes the model if it is the best so far."""
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best_eval_result = _rill.best_eval_result(
                os.path.join(self._model_dir, self._event_file_pattern), self._compare_fn)
        if self._best_eval_result is not None and self._has_exported and not self._compare_fn(
                best_eval_result=self._best_eval_result, current_eval_result=eval_result):
            return None
        logging.info("Performing best model export.")
        self._best_eval_result = eval_result
        path = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        self._has_exported = True
        return path
