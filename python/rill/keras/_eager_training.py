"""Models that run op by op: those compiled with run_eagerly, and dynamic ones."""

import numpy as np

from rill import GradientTape, TensorShape, _nest, _rill, zeros
from rill.keras import _compiling


class Place:
    """What is known of an input or output that no graph has: its type, its shape without the batch."""

    def __init__(self, tensor):
        self.dtype, self.shape = tensor.dtype, TensorShape([None] + tensor.shape.as_list()[1:])


def connect(model, x):
    """Tells a model its inputs and outputs by calling it."""
    given = _nest.map_structure(_rill.convert_to_tensor, _as_floats(x))
    outputs = _nest.flatten(model(given))
    put = lambda key, value: object.__setattr__(model, key, value)  # noqa: E731
    put("inputs", [Place(tensor) for tensor in _nest.flatten(given)])
    put("outputs", [Place(tensor) for tensor in outputs])
    put("input_names", sorted(x) if isinstance(x, dict) else [f"input_{i + 1}" for i in range(len(model.inputs))])
    put("output_names", [f"output_{i + 1}" for i in range(len(outputs))])


def _as_floats(x):
    return _nest.map_structure(lambda a: np.asarray(a, "float32") if np.asarray(a).dtype == np.float64 else a, x)


class Steps:
    """Has the methods of _rill.KerasTraining: each batch is a step of its own."""

    def __init__(self, model, outputs, metrics, means):
        self._model, self._outputs, self._metrics, self._means = model, outputs, metrics, means
        self.metrics_names = ["loss", *means, *(told[0] for output in outputs for told in output["metrics"])]
        self._variables = []

    def set_metric_variables(self, variables):
        """Those that reset_metrics sets back."""
        self._variables = variables

    def make_updates(self):
        """They are made step by step."""

    def reset_metrics(self, session):
        """Forgets what metrics have gathered."""
        for variable in self._variables:
            variable.assign(zeros(variable.shape, variable.dtype))

    def _packed(self, x):
        tensors = [_rill.convert_to_tensor(_as_floats(array)) for array in x]
        if self._model._graph_network is not None:
            return _nest.pack_sequence_as(self._model._nested_inputs, tensors)
        return tensors[0] if len(tensors) == 1 else tensors

    def _computed(self, x, y, weights, training):
        """The native description of this batch, whose losses and metrics have their values."""
        made = _nest.flatten(self._model(self._packed(x), training=training))
        truth, counted = iter(y), iter(weights or [None] * len(y))
        outputs = []
        for described, prediction in zip(self._outputs, made):
            described = {**described, "prediction": prediction}
            if described["loss"] is not None:
                described["target"] = _rill.convert_to_tensor(_as_floats(next(truth)))
                if prediction.dtype.is_floating and described["target"].dtype.is_floating:
                    described["target"] = _cast(described["target"], prediction.dtype)
                weight = next(counted)
                described["weights"] = None if weight is None else _rill.convert_to_tensor(weight)
            outputs.append(described)
        return _rill.KerasTraining(_rill.eager_graph(), {
            "inputs": [], "outputs": outputs, "losses": lambda: list(self._model.losses),
            "mean_of": lambda name, loss: self._means[name](loss)})

    def train_on_batch(self, session, x, y, weights):
        """The loss, then metrics."""
        with GradientTape() as tape:
            native = self._computed(x, y, weights, True)
        variables = self._model.trainable_weights
        optimizer = self._model.optimizer
        gradients = tape.gradient(native.total_loss, variables)
        if hasattr(optimizer, "optimizer"):  # of tf.train
            optimizer.optimizer.apply_gradients(zip(gradients, variables), global_step=optimizer.iterations)
        else:
            optimizer.apply_gradients(zip(optimizer._clipped(gradients), variables))
        return [float(np.mean(value)) for value in native.results]

    def test_on_batch(self, session, x, y, weights):
        """The same without training."""
        return [float(np.mean(value)) for value in self._computed(x, y, weights, False).results]

    def predict(self, x):
        """The outputs for one batch."""
        return [tensor.numpy() for tensor in _nest.flatten(self._model(self._packed(x)))]


def _cast(tensor, dtype):
    from rill import cast
    return cast(tensor, dtype)


def batches(arrays, batch_size, shuffled=None):
    """Batches of examples again and again: tuples of lists, cut alike."""
    count = len(arrays[0][0])
    while True:
        order = list(range(count)) if shuffled is None else shuffled(list(range(count)))
        for begin in range(0, count, batch_size):
            rows = order[begin:begin + batch_size]
            cut = [[None if a is None else np.asarray(a)[rows] for a in part] for part in arrays]
            yield tuple(part if any(a is not None for a in part) else None for part in cut)


def step_count(arrays, batch_size):
    """How many batches all examples are."""
    return -(-len(arrays[0][0]) // batch_size)


def training_of(model, request):
    """What `compile` asks for."""
    outputs, metrics, means, trained, shapes = _compiling.described(model, request)
    followed, _ = model._followed()
    steps = Steps(model, outputs, metrics, means)
    steps.set_metric_variables([v for m in metrics + followed for v in m.variables])
    return _compiling.Training(steps, metrics, trained, shapes)
