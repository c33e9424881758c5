"""tf.contrib.eager.metrics: numbers that are gathered over many batches."""

import rill


class Metric:
    """Variables that `call` takes values into, and `result` makes a number of."""

    def __init__(self, name=None, use_global_variables=False):
        name = name or type(self).__name__
        self._name = "".join(c if c.isalnum() else "_" for c in name)
        self._built, self._vars = False, []
        self._use_global_variables = use_global_variables

    def __call__(self, *args, **kwargs):
        """Takes values into account; what `call` returns."""
        if not self._built:
            with rill.init_scope(), rill.variable_scope(self._name, use_resource=True, reuse=False):
                self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    @property
    def name(self):
        return self._name

    @property
    def variables(self):
        return self._vars

    def init_variables(self):
        """Begins anew."""
        if not rill.executing_eagerly():
            return rill.group(*[variable.initializer for variable in self._vars])
        for variable in self._vars:
            variable.assign(rill.zeros_like(variable))

    def build(self, *args, **kwargs):
        """Makes the variables."""

    def call(self, *args, **kwargs):
        """Takes values into account."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self):
        """The number of all values so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self):
        """The result as a tensor."""
        return self.result()

    def aggregate(self, metrics):
        """Adds what other metrics of this kind have gathered."""
        for metric in metrics:
            if type(metric) is not type(self):
                raise TypeError(f"All metrics must be the same type, {type(self)}, not {type(metric)}.")
            if not metric._built:
                continue
            if not self._built:
                raise ValueError(f"{self.name} has not been called yet and has nothing to add to.")
            for own, other in zip(self._vars, metric._vars):
                own.assign_add(other)

    def add_variable(self, name, shape=None, dtype=None, initializer=None):
        """A variable of the metric."""
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        kind = rill.GraphKeys.GLOBAL_VARIABLES if self._use_global_variables else rill.GraphKeys.LOCAL_VARIABLES
        made = rill.get_variable(name, shape, dtype, initializer, trainable=False, use_resource=True,
                                 collections=None if rill.executing_eagerly() else [kind])
        setattr(self, name, made)
        self._vars.append(made)
        return made


class Mean(Metric):
    """The mean of values, which may have weights."""

    def __init__(self, name=None, dtype=rill.float64, use_global_variables=False):
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args, **kwargs):
        """Makes the variables."""
        del args, kwargs
        self.numer = self.add_variable("numer", (), self.dtype, rill.zeros_initializer)
        self.denom = self.add_variable("denom", (), self.dtype, rill.zeros_initializer)

    def call(self, values, weights=None):
        """Takes values into account; returns them."""
        if weights is None:
            self.denom.assign_add(rill.cast(rill.identity(rill.size(values)), self.dtype))
            self.numer.assign_add(rill.reduce_sum(rill.cast(values, self.dtype)))
            return values
        weights = rill.cast(weights, self.dtype)
        self.denom.assign_add(rill.reduce_sum(weights))
        self.numer.assign_add(rill.reduce_sum(rill.cast(values, self.dtype) * weights))
        return values, weights

    def result(self, write_summary=True):
        """The mean so far."""
        made = self.numer / self.denom
        if write_summary:
            rill.contrib.summary.scalar(name=self.name, tensor=made)
        return made


def _check_shapes(labels, predictions):
    rill.debugging.assert_equal(rill.shape(labels), rill.shape(predictions),
                                message="Shapes of labels and predictions are unequal")


class Accuracy(Mean):
    """How often predictions equal the truth."""

    def __init__(self, name=None, dtype=rill.float64):
        super().__init__(name, dtype)

    def call(self, labels, predictions, weights=None):
        """Takes examples into account; returns them."""
        _check_shapes(labels, predictions)
        super().call(rill.cast(rill.equal(labels, predictions), self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


class CategoricalAccuracy(Mean):
    """How often the best class is the true one, which is one-hot."""

    def __init__(self, name=None, dtype=rill.float64):
        super().__init__(name, dtype)

    def call(self, labels, predictions, weights=None):
        """Takes examples into account; returns them."""
        _check_shapes(labels, predictions)
        matches = rill.equal(rill.argmax(labels, axis=-1), rill.argmax(predictions, axis=-1))
        super().call(rill.cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


class BinaryAccuracy(Mean):
    """How often predictions are on the right side of a threshold."""

    def __init__(self, threshold, name=None, dtype=rill.float64):
        super().__init__(name, dtype)
        self.threshold = threshold

    def call(self, labels, predictions, weights=None):
        """Takes examples into account; returns them."""
        _check_shapes(labels, predictions)
        predictions = rill.cast(rill.convert_to_tensor(predictions), self.dtype)
        labels = rill.cast(labels, self.dtype)
        matches = rill.equal(labels, rill.cast(predictions > rill.cast(self.threshold, self.dtype), self.dtype))
        super().call(rill.cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


class SparseAccuracy(Mean):
    """How often the best class is the true one, which is a number."""

    def __init__(self, name=None, dtype=rill.float64):
        super().__init__(name, dtype)

    def call(self, labels, predictions, weights=None):
        """Takes examples into account; returns them."""
        best = rill.cast(rill.argmax(predictions, axis=-1), rill.int64)
        matches = rill.equal(rill.cast(labels, rill.int64), best)
        super().call(rill.cast(matches, self.dtype), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)
