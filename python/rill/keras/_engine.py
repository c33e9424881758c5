"""tf.keras.Model and Sequential: networks with compile, fit, evaluate and predict. The loops run in C++."""

import numpy as np

from rill import _nest, _rill
from rill._layer_call import native
from rill.errors import UnimplementedError
from rill.keras import _arrays, _compiling, _eager_training, _generators, backend, callbacks as cbks, optimizers
from rill.keras._network import Input, Network


def _unless_alone(values):
    return values[0] if len(values) == 1 else values


def _evaluated(values):
    """The mean loss and the metrics, in TensorFlow's types."""
    return _unless_alone([np.float64(values[0])] + [np.float32(value) for value in values[1:]])


class Model(Network):
    """A network between inputs and outputs, or one whose `call` a subclass has, that can be trained."""

    def __init__(self, *args, **kwargs):
        inputs, outputs = kwargs.pop("inputs", None), kwargs.pop("outputs", None)
        if len(args) >= 2:
            inputs, outputs, args = args[0], args[1], args[2:]
        elif len(args) == 1 and outputs is not None:
            inputs, args = args[0], ()
        name = args[0] if args else kwargs.pop("name", None)
        self._start_network(name=name, **kwargs)
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        for key, value in (("optimizer", None), ("loss", None), ("stop_training", False), ("history", None),
                           ("_training", None), ("_compile_request", None)):
            put(key, value)
        if inputs is not None and outputs is not None:
            self._connect(inputs, outputs)

    # --- compiling -------------------------------------------------------------------------------

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None,
                sample_weight_mode=None, weighted_metrics=None, target_tensors=None, distribute=None,
                **kwargs):
        """Says how the model is to be trained."""
        if distribute is not None:
            raise UnimplementedError(None, None, "Model.compile with a distribution strategy")
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        put("_asked_run_eagerly", kwargs.pop("run_eagerly", None))
        if self.run_eagerly and not _rill.executing_eagerly():
            raise ValueError("You can only set `run_eagerly` where eager execution is enabled.")
        put("_run_options", _compiling.RunOptions(**kwargs) if kwargs else None)
        put("optimizer", optimizers.get(optimizer))
        put("loss", loss or {})
        put("loss_weights", loss_weights)
        put("sample_weight_mode", sample_weight_mode)
        put("_compile_request", _compiling.Request(loss, metrics, loss_weights, sample_weight_mode,
                                                   weighted_metrics, target_tensors))
        put("_training", None)
        if self.outputs and (self._graph_network is not None or not self.run_eagerly):
            self._compiled()

    def _runner(self):
        """The session, with what compile() was told to add to each run."""
        session, options = backend.get_session(self.outputs or ()), getattr(self, "_run_options", None)
        return session if options is None else options.runner(session)

    def _compiled(self):
        if self._compile_request is None:
            raise RuntimeError("You must compile your model before training/testing. Use "
                               "`model.compile(optimizer, loss)`.")
        if self._training is None:
            make = _eager_training.training_of if self.run_eagerly else _compiling.training_of
            object.__setattr__(self, "_training", make(self, self._compile_request))
        return self._training

    def _ready(self, x=None, y=None):
        """The compiled model for data, which subclasses are connected by."""
        self._connect_for(x)
        return self._compiled()

    def _connect_for(self, x):
        if self.inputs or x is None:
            return
        if self.run_eagerly:
            _eager_training.connect(self, x)
            return
        arrays = _nest.flatten(x)
        fed = [Input(shape=np.shape(a)[1:], dtype=_arrays.dtype_for(a), name=f"input_{i + 1}")
               for i, a in enumerate(arrays)]
        given = _nest.pack_sequence_as(x, fed) if isinstance(x, (list, tuple, dict)) else fed[0]
        outputs = self(given)
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        put("inputs", fed)
        put("outputs", _nest.flatten(outputs))
        put("input_names", sorted(x) if isinstance(x, dict) else [f"input_{i + 1}" for i in range(len(fed))])
        put("output_names", [f"output_{i + 1}" for i in range(len(self.outputs))])
        self.built = True

    @property
    def metrics_names(self):
        """The names of what evaluate returns."""
        return list(self._compiled().native.metrics_names)

    @property
    def metrics(self):
        """The metrics of the compiled model."""
        found = list(self._training.metrics) if self._training is not None else []
        return found + self._followed()[0]

    @property
    def total_loss(self):
        """The loss that is made smaller."""
        return self._compiled().native.total_loss

    @property
    def targets(self):
        """The placeholders that are fed with the truth."""
        return self._compiled().native.targets

    @property
    def sample_weights(self):
        """None, unless weights of examples were given."""
        return [None for _ in self.outputs or []]

    @property
    def run_eagerly(self):
        """Whether the model runs op by op: where compile() was told so, or a layer needs it."""
        if not _rill.executing_eagerly():
            return bool(self.__dict__.get("_asked_run_eagerly"))
        return bool(self.__dict__.get("_asked_run_eagerly")) or self._is_dynamic()

    @run_eagerly.setter
    def run_eagerly(self, value):
        object.__setattr__(self, "_asked_run_eagerly", value)
        object.__setattr__(self, "_training", None)

    def _is_dynamic(self):
        return bool(self._dynamic) or any(
            layer._is_dynamic() if isinstance(layer, Model) else layer.dynamic for layer in self.layers)

    def add_metric(self, value, aggregation=None, name=None):
        """A tensor of the model whose mean is told with the metrics."""
        with backend.name_scope(_rill.unique_layer_name("add_metric", True)):
            super().add_metric(value, aggregation=aggregation, name=name)

    def _followed(self):
        """What layers and programs have added with add_metric: metrics, and (name, result) of each."""
        owners = [self] + self.layers
        return ([metric for owner in owners for metric in owner.__dict__.get("_metrics", [])],
                [pair for owner in owners for pair in owner.__dict__.get("_metric_results", [])])

    def reset_metrics(self):
        """Forgets what metrics have gathered."""
        if self._training is not None:
            self._training.native.reset_metrics(backend.get_session(self.outputs))

    # --- arrays ----------------------------------------------------------------------------------

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose=1, callbacks=None, validation_split=0.0,
            validation_data=None, shuffle=True, class_weight=None, sample_weight=None, initial_epoch=0,
            steps_per_epoch=None, validation_steps=None, validation_freq=1, max_queue_size=10, workers=1,
            use_multiprocessing=False, **kwargs):
        """Trains the model; what it became after each epoch."""
        epochs = kwargs.pop("nb_epoch", epochs)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        if _generators.is_generator(x):
            return self.fit_generator(x, steps_per_epoch, epochs, verbose, callbacks, validation_data,
                                      validation_steps, validation_freq, class_weight, max_queue_size,
                                      workers, use_multiprocessing, shuffle, initial_epoch)
        _arrays.refuse_tensors(x, "fit")
        training = self._ready(x, y)
        batch_size = batch_size or 32
        data = _arrays.examples(self, x, y, sample_weight, class_weight)
        validation = _arrays.validation_of(self, validation_data)
        if validation is None and validation_split and 0.0 < validation_split < 1.0:
            data, validation = _arrays.split(data, validation_split)
        if steps_per_epoch is not None:
            raise UnimplementedError(None, None, "Model.fit with arrays and steps_per_epoch")
        count = _arrays.count_of(data)
        if self.run_eagerly:
            shuffled = _arrays.shuffler(shuffle, batch_size)
            return _generators.fit(
                self, _eager_training.batches(data, batch_size, shuffled), _eager_training.step_count(data, batch_size),
                epochs, verbose, callbacks, validation, None, validation_freq, None, False, initial_epoch)
        told = cbks.CallbackList.of(self, callbacks, batch_size, epochs, count, verbose,
                                    validation is not None)
        if verbose:
            rest = f", validate on {_arrays.count_of(validation)} samples" if validation else ""
            print(f"Train on {count} samples{rest}")
        training.native.make_updates()
        options = {"batch_size": batch_size, "epochs": epochs, "initial_epoch": initial_epoch,
                   "validation": validation, "validation_freq": validation_freq,
                   "shuffled": _arrays.shuffler(shuffle, batch_size)}
        told.on_train_begin()
        training.native.fit(self._runner(), *data, options, told)
        told.on_train_end()
        return self.history

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None,
                 callbacks=None, max_queue_size=10, workers=1, use_multiprocessing=False):
        """The loss and the metrics for data."""
        if _generators.is_generator(x):
            return self.evaluate_generator(x, steps, callbacks, max_queue_size, workers,
                                           use_multiprocessing, verbose)
        _arrays.refuse_tensors(x, "evaluate")
        training = self._ready(x, y)
        data = _arrays.examples(self, x, y, sample_weight, None)
        if self.run_eagerly:
            size = batch_size or 32
            return _generators.evaluate(self, _eager_training.batches(data, size),
                                        _eager_training.step_count(data, size))
        told = cbks.CallbackList.of(self, callbacks, batch_size or 32, 1, _arrays.count_of(data), verbose,
                                    False, mode="test")
        return _evaluated(training.native.evaluate(self._runner(), *data, batch_size or 32, told))

    def predict(self, x, batch_size=None, verbose=0, steps=None, callbacks=None, max_queue_size=10,
                workers=1, use_multiprocessing=False):
        """What the model makes of data."""
        if _generators.is_generator(x):
            return self.predict_generator(x, steps, callbacks, max_queue_size, workers,
                                          use_multiprocessing, verbose)
        _arrays.refuse_tensors(x, "predict")
        self._connect_for(x)
        arrays = _arrays.inputs(self, x)
        count = _arrays.count_of((arrays, [], []))
        if self.run_eagerly:
            return _unless_alone(self._predicted_eagerly(arrays, batch_size or 32))
        told = cbks.CallbackList.of(self, callbacks, batch_size or 32, 1, count, verbose, False,
                                    mode="predict")
        told.on_predict_begin()

        def each(batch, size):
            told.on_predict_batch_begin(batch, {"batch": batch, "size": size})
            told.on_predict_batch_end(batch, {"batch": batch, "size": size})
        made = _rill.keras_predict(self._runner(), self.inputs, self.outputs, self.state_updates,
                                   arrays, batch_size or 32, each)
        told.on_predict_end()
        return _unless_alone(made)

    def _predicted_eagerly(self, arrays, batch_size):
        steps = _eager_training.Steps(self, [], [], {})
        cut = _eager_training.batches((arrays,), batch_size)
        made = [steps.predict(next(cut)[0]) for _ in range(_eager_training.step_count((arrays,), batch_size))]
        return [np.concatenate(parts) for parts in zip(*made)]

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, reset_metrics=True):
        """One step of training; the loss and the metrics."""
        training = self._ready(x, y)
        data = _arrays.examples(self, x, y, sample_weight, class_weight)
        training.native.make_updates()
        values = training.native.train_on_batch(self._runner(), *data)
        if reset_metrics:
            self.reset_metrics()
        return _unless_alone([np.float32(value) for value in values])

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True):
        """The loss and the metrics of one batch."""
        training = self._ready(x, y)
        values = training.native.test_on_batch(self._runner(),
                                               *_arrays.examples(self, x, y, sample_weight, None))
        if reset_metrics:
            self.reset_metrics()
        return _unless_alone([np.float32(value) for value in values])

    def predict_on_batch(self, x):
        """What the model makes of one batch."""
        self._connect_for(x)
        arrays = _arrays.inputs(self, x)
        if self.run_eagerly:
            return _unless_alone(self._predicted_eagerly(arrays, max(_arrays.count_of((arrays, [], [])), 1)))
        return _unless_alone(_rill.keras_predict(self._runner(), self.inputs, self.outputs,
                                                 self.state_updates, arrays,
                                                 max(_arrays.count_of((arrays, [], [])), 1), None))

    # --- generators ------------------------------------------------------------------------------

    def fit_generator(self, generator, steps_per_epoch=None, epochs=1, verbose=1, callbacks=None,
                      validation_data=None, validation_steps=None, validation_freq=1, class_weight=None,
                      max_queue_size=10, workers=1, use_multiprocessing=False, shuffle=True,
                      initial_epoch=0):
        """Trains the model with batches of a generator or a Sequence."""
        return _generators.fit(self, generator, steps_per_epoch, epochs, verbose, callbacks,
                               validation_data, validation_steps, validation_freq, class_weight, shuffle,
                               initial_epoch)

    def evaluate_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1,
                           use_multiprocessing=False, verbose=0):
        """The loss and the metrics for batches of a generator."""
        return _generators.evaluate(self, generator, steps)

    def predict_generator(self, generator, steps=None, callbacks=None, max_queue_size=10, workers=1,
                          use_multiprocessing=False, verbose=0):
        """What the model makes of batches of a generator."""
        return _generators.predict(self, generator, steps)


class Sequential(Model):
    """Layers one after the other."""

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        object.__setattr__(self, "_stack", [])
        for layer in layers or []:
            self.add(layer)

    def add(self, layer):
        """One more layer at the end."""
        if not hasattr(layer, "_core"):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        if not self._stack and self.outputs is None:
            self._add_first(layer)
        elif self.outputs is not None:
            self._extend(layer)
        if type(layer).__name__ != "InputLayer":
            self._stack.append(layer)
        self._core.add_layer(layer)
        if self.outputs is not None and self._stack:
            self._connect(self.inputs[0], self.outputs[0])

    def _add_first(self, layer):
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        if type(layer).__name__ == "InputLayer":
            put("inputs", _nest.flatten(layer.output))
            put("outputs", list(self.inputs))
            return
        shape = getattr(layer, "_batch_input_shape", None)
        dtype = layer.dtype if shape is None or type(layer).__name__ != "Embedding" else None
        if isinstance(layer, Model) and layer.inputs:
            shape, dtype = tuple(layer.inputs[0].shape.as_list()), layer.inputs[0].dtype.base_dtype.name
        if shape is None:
            return
        fed = Input(batch_shape=shape, dtype=dtype, name=layer.name + "_input")
        put("inputs", [fed])
        put("outputs", [fed])
        self._extend(layer)

    def _extend(self, layer):
        made = layer(self.outputs[0])
        if isinstance(made, (list, tuple)):
            raise TypeError("All layers in a Sequential model should have a single output tensor. For multi-output "
                            "layers, use the functional API.")
        object.__setattr__(self, "outputs", [made])

    def pop(self):
        """Takes the last layer away."""
        if not self._stack:
            raise TypeError("There are no layers in the model.")
        gone = self._stack.pop()
        self._core.remove_layer(gone)
        if not self._stack:
            for key in ("inputs", "outputs", "_graph_network"):
                object.__setattr__(self, key, None)
        elif self.outputs is not None:
            self._connect(self.inputs[0], self._stack[-1].output)

    @property
    def layers(self):
        """The layers in their order."""
        return list(self._stack)

    @native
    def build(self, input_shape=None):
        """Makes the variables, for inputs of that shape."""
        if self.outputs is not None and self._graph_network is not None:
            self.built = True
            return
        if input_shape is None:
            raise ValueError("You must provide an `input_shape` argument.")
        self._build_stack(tuple(input_shape), None)

    def _build_stack(self, shape, dtype):
        stack = list(self._stack)
        fed = Input(batch_shape=tuple(shape), dtype=dtype, name=stack[0].name + "_input")
        object.__setattr__(self, "inputs", [fed])
        object.__setattr__(self, "outputs", [fed])
        for layer in stack:
            self._extend(layer)
        self._connect(self.inputs[0], self.outputs[0])
        object.__setattr__(self, "_is_deferred", True)

    def _connect_for(self, x):
        if self.inputs or x is None:
            return
        if isinstance(x, dict):  # for a first layer that takes features by name
            super()._connect_for(x)
            return
        if self.run_eagerly:
            _eager_training.connect(self, x)
            return
        array = x[0] if isinstance(x, (list, tuple)) else x
        self._build_stack((None,) + np.shape(array)[1:], _arrays.dtype_for(array))

    def call(self, inputs, training=None, mask=None):
        """What the layers make of other inputs."""
        if self._graph_network is None:
            x = inputs
            for layer in self._stack:
                x = layer(x)
            return x
        return super().call(inputs, training=training, mask=mask)

    call._is_native = True

    def predict_proba(self, x, batch_size=32, verbose=0):
        """As predict."""
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x, batch_size=32, verbose=0):
        """The best class of each example."""
        made = self.predict(x, batch_size=batch_size, verbose=verbose)
        return made.argmax(axis=-1) if made.shape[-1] > 1 else (made > 0.5).astype("int32")

    def get_config(self):
        """The layers as dicts."""
        described = [{"class_name": type(layer).__name__, "config": layer.get_config()} for layer in self._stack]
        config = {"name": self.name, "layers": described}
        if self.inputs and not hasattr(self._stack[0], "_batch_input_shape"):
            config["build_input_shape"] = tuple(self.inputs[0].shape.as_list())
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The model that `get_config` describes."""
        from rill.keras import layers
        config = config if isinstance(config, dict) else {"name": None, "layers": config}
        model = cls(name=config.get("name"))
        for item in config["layers"]:
            model.add(layers.deserialize(item, custom_objects=custom_objects))
        if not model.inputs and config.get("build_input_shape"):
            model.build(config["build_input_shape"])
        return model


