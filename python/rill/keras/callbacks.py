"""tf.keras.callbacks: what is told while models are trained, and what it does then."""

import collections
import csv
import os
import re

import numpy as np

from rill import _surface, logging as tf_logging
from rill.errors import UnimplementedError
from rill.keras import backend
from rill.keras.utils import Progbar

_EVENTS = ("on_epoch_begin", "on_epoch_end", "on_train_begin", "on_train_end", "on_train_batch_begin",
           "on_train_batch_end", "on_test_begin", "on_test_end", "on_test_batch_begin", "on_test_batch_end",
           "on_predict_begin", "on_predict_end", "on_predict_batch_begin", "on_predict_batch_end")


class Callback:
    """The base class of callbacks: each method is told of what its name says."""

    def __init__(self):
        self.validation_data, self.model, self.params = None, None, None

    def set_params(self, params):
        """How the model is trained."""
        self.params = params

    def set_model(self, model):
        """Which model is trained."""
        self.model = model

    def on_batch_begin(self, batch, logs=None):
        """A batch of training begins."""

    def on_batch_end(self, batch, logs=None):
        """A batch of training has ended."""

    def on_epoch_begin(self, epoch, logs=None):
        """An epoch begins."""

    def on_epoch_end(self, epoch, logs=None):
        """An epoch has ended, with these numbers."""

    def on_train_batch_begin(self, batch, logs=None):
        """A batch of training begins."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch, logs=None):
        """A batch of training has ended."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch, logs=None):
        """A batch of evaluation begins."""

    def on_test_batch_end(self, batch, logs=None):
        """A batch of evaluation has ended."""

    def on_predict_batch_begin(self, batch, logs=None):
        """A batch of prediction begins."""

    def on_predict_batch_end(self, batch, logs=None):
        """A batch of prediction has ended."""

    def on_train_begin(self, logs=None):
        """Training begins."""

    def on_train_end(self, logs=None):
        """Training has ended."""

    def on_test_begin(self, logs=None):
        """Evaluation begins."""

    def on_test_end(self, logs=None):
        """Evaluation has ended."""

    def on_predict_begin(self, logs=None):
        """Prediction begins."""

    def on_predict_end(self, logs=None):
        """Prediction has ended."""


class CallbackList:
    """Several callbacks as one."""

    def __init__(self, callbacks, model, params):
        self.callbacks, self.model, self.params = list(callbacks), model, params
        for callback in self.callbacks:
            callback.set_model(model)
            callback.set_params(params)

    @classmethod
    def of(cls, model, callbacks, batch_size, epochs, samples, verbose, do_validation, mode="train", steps=None):
        """The callbacks of one call of fit, evaluate or predict, with those that always belong to it."""
        if isinstance(callbacks, cls):
            return callbacks
        callbacks = list(callbacks or [])
        names = model.metrics_names if mode != "predict" else []
        if mode == "train":
            object.__setattr__(model, "history", History())
            object.__setattr__(model, "stop_training", False)
            callbacks.append(model.history)
        if verbose:
            callbacks.append(ProgbarLogger("samples" if samples is not None else "steps", names[1:]))
        for callback in callbacks:
            if isinstance(callback, ProgbarLogger):
                callback.testing = mode == "test"
        shown = list(names) + [f"val_{name}" for name in names] if do_validation else list(names)
        return cls(callbacks, model, {"batch_size": batch_size, "epochs": epochs, "steps": steps,
                                      "samples": samples, "verbose": verbose, "do_validation": do_validation,
                                      "metrics": shown})

    @property
    def stop_training(self):
        """Whether a callback wants training to end."""
        return bool(self.model.stop_training)

    def append(self, callback):
        """One more callback."""
        self.callbacks.append(callback)


def _told(name, counted):
    if counted:
        def tell(self, number, logs=None):
            for callback in self.callbacks:
                getattr(callback, name)(number, logs if logs is not None else {})
    else:
        def tell(self, logs=None):
            for callback in self.callbacks:
                getattr(callback, name)(logs if logs is not None else {})
    return tell


for _name in _EVENTS:
    setattr(CallbackList, _name, _told(_name, "epoch" in _name or "batch" in _name))


class BaseLogger(Callback):
    """The means of what batches tell over an epoch."""

    def __init__(self, stateful_metrics=None):
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or [])

    def on_epoch_begin(self, epoch, logs=None):
        """Begins anew."""
        self.seen, self.totals = 0, {}

    def on_batch_end(self, batch, logs=None):
        """Adds a batch."""
        size = (logs or {}).get("size", 0)
        self.seen += size
        for key, value in (logs or {}).items():
            if key in self.stateful_metrics:
                self.totals[key] = value
            else:
                self.totals[key] = self.totals.get(key, 0) + value * size

    def on_epoch_end(self, epoch, logs=None):
        """Tells the means."""
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                logs[key] = self.totals[key] if key in self.stateful_metrics else self.totals[key] / self.seen


class TerminateOnNaN(Callback):
    """Ends training when the loss is no number."""

    def on_batch_end(self, batch, logs=None):
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class ProgbarLogger(Callback):
    """Prints how far training has come."""

    def __init__(self, count_mode="samples", stateful_metrics=None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}")
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or [])
        self.progbar, self.seen = None, 0

    def _start(self):
        self.seen = 0
        self.target = self.params["steps"] if self.use_steps else self.params["samples"]
        self.verbose = self.params["verbose"]
        self.progbar = Progbar(self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics,
                               unit_name="step" if self.use_steps else "sample")

    def _advance(self, logs, shown):
        self.seen += 1 if self.use_steps else logs.get("size", 0)
        values = [(name, logs[name]) for name in shown if name in logs]
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, values)
        else:
            self._last = values

    def on_train_begin(self, logs=None):
        """Remembers the number of epochs."""
        self.epochs = self.params["epochs"]

    def on_epoch_begin(self, epoch, logs=None):
        """Prints the number of the epoch."""
        if self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        self._start()

    def on_batch_end(self, batch, logs=None):
        """Moves the bar."""
        self._advance(logs, self.params["metrics"])

    def on_epoch_end(self, epoch, logs=None):
        """Prints the numbers of the epoch."""
        values = [(name, logs[name]) for name in self.params["metrics"] if name in logs]
        if self.verbose:
            self.progbar.stateful_metrics = set(self.params["metrics"])
            self.progbar.update(self.seen, values)

    def on_test_begin(self, logs=None):
        """Begins a bar of its own, unless it validates."""
        if self.testing:
            self._start()

    def on_test_batch_end(self, batch, logs=None):
        """Moves the bar."""
        if self.testing:
            self.seen += 1 if self.use_steps else logs.get("size", 0)
            self.progbar.update(self.seen, [(name, logs[name]) for name in self.params["metrics"] if name in logs])

    def on_predict_begin(self, logs=None):
        """Begins a bar."""
        self._start()

    def on_predict_batch_end(self, batch, logs=None):
        """Moves the bar."""
        self.seen += 1 if self.use_steps else logs.get("size", 0)
        self.progbar.update(self.seen)


class History(Callback):
    """The numbers of each epoch."""

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        """Remembers the numbers."""
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


def _better(mode, monitor):
    """Whether larger numbers are better."""
    if mode in ("min", "max"):
        return mode == "max"
    return "acc" in monitor or monitor.startswith("fmeasure")


class ModelCheckpoint(Callback):
    """Saves the model after epochs, or after a number of examples."""

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False,
                 mode="auto", save_freq="epoch", **kwargs):
        super().__init__()
        self.filepath, self.monitor, self.verbose = filepath, monitor, verbose
        self.save_best_only, self.save_weights_only, self.save_freq = save_best_only, save_weights_only, save_freq
        self.load_weights_on_restart = kwargs.pop("load_weights_on_restart", False)
        self.period = kwargs.pop("period", 1)
        if kwargs:
            raise TypeError(f"ModelCheckpoint got unexpected arguments: {list(kwargs)}")
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")
        if mode not in ("auto", "min", "max"):
            tf_logging.warning("ModelCheckpoint mode %s is unknown, fallback to auto mode.", mode)
        self.monitor_op = np.greater if _better(mode, monitor) else np.less
        self.best = -np.inf if self.monitor_op is np.greater else np.inf
        self.epochs_since_last_save, self._samples_since_last_save, self._current_epoch = 0, 0, 0

    def on_train_begin(self, logs=None):
        """Goes on with the newest file, where that was asked for."""
        newest = _newest_like(self.filepath) if self.load_weights_on_restart else None
        if newest is not None:
            self.model.load_weights(newest)

    def on_epoch_begin(self, epoch, logs=None):
        """Remembers which epoch it is."""
        self._current_epoch = epoch

    def on_batch_end(self, batch, logs=None):
        """Saves when enough examples were seen."""
        if self.save_freq == "epoch":
            return
        self._samples_since_last_save += (logs or {}).get("size", 1)
        if self._samples_since_last_save >= self.save_freq:
            self._save_model(self._current_epoch, logs)
            self._samples_since_last_save = 0

    def on_epoch_end(self, epoch, logs=None):
        """Saves after every `period` epochs."""
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self.epochs_since_last_save = 0
            self._save_model(epoch, logs)

    def _save_model(self, epoch, logs):
        logs = logs or {}
        try:
            filepath = self.filepath.format(epoch=epoch + 1, **logs)
        except KeyError as error:
            raise KeyError(f'Failed to format this callback filepath: "{self.filepath}". Reason: {error}') from error
        if not self.save_best_only:
            self._tell(epoch, f"saving model to {filepath}")
            return self._write(filepath)
        current = logs.get(self.monitor)
        if current is None:
            tf_logging.warning("Can save best model only with %s available, skipping.", self.monitor)
        elif self.monitor_op(current, self.best):
            self._tell(epoch, f"{self.monitor} improved from {self.best:0.5f} to {current:0.5f}, saving model to "
                       f"{filepath}")
            self.best = current
            self._write(filepath)
        else:
            self._tell(epoch, f"{self.monitor} did not improve from {self.best:0.5f}")

    def _tell(self, epoch, what):
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: {what}")

    def _write(self, filepath):
        if self.save_weights_only:
            self.model.save_weights(filepath, overwrite=True)
        else:
            self.model.save(filepath, overwrite=True)


def _newest_like(pattern):
    """The newest file whose name is as the pattern makes them, or None."""
    folder, base = os.path.split(pattern)
    if not os.path.isdir(folder or "."):
        return None
    wanted = re.compile("^" + re.sub(r"\\{.*?\\}", r".*", re.escape(base)) + r"(\.index)?$")
    found = [name for name in os.listdir(folder or ".") if wanted.match(name)]
    newest = max(found, key=lambda name: os.path.getmtime(os.path.join(folder, name)), default=None)
    return None if newest is None else os.path.join(folder, newest.removesuffix(".index"))


class EarlyStopping(Callback):
    """Ends training when a number does not become better any more."""

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None,
                 restore_best_weights=False):
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        self.monitor_op = np.greater if _better(mode, monitor) else np.less
        self.min_delta = abs(min_delta) * (1 if self.monitor_op is np.greater else -1)
        self.wait, self.stopped_epoch, self.best_weights = 0, 0, None

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self.wait, self.stopped_epoch = 0, 0
        worst = np.inf if self.monitor_op is np.less else -np.inf
        self.best = worst if self.baseline is None else self.baseline

    def get_monitor_value(self, logs):
        """The number that is watched."""
        return (logs or {}).get(self.monitor)

    def on_epoch_end(self, epoch, logs=None):
        """Compares the number with the best one."""
        current = self.get_monitor_value(logs)
        if current is None:
            import logging
            logging.getLogger("tensorflow").warning(
                "Early stopping conditioned on metric `%s` which is not available. Available metrics are: %s",
                self.monitor, ",".join(list((logs or {}).keys())))
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights and self.best_weights is not None:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        """Tells when it was."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch."""

    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        """Asks the program for the learning rate."""
        if not hasattr(self.model.optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = self.schedule(epoch, float(backend.get_value(self.model.optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        backend.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}.")

    def on_epoch_end(self, epoch, logs=None):
        """Tells the learning rate."""
        if logs is not None:
            logs["lr"] = backend.get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(Callback):
    """Lowers the learning rate when a number does not become better any more."""

    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto", min_delta=0.0001,
                 cooldown=0, min_lr=0, **kwargs):
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.monitor, self.factor, self.patience, self.verbose = monitor, factor, patience, verbose
        self.min_delta, self.cooldown, self.min_lr = kwargs.pop("epsilon", min_delta), cooldown, min_lr
        self.mode = mode
        self._reset()

    def _reset(self):
        if _better(self.mode, self.monitor):
            self.monitor_op, self.best = lambda a, b: np.greater(a, b + self.min_delta), -np.inf
        else:
            self.monitor_op, self.best = lambda a, b: np.less(a, b - self.min_delta), np.inf
        self.cooldown_counter, self.wait = 0, 0

    def in_cooldown(self):
        """Whether it waits after a change."""
        return self.cooldown_counter > 0

    def on_train_begin(self, logs=None):
        """Begins anew."""
        self._reset()

    def on_epoch_end(self, epoch, logs=None):
        """Compares the number with the best one."""
        logs = {} if logs is None else logs
        logs["lr"] = backend.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._lower(epoch)

    def _lower(self, epoch):
        old = float(backend.get_value(self.model.optimizer.lr))
        if old <= self.min_lr:
            return
        new = max(old * self.factor, self.min_lr)
        backend.set_value(self.model.optimizer.lr, new)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter, self.wait = self.cooldown, 0


class CSVLogger(Callback):
    """Writes the numbers of each epoch into a file."""

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.writer, self.keys, self.append_header = None, None, True

    def on_train_begin(self, logs=None):
        """Opens the file."""
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as known:
                self.append_header = not bool(len(known.readline()))
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch, logs=None):
        """Writes a line."""
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.model.stop_training:
            logs = {key: logs.get(key, "NA") for key in self.keys}
        if not self.writer:
            self.writer = csv.DictWriter(self.csv_file, fieldnames=["epoch"] + self.keys, delimiter=self.sep)
            if self.append_header:
                self.writer.writeheader()
        self.writer.writerow(collections.OrderedDict(
            [("epoch", epoch)] + [(key, logs.get(key, "NA")) for key in self.keys]))
        self.csv_file.flush()

    def on_train_end(self, logs=None):
        """Closes the file."""
        self.csv_file.close()
        self.writer = None


class LambdaCallback(Callback):
    """Functions of a program as a callback."""

    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None, on_batch_end=None,
                 on_train_begin=None, on_train_end=None, **kwargs):
        super().__init__()
        self.__dict__.update(kwargs)
        nothing = lambda *args: None  # noqa: E731
        self.on_epoch_begin = on_epoch_begin or nothing
        self.on_epoch_end = on_epoch_end or nothing
        self.on_batch_begin = lambda batch, logs=None: (on_batch_begin or nothing)(batch, logs)
        self.on_batch_end = lambda batch, logs=None: (on_batch_end or nothing)(batch, logs)
        self.on_train_begin = on_train_begin or nothing
        self.on_train_end = on_train_end or nothing


class RemoteMonitor(Callback):
    """Would send numbers to a server; nothing here reaches the network."""

    def __init__(self, root="http://localhost:9000", path="/publish/epoch/end/", field="data", headers=None,
                 send_as_json=False):
        super().__init__()
        self.root, self.path, self.field, self.headers = root, path, field, headers
        self.send_as_json = send_as_json

    def on_epoch_end(self, epoch, logs=None):
        """Says that it cannot."""
        raise UnimplementedError(None, None, "RemoteMonitor: sending numbers to a server")


class TensorBoard(Callback):
    """Writes the numbers of each epoch as summaries."""

    def __init__(self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False,
                 update_freq="epoch", profile_batch=2, embeddings_freq=0, embeddings_metadata=None, **kwargs):
        super().__init__()
        self.log_dir, self.histogram_freq, self.write_graph = log_dir, histogram_freq, write_graph
        self.write_images, self.update_freq = write_images, update_freq

    def on_train_begin(self, logs=None):
        """Opens the file."""
        summary = __import__("rill").summary
        writer = getattr(summary, "FileWriter", None)
        if writer is None:
            raise UnimplementedError(None, None, "TensorBoard: tf.summary.FileWriter is not there yet")
        self.writer = writer(self.log_dir, self.model.outputs[0].graph if self.write_graph else None)

    def on_epoch_end(self, epoch, logs=None):
        """Writes the numbers."""
        import rill as tf
        for name, value in (logs or {}).items():
            message = tf.Summary()
            item = message.value.add()
            item.tag, item.simple_value = "epoch_" + name, float(value)
            self.writer.add_summary(message, epoch)
        self.writer.flush()

    def on_train_end(self, logs=None):
        """Closes the file."""
        self.writer.close()




__getattr__, __dir__ = _surface.members_of(__name__)
