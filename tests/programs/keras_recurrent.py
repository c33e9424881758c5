"""Recurrent layers of tf.keras with fixed weights."""
import functools

import numpy as np
import tensorflow as tf

K = tf.keras.layers


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


def fixed(weights):
    return [np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 for i, w in enumerate(weights)]


def applied(make):
    x = tf.keras.Input((3, 2))
    model = tf.keras.Model(x, make()(x))
    first = model.get_weights()
    model.set_weights(fixed(first))
    return {"made": model.predict(values(4, 3, 2)), "shapes": str([w.shape for w in first]), "bias": first[-1]}


LAYERS = {
    "simple_rnn": lambda: K.SimpleRNN(4),
    "simple_rnn_sequences": lambda: K.SimpleRNN(4, return_sequences=True, activation="relu"),
    "simple_rnn_backwards": lambda: K.SimpleRNN(2, go_backwards=True, return_sequences=True),
    "simple_rnn_unrolled": lambda: K.SimpleRNN(2, unroll=True),
    "gru": lambda: K.GRU(3),
    "gru_reset_after": lambda: K.GRU(3, reset_after=True),
    "gru_sequences": lambda: K.GRU(3, return_sequences=True, use_bias=True, implementation=2),
    "lstm": lambda: K.LSTM(3),
    "lstm_sequences": lambda: K.LSTM(3, return_sequences=True),
    "lstm_state": lambda: K.LSTM(3, return_state=True),
    "lstm_sigmoid": lambda: K.LSTM(3, recurrent_activation="sigmoid", unit_forget_bias=False),
    "lstm_dropout": lambda: K.LSTM(3, dropout=0.3, recurrent_dropout=0.2),
    "rnn_of_cell": lambda: K.RNN(K.LSTMCell(2), return_sequences=True),
    "rnn_of_cells": lambda: K.RNN([K.GRUCell(3), K.SimpleRNNCell(2)]),
    "rnn_stacked": lambda: K.RNN(K.StackedRNNCells([K.LSTMCell(3), K.LSTMCell(2)])),
    "bidirectional": lambda: K.Bidirectional(K.LSTM(2)),
    "bidirectional_sequences": lambda: K.Bidirectional(K.GRU(2, return_sequences=True)),
    "bidirectional_sum": lambda: K.Bidirectional(K.SimpleRNN(2), merge_mode="sum"),
    "time_distributed_rnn": lambda: K.TimeDistributed(K.Dense(2)),
}
for _name, _make in LAYERS.items():
    globals()[f"program_{_name}"] = functools.partial(applied, _make)


def program_masked():
    model = tf.keras.Sequential([K.Masking(input_shape=(4, 1)), K.LSTM(2, return_sequences=True), K.SimpleRNN(2)])
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict(np.array([[[1], [2], [0], [0]], [[1], [0], [3], [1]]], "float32"))}


def program_initial_state():
    x, h, c = tf.keras.Input((3, 2)), tf.keras.Input((2,)), tf.keras.Input((2,))
    model = tf.keras.Model([x, h, c], K.LSTM(2)(x, initial_state=[h, c]))
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict([values(2, 3, 2), values(2, 2), values(2, 2) + 1])}


def program_stateful():
    model = tf.keras.Sequential([K.LSTM(2, stateful=True, batch_input_shape=(2, 3, 1))])
    model.set_weights(fixed(model.get_weights()))
    x = values(2, 3, 1)
    first, second = model.predict(x, batch_size=2), model.predict(x, batch_size=2)
    model.reset_states()
    return {"first": first, "second": second, "again": model.predict(x, batch_size=2)}


def program_custom_cell():
    class Cell(K.Layer):
        def __init__(self, units, **kwargs):
            self.units = units
            self.state_size = units
            super(Cell, self).__init__(**kwargs)

        def build(self, input_shape):
            self.kernel = self.add_weight(shape=(int(input_shape[-1]), self.units), initializer="ones", name="kernel")
            self.built = True

        def call(self, inputs, states):
            output = tf.matmul(inputs, self.kernel) + states[0]
            return output, [output]

    model = tf.keras.Sequential([K.RNN(Cell(2), input_shape=(3, 2))])
    return {"made": model.predict(values(4, 3, 2))}


def program_trained():
    model = tf.keras.Sequential([K.Embedding(6, 3, input_length=4), K.LSTM(4), K.Dense(1, activation="sigmoid")])
    model.set_weights(fixed(model.get_weights()))
    model.compile(tf.keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"])
    x = np.array([[1, 2, 3, 4], [2, 3, 4, 5], [5, 4, 3, 2], [4, 3, 2, 1]])
    history = model.fit(x, np.array([1, 1, 0, 0]), epochs=3, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "acc": history.history["acc"], "made": model.predict(x)}


def program_conv_lstm():
    x = tf.keras.Input((3, 4, 5, 2))
    model = tf.keras.Model(x, [K.ConvLSTM2D(2, 3, padding="same", return_sequences=True, name="a")(x), K.ConvLSTM2D(2, 2, name="b")(x)])
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict(values(2, 3, 4, 5, 2)), "shapes": str([t.shape.as_list() for t in model.outputs])}
