"""Models that are there already: linear ones, and such beside deep ones."""

from rill import _nest
from rill.errors import UnimplementedError
from rill.keras import activations, initializers, regularizers
from rill.keras._core_layers import Dense
from rill.keras._engine import Model


class LinearModel(Model):
    """Weighted sums of one or several inputs, and a bias."""

    def __init__(self, units=1, activation=None, use_bias=True, kernel_initializer="glorot_uniform",
                 bias_initializer="zeros", kernel_regularizer=None, bias_regularizer=None, **kwargs):
        super().__init__(**kwargs)
        self.units, self.use_bias = units, use_bias
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.dense_layers = self.bias = None

    def _make_variables(self, inputs):
        several = isinstance(inputs, (list, tuple))
        names = sorted(inputs) if isinstance(inputs, dict) else [None] * (len(inputs) if several else 1)
        layers = [Dense(self.units, use_bias=False, kernel_initializer=self.kernel_initializer,
                        kernel_regularizer=self.kernel_regularizer, name=name) for name in names]
        for layer, tensor in zip(layers, _nest.flatten(inputs)):
            layer.build(tensor.shape)
        self.dense_layers = layers
        if self.use_bias:
            self.bias = self.add_weight("bias", shape=[self.units], initializer=self.bias_initializer,
                                        regularizer=self.bias_regularizer, trainable=True)

    def call(self, inputs):
        """The sums of a tensor, a list or a dict of such."""
        from rill import nn
        if self.dense_layers is None:
            self._make_variables(inputs)
        if isinstance(inputs, dict):
            missing = {layer.name for layer in self.dense_layers} - set(inputs)
            if missing:
                raise ValueError(f"The input dictionary does not match the structure expected by the model. "
                                 f"Missing keys: {missing}")
            inputs = [inputs[layer.name] for layer in self.dense_layers]
        made = [layer(tensor) for layer, tensor in zip(self.dense_layers, _nest.flatten(inputs))]
        result = made[0]
        for part in made[1:]:
            result += part
        if self.use_bias:
            result = nn.bias_add(result, self.bias)
        return result if self.activation is None else self.activation(result)

    def get_config(self):
        """The arguments that make the same model."""
        return {"name": self.name, "units": self.units, "activation": activations.serialize(self.activation),
                "use_bias": self.use_bias, "kernel_initializer": initializers.serialize(self.kernel_initializer),
                "bias_initializer": initializers.serialize(self.bias_initializer),
                "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
                "bias_regularizer": regularizers.serialize(self.bias_regularizer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The model that get_config tells."""
        return cls(**config)


class WideDeepModel(Model):
    """The sum of what a linear and a deep model say."""

    def __init__(self, linear_model, dnn_model, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.linear_model, self.dnn_model = linear_model, dnn_model
        self.activation = activations.get(activation)

    def compile(self, optimizer="rmsprop", *args, **kwargs):
        """Says how the model is to be trained."""
        if isinstance(optimizer, (list, tuple)):
            raise UnimplementedError(None, None, "WideDeepModel.compile with an optimizer for each of the two models")
        super().compile(optimizer, *args, **kwargs)

    def call(self, inputs):
        """The sum for inputs that both models get, or for a pair of such."""
        pair = isinstance(inputs, (tuple, list)) and len(inputs) == 2
        wide, deep = inputs if pair else (inputs, inputs)
        summed = _nest.map_structure(lambda x, y: x + y, self.linear_model(wide), self.dnn_model(deep))
        return summed if self.activation is None else _nest.map_structure(self.activation, summed)

    def get_config(self):
        """The arguments that make the same model."""
        from rill.keras import layers
        return {"name": self.name, "linear_model": layers.serialize(self.linear_model),
                "dnn_model": layers.serialize(self.dnn_model), "activation": activations.serialize(self.activation)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The model that get_config tells."""
        from rill.keras import layers
        known = {"LinearModel": LinearModel, **(custom_objects or {})}
        parts = {key: layers.deserialize(config[key], known) for key in ("linear_model", "dnn_model")}
        return cls(**{**config, **parts})
