"""Layers of tf.keras around other layers."""

import copy

import rill as tf
from rill import _nest
from rill._layers import KerasLayer
from rill.keras import backend


class Wrapper(KerasLayer):
    """The base class of layers around another."""

    def __init__(self, layer, **kwargs):
        if not isinstance(layer, KerasLayer):
            raise AssertionError(f"a layer is expected, got {layer}")
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape=None):
        """Builds the layer inside."""
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    @property
    def activity_regularizer(self):
        """That of the layer inside."""
        return getattr(self.layer, "activity_regularizer", None)

    def get_config(self):
        """The layer inside as a dict."""
        from rill.keras import layers
        return {**super().get_config(), "layer": layers.serialize(self.layer)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The layer that `get_config` describes."""
        from rill.keras import layers
        config = copy.deepcopy(config)
        return cls(layers.deserialize(config.pop("layer"), custom_objects), **config)


def _sizes(tensor):
    """Known sizes as numbers, others as tensors."""
    known, now = tensor.shape.as_list(), None
    made = []
    for i, size in enumerate(known):
        if size is None:
            now = tf.shape(tensor) if now is None else now
            size = now[i]
        made.append(size)
    return made


class TimeDistributed(Wrapper):
    """A layer applied to each step."""

    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape=None):
        """Builds the layer inside for one step."""
        shape = tuple(tf.TensorShape(input_shape).as_list())
        if len(shape) < 3:
            raise ValueError("`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, "
                             f"received: {input_shape}")
        super().build((shape[0],) + shape[2:])

    def call(self, inputs, training=None, mask=None):
        """What the layer makes of each step."""
        from rill._layer_call import call_arguments_of
        sizes = _sizes(inputs)
        flat = tf.reshape(inputs, tf.stack([-1] + sizes[2:]) if len(sizes) > 2 else [-1])
        flat.set_shape([None] + inputs.shape.as_list()[2:])
        more = {"training": training} if call_arguments_of(self.layer.call).has("training") else {}
        made = self.layer.call(flat, **more)
        result = tf.reshape(made, tf.stack([-1, sizes[1]] + _sizes(made)[1:]))
        result.set_shape(inputs.shape.as_list()[:2] + made.shape.as_list()[1:])
        return result

    def compute_mask(self, inputs, mask=None):
        """The mask of the steps."""
        return mask

    def compute_output_shape(self, input_shape):
        """The shape of the outputs."""
        shape = tuple(tf.TensorShape(input_shape).as_list())
        inner = tf.TensorShape(self.layer.compute_output_shape((shape[0],) + shape[2:])).as_list()
        return tf.TensorShape([inner[0], shape[1]] + inner[1:])


class Bidirectional(Wrapper):
    """A recurrent layer that also steps backwards."""

    _UNTRACKED = ("layer",)  # only what the other two are made like

    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        if not isinstance(layer, KerasLayer):
            raise ValueError(f"Please initialize `Bidirectional` layer with a `Layer` instance. You passed: {layer}")
        if merge_mode not in ("sum", "mul", "ave", "concat", None):
            raise ValueError('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
        super().__init__(layer, **kwargs)
        self._core.remove_layer(layer)
        self.forward_layer = self._copy(layer, "forward_" + layer.name)
        self.backward_layer = backward_layer or self._copy(layer, "backward_" + layer.name,
                                                           go_backwards=not layer.go_backwards)
        self.merge_mode, self.supports_masking = merge_mode, True
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.stateful = layer.stateful
        if weights is not None:
            half = len(weights) // 2
            object.__setattr__(self.forward_layer, "_initial_weights", weights[:half])
            object.__setattr__(self.backward_layer, "_initial_weights", weights[half:])

    @staticmethod
    def _copy(layer, name, **changes):
        return type(layer).from_config({**layer.get_config(), "name": name, **changes})

    def build(self, input_shape=None):
        """The layers inside are built when they are called."""
        self.built = True

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        """The outputs for inputs, which states may stand behind."""
        if initial_state is not None:
            inputs = [inputs] + _nest.flatten(initial_state)
        return super().__call__(inputs, **kwargs)

    def call(self, inputs, training=None, mask=None, initial_state=None, constants=None):
        """What both layers make, put together."""
        states = None
        if isinstance(inputs, (list, tuple)):
            inputs, states = inputs[0], list(inputs[1:])
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        half = len(states) // 2 if states else 0
        made = self.forward_layer(inputs, training=training, mask=mask,
                                  initial_state=states[:half] if half else None)
        back = self.backward_layer(inputs, training=training, mask=mask,
                                   initial_state=states[half:] if half else None)
        more = []
        if self.return_state:
            more, made, back = list(made[1:]) + list(back[1:]), made[0], back[0]
        if self.return_sequences:
            back = backend.reverse(back, 1)
        merged = {"concat": lambda: backend.concatenate([made, back]), "sum": lambda: made + back,
                  "ave": lambda: (made + back) / 2, "mul": lambda: made * back,
                  None: lambda: [made, back]}[self.merge_mode]()
        if not more:
            return merged
        return (merged if isinstance(merged, list) else [merged]) + more

    def compute_output_shape(self, input_shape):
        """The shape of the outputs, with those of the states behind it if they are asked for."""
        found = self.forward_layer.compute_output_shape(input_shape)
        found, states = (found[0], list(found[1:])) if self.return_state else (found, [])
        shape = tf.TensorShape(found).as_list()
        if self.merge_mode == "concat":
            shape[-1] *= 2
        made = [tf.TensorShape(shape)] * (1 if self.merge_mode else 2) + states * 2
        return made if len(made) > 1 else made[0]

    def reset_states(self):
        """Forgets the states of both layers."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_mask(self, inputs, mask):
        """The mask of the steps, for sequences."""
        mask = mask[0] if isinstance(mask, list) else mask
        if not self.return_sequences:
            return None
        return [mask, mask] if not self.merge_mode else mask

    def get_config(self):
        """The arguments that make the same layer."""
        return {**super().get_config(), "merge_mode": self.merge_mode}
