"""tf.keras.wrappers.scikit_learn: models as classifiers and regressors of scikit-learn."""

import copy
import inspect

import numpy as np

from rill.keras.models import Sequential
from rill.keras.utils import to_categorical

__all__ = ["KerasClassifier", "KerasRegressor"]


def _takes(function, name):
    return name in inspect.signature(function).parameters


class BaseWrapper:
    """Builds a model by `build_fn` when it is fitted. Parameters are those of build_fn, fit, predict and evaluate."""

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    @property
    def _builder(self):
        if self.build_fn is None:
            return self.__call__
        return self.build_fn if inspect.isroutine(self.build_fn) else self.build_fn.__call__

    def check_params(self, params):
        """Refuses parameters that nothing takes."""
        functions = [Sequential.fit, Sequential.predict, Sequential.predict_classes, Sequential.evaluate, self._builder]
        for name in params:
            if name != "nb_epoch" and not any(_takes(function, name) for function in functions):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params):
        """The parameters, as scikit-learn copies estimators by."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params):
        """Changes parameters."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(self, fn, override=None):
        """Those of the parameters that a function takes."""
        return {**{name: value for name, value in self.sk_params.items() if _takes(fn, name)}, **(override or {})}

    def _wants_one_hot(self, y):
        loss = getattr(self.model.loss, "__name__", self.model.loss)
        return loss == "categorical_crossentropy" and y.ndim != 2

    def fit(self, x, y, **kwargs):
        """Builds a model and trains it; returns the history."""
        self.model = self._builder(**self.filter_sk_params(self._builder))
        y = np.asarray(y)
        y = to_categorical(y) if self._wants_one_hot(y) else y
        return self.model.fit(x, y, **{**copy.deepcopy(self.filter_sk_params(Sequential.fit)), **kwargs})


class KerasClassifier(BaseWrapper):
    """A model that tells classes."""

    def fit(self, x, y, **kwargs):
        """Builds a model and trains it with the numbers of the classes."""
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim in (1, 2):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """The classes of examples."""
        classes = self.model.predict_classes(x, **self.filter_sk_params(Sequential.predict_classes, kwargs))
        return self.classes_[classes]

    def predict_proba(self, x, **kwargs):
        """How probable each class is."""
        found = self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs))
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x, y, **kwargs):
        """The part of examples whose class is told."""
        y = np.searchsorted(self.classes_, y)
        y = to_categorical(y) if self._wants_one_hot(y) else y
        found = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        found = found if isinstance(found, list) else [found]
        for name, value in zip(self.model.metrics_names, found):
            if name in ("accuracy", "acc"):
                return value
        raise ValueError('The model is not configured to compute accuracy. You should pass `metrics=["accuracy"]` to the '
                         "`model.compile()` method.")


class KerasRegressor(BaseWrapper):
    """A model that tells numbers."""

    def predict(self, x, **kwargs):
        """The numbers of examples."""
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs)))

    def score(self, x, y, **kwargs):
        """The loss, negative: larger is better."""
        found = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -(found[0] if isinstance(found, list) else found)
