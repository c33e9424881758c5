"""tf.keras.utils: tools of Keras programs."""

import os
import sys
import time

import numpy as np

from rill import _surface
from rill.errors import UnimplementedError
from rill.keras import _dot
from rill.keras._hdf5_matrix import HDF5Matrix  # noqa: F401
from rill.keras._objects import (CustomObjectScope, custom_object_scope,  # noqa: F401
                                 deserialize_keras_object, get_custom_objects, serialize_keras_object)
from rill.keras._parallel import multi_gpu_model  # noqa: F401


def to_categorical(y, num_classes=None, dtype="float32"):
    """Numbers of classes as vectors that are 1 at one place."""
    y = np.array(y, dtype="int")
    shape = y.shape
    if shape and shape[-1] == 1 and len(shape) > 1:
        shape = tuple(shape[:-1])
    y = y.ravel()
    num_classes = num_classes or np.max(y) + 1
    made = np.zeros((y.shape[0], num_classes), dtype=dtype)
    made[np.arange(y.shape[0]), y] = 1
    return np.reshape(made, shape + (num_classes,))


def normalize(x, axis=-1, order=2):
    """An array divided by its norm along an axis."""
    norm = np.atleast_1d(np.linalg.norm(x, order, axis))
    norm[norm == 0] = 1
    return x / np.expand_dims(norm, axis)


class Sequence:
    """Batches by number; programs derive from it."""

    def __getitem__(self, index):
        """The batch of that number."""
        raise NotImplementedError

    def __len__(self):
        """How many batches there are."""
        raise NotImplementedError

    def on_epoch_end(self):
        """All batches have been used."""

    def __iter__(self):
        """The batches in their order."""
        for i in range(len(self)):
            yield self[i]


class SequenceEnqueuer:
    """Hands out the batches of a Sequence or a generator; they are made when they are asked for."""

    def __init__(self, sequence, use_multiprocessing=False):
        self.sequence, self.use_multiprocessing = sequence, use_multiprocessing
        self._running = False

    def is_running(self):
        """Whether batches are handed out."""
        return self._running

    def start(self, workers=1, max_queue_size=10):
        """Begins."""
        self._running = True

    def stop(self, timeout=None):
        """Ends."""
        self._running = False

    def get(self):
        """A generator of batches."""
        raise NotImplementedError


class OrderedEnqueuer(SequenceEnqueuer):
    """The batches of a Sequence, again and again."""

    def __init__(self, sequence, use_multiprocessing=False, shuffle=False):
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def get(self):
        """A generator of batches."""
        while self._running:
            order = list(range(len(self.sequence)))
            if self.shuffle:
                np.random.shuffle(order)
            for i in order:
                if not self._running:
                    return
                yield self.sequence[i]
            self.sequence.on_epoch_end()


class GeneratorEnqueuer(SequenceEnqueuer):
    """The batches of a generator."""

    def __init__(self, sequence, use_multiprocessing=False, random_seed=None):
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed

    def get(self):
        """A generator of batches."""
        while self._running:
            try:
                yield next(self.sequence)
            except StopIteration:
                return


class Progbar:
    """Shows how far something has come."""

    def __init__(self, target, width=30, verbose=1, interval=0.05, stateful_metrics=None, unit_name="step"):
        self.target, self.width, self.verbose, self.interval = target, width, verbose, interval
        self.unit_name, self.stateful_metrics = unit_name, set(stateful_metrics or [])
        self._values, self._order, self._seen = {}, [], 0
        self._start, self._last, self._shown = time.time(), 0, 0
        self._dynamic = hasattr(sys.stdout, "isatty") and sys.stdout.isatty()

    def _take(self, current, values):
        for name, value in values or []:
            if name not in self._order:
                self._order.append(name)
            if name in self.stateful_metrics:
                self._values[name] = [value, 1]
            else:
                new = current - self._seen
                total, count = self._values.get(name, (0, 0))
                self._values[name] = [total + value * new, count + new]
        self._seen = current

    def _numbers(self):
        text = ""
        for name in self._order:
            total, count = self._values[name]
            mean = total / max(1, count)
            text += f" - {name}: {mean:.4f}" if abs(mean) > 1e-3 else f" - {name}: {mean:.4e}"
        return text

    def update(self, current, values=None):
        """So far it has come, with these numbers."""
        self._take(current, values)
        now = time.time()
        done = self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last < self.interval and not done:
                return
            self._show(current, now, done)
        elif self.verbose == 2 and done:
            width = len(str(self.target))
            sys.stdout.write(f"{current:{width}d}/{self.target} - {now - self._start:.0f}s{self._numbers()}\n")
            sys.stdout.flush()
        self._last = now

    def _show(self, current, now, done):
        sys.stdout.write("\b" * self._shown + "\r" if self._dynamic else "\n" if self._shown else "")
        if self.target is not None:
            width = len(str(self.target))
            full = int(self.width * current / max(self.target, 1))
            bar = "=" * max(full - (not done), 0) + ("" if done else ">") if full > 0 else ""
            text = f"{current:{width}d}/{self.target} [{bar}{'.' * (self.width - full)}]"
        else:
            text = f"{current:7d}/Unknown"
        elapsed = now - self._start
        each = elapsed / max(current, 1)
        if done or self.target is None:
            text += f" - {elapsed:.0f}s"
            text += f" {each:.0f}s/{self.unit_name}" if each >= 1 else (
                f" {each * 1e3:.0f}ms/{self.unit_name}" if each >= 1e-3 else f" {each * 1e6:.0f}us/{self.unit_name}")
        else:
            text += f" - ETA: {each * (self.target - current):.0f}s"
        text += self._numbers()
        self._shown = len(text)
        sys.stdout.write(text + ("\n" if done else ""))
        sys.stdout.flush()

    def add(self, n, values=None):
        """It has come further by n."""
        self.update(self._seen + n, values)


def get_file(fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir="datasets",
             hash_algorithm="auto", extract=False, archive_format="auto", cache_dir=None):
    """The path of a file in ~/.keras, which is fetched once and unpacked where asked for."""
    from rill import _rill
    del archive_format  # an archive tells what it is
    bar = None

    def show(done, total):
        nonlocal bar
        if bar is None and total > 0:
            print("Downloading data from", origin)
            bar = Progbar(total)
        if bar is not None and bar._seen < total:
            bar.update(done)

    return _rill.keras_get_file(
        os.fspath(fname), origin, bool(untar), file_hash or md5_hash or "", os.fspath(cache_subdir), hash_algorithm,
        bool(extract), os.fspath(cache_dir or ""), show)


def get_source_inputs(tensor, layer=None, node_index=None):
    """The inputs that a tensor of a model comes from."""
    from rill import _nest, _rill
    made = _rill.keras_history(tensor)
    if made is None:
        return [tensor]
    layer, call, _ = made
    before = _nest.flatten(layer._core.inputs_of_call(call))
    if not before:
        return _nest.flatten(layer.get_output_at(call))
    found = []
    for part in before:
        found += [source for source in get_source_inputs(part) if not any(source is known for known in found)]
    return found


def convert_all_kernels_in_model(model):
    """For weights of Theano, which nobody has."""
    raise UnimplementedError(None, None, "convert_all_kernels_in_model")


def plot_model(model, to_file="model.png", show_shapes=False, show_layer_names=True, rankdir="TB",
               expand_nested=False, dpi=96):
    """Draws a model into a file; needs pydot, and the programs of Graphviz."""
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    if dot is None:
        return
    form = os.path.splitext(to_file)[1][1:]
    dot.write(to_file if form else f"{to_file}.png", format=form or "png")


def model_to_dot(model, show_shapes=False, show_layer_names=True, rankdir="TB", expand_nested=False, dpi=96,
                 subgraph=False):
    """A model as a graph of pydot's."""
    return _dot.graph_of(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi, subgraph)


__getattr__, __dir__ = _surface.members_of(__name__)
