"""Training with batches that generators and Sequences make."""

import itertools

import numpy as np

from rill import errors
from rill.keras import _arrays, backend, callbacks as cbks


def is_generator(data):
    """Whether data comes batch by batch."""
    from rill.keras.utils import Sequence
    return _is_dataset(data) or isinstance(data, Sequence) or (hasattr(data, "__next__") and not hasattr(data, "shape"))


def _is_dataset(data):
    return hasattr(data, "_variant_tensor") and hasattr(data, "element_spec")


def _elements(dataset):
    """The elements of a dataset, from the first one again after the last."""
    from rill import _nest, _rill, data
    while _rill.executing_eagerly():
        for element in dataset:
            yield _nest.map_structure(lambda x: x.numpy() if hasattr(x, "numpy") else x, element)
    iterator = data.make_initializable_iterator(dataset)
    get_next = iterator.get_next()
    while True:
        backend.get_session().run(iterator.initializer)
        try:
            while True:
                yield backend.get_session().run(get_next)
        except errors.OutOfRangeError:
            continue


def _batches(data, steps, shuffle=False):
    """Endless batches of a generator; a Sequence or dataset begins anew after its last one."""
    from rill.keras.utils import Sequence
    if _is_dataset(data):
        yield from _elements(data)
        return
    if not isinstance(data, Sequence):
        yield from data
        return
    while True:
        order = list(range(len(data)))
        if shuffle:
            np.random.shuffle(order)
        for i in order:
            yield data[i]
        data.on_epoch_end()


def _steps(data, steps, name):
    if steps is not None:
        return steps
    if _is_dataset(data):
        from rill.data import experimental
        count = int(backend.get_value(experimental.cardinality(data)))
        if count < 0:
            raise ValueError("When passing an infinitely repeating dataset, or one of unknown length, you must specify "
                             f"the `{name}` argument.")
        return count
    if hasattr(data, "__len__"):
        return len(data)
    raise ValueError(f"`{name}=None` is only valid for a generator based on the `keras.utils.Sequence` class. Please "
                     f"specify `{name}` or use the `keras.utils.Sequence` class.")


def _parts(batch):
    if isinstance(batch, (list, tuple)) and len(batch) in (1, 2, 3):
        return batch[0], batch[1] if len(batch) > 1 else None, batch[2] if len(batch) > 2 else None
    return batch, None, None


def _connected(model, batches):
    """The batches; the first one connects a model that does not know its inputs yet."""
    if model.inputs:
        return batches
    first = next(batches)
    model._ready(*_parts(first)[:2])
    return itertools.chain([first], batches)


def fit(model, generator, steps_per_epoch, epochs, verbose, callbacks, validation_data, validation_steps,
        validation_freq, class_weight, shuffle, initial_epoch):
    """Trains a model; its history."""
    steps = _steps(generator, steps_per_epoch, "steps_per_epoch")
    batches = _connected(model, _batches(generator, steps, shuffle))
    told = cbks.CallbackList.of(model, callbacks, None, epochs, None, verbose, validation_data is not None,
                                steps=steps)
    told.on_train_begin()
    for epoch in range(initial_epoch, epochs):
        model.reset_metrics()
        told.on_epoch_begin(epoch)
        total, seen, values = 0.0, 0, []
        for step in range(steps):
            x, y, weights = _parts(next(batches))
            training = model._ready(x, y)
            data = _arrays.examples(model, x, y, weights, class_weight)
            training.native.make_updates()
            size = _arrays.count_of(data)
            told.on_train_batch_begin(step, {"batch": step, "size": size})
            values = training.native.train_on_batch(model._runner(), *data)
            total, seen = total + values[0] * size, seen + size
            told.on_train_batch_end(step, {"batch": step, "size": size, **dict(zip(model.metrics_names, values))})
            if told.stop_training:
                break
        values = [total / max(seen, 1)] + list(values[1:])
        logs = dict(zip(model.metrics_names, values))
        due = (epoch + 1) % validation_freq == 0 if isinstance(validation_freq, int) else epoch + 1 in validation_freq
        if validation_data is not None and due:
            checked = _validated(model, validation_data, validation_steps)
            logs.update({f"val_{name}": value for name, value in zip(model.metrics_names, checked)})
        told.on_epoch_end(epoch, logs)
        if told.stop_training:
            break
    told.on_train_end()
    return model.history


def _validated(model, data, steps):
    if is_generator(data):
        values = evaluate(model, data, steps)
        return values if isinstance(values, list) else [values]
    x, y, weights = _parts(data)
    values = model.evaluate(x, y, sample_weight=weights, verbose=0)
    return values if isinstance(values, list) else [values]


def evaluate(model, generator, steps=None):
    """The loss and the metrics."""
    steps = _steps(generator, steps, "steps")
    batches = _batches(generator, steps)
    total, seen, values = 0.0, 0, []
    for step in range(steps):
        x, y, weights = _parts(next(batches))
        training = model._ready(x, y)
        if step == 0:
            model.reset_metrics()
        data = _arrays.examples(model, x, y, weights, None)
        values = training.native.test_on_batch(model._runner(), *data)
        total, seen = total + values[0] * _arrays.count_of(data), seen + _arrays.count_of(data)
    values = [np.float64(total / max(seen, 1))] + [np.float32(value) for value in values[1:]]
    return values[0] if len(values) == 1 else values


def predict(model, generator, steps=None):
    """What a model makes of the batches, one after the other."""
    steps = _steps(generator, steps, "steps")
    batches = _batches(generator, steps)
    made = []
    for _ in range(steps):
        outputs = model.predict_on_batch(_parts(next(batches))[0])
        made.append(outputs if isinstance(outputs, list) else [outputs])
    joined = [np.concatenate(parts) for parts in zip(*made)]
    return joined[0] if len(joined) == 1 else joined
