"""More programs as users of tf.keras 1.15 wrote them."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models, optimizers
from tensorflow.keras.layers import (GRU, LSTM, Bidirectional, Conv2D, Dense, Dot, Dropout, Embedding, Flatten, Input, Lambda,
                                     MaxPooling2D, Multiply, Permute, RepeatVector, TimeDistributed)
from tensorflow.keras.models import Model, Sequential


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


def fix(model):
    model.set_weights([np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2
                       for i, w in enumerate(model.get_weights())])
    return model


def run(model, x, y, epochs=2, **kwargs):
    history = model.fit(x, y, epochs=epochs, batch_size=4, verbose=0, shuffle=False, **kwargs)
    return {"loss": history.history["loss"], "made": model.predict(x)}


def program_given_vectors():
    vectors = values(9, 3)
    model = Sequential()
    model.add(Embedding(9, 3, weights=[vectors], input_length=4, trainable=False))
    model.add(Flatten())
    model.add(Dense(1, activation="sigmoid", kernel_initializer="ones"))
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["acc"])
    made = run(model, np.arange(32).reshape(8, 4) % 9, np.arange(8) % 2)
    made["trainable"] = [w.name for w in model.trainable_weights]
    made["kept"] = model.layers[0].get_weights()
    return made


def program_input_dim():
    model = Sequential()
    model.add(Dense(6, input_dim=3, activation="relu"))
    model.add(Dropout(0.0))
    model.add(Dense(1, activation="sigmoid"))
    fix(model)
    model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
    return run(model, values(8, 3), np.arange(8) % 2)


def program_siamese():
    def distance(pair):
        a, b = pair
        return K.sqrt(K.maximum(K.sum(K.square(a - b), axis=1, keepdims=True), K.epsilon()))

    def contrastive(y_true, y_pred):
        return K.mean(y_true * K.square(y_pred) + (1 - y_true) * K.square(K.maximum(1 - y_pred, 0)))

    def accuracy(y_true, y_pred):
        return K.mean(K.equal(y_true, K.cast(y_pred < 0.5, y_true.dtype)))
    x = Input(shape=(3,))
    base = Model(x, Dense(2)(Dense(4, activation="relu")(x)))
    a, b = Input(shape=(3,)), Input(shape=(3,))
    model = fix(Model([a, b], Lambda(distance, output_shape=lambda shapes: (shapes[0][0], 1))([base(a), base(b)])))
    model.compile(loss=contrastive, optimizer=optimizers.RMSprop(), metrics=[accuracy])
    history = model.fit([values(8, 3), values(8, 3)[::-1]], np.arange(8) % 2, epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "accuracy": history.history["accuracy"], "names": [w.name for w in model.weights]}


def program_attention_by_hand():
    x = Input((4, 3))
    states = LSTM(3, return_sequences=True)(x)
    scores = layers.Activation("softmax")(Flatten()(Dense(1, activation="tanh")(states)))
    weighted = Multiply()([states, Permute([2, 1])(RepeatVector(3)(scores))])
    model = fix(Model(x, Dense(1)(Lambda(lambda t: K.sum(t, axis=1))(weighted))))
    model.compile("adam", "mse")
    return run(model, values(8, 4, 3), values(8, 1))


def program_factors():
    user, item = Input((1,), name="user"), Input((1,), name="item")
    u = Flatten()(Embedding(5, 3, name="users")(user))
    i = Flatten()(Embedding(6, 3, name="items")(item))
    model = fix(Model([user, item], Dot(axes=1)([u, i])))
    model.compile(optimizers.SGD(0.1), "mean_squared_error")
    x = [np.arange(8) % 5, np.arange(8) % 6]
    history = model.fit(x, values(8), epochs=3, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "weights": model.get_weights()}


def program_frames():
    images = Sequential([Conv2D(2, 3, activation="relu", input_shape=(5, 5, 1)), MaxPooling2D(), Flatten()])
    model = fix(Sequential([TimeDistributed(images, input_shape=(3, 5, 5, 1)), GRU(2), Dense(1)]))
    model.compile("adam", "mse")
    return run(model, values(8, 3, 5, 5, 1), values(8, 1))


def program_tagger():
    model = fix(Sequential([Embedding(7, 3, input_length=4), Bidirectional(LSTM(2, return_sequences=True)),
                            TimeDistributed(Dense(3, activation="softmax"))]))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x = np.arange(32).reshape(8, 4) % 7
    history = model.fit(x, (x % 3)[..., None], epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "acc": history.history["acc"], "shape": str(model.output_shape)}


def program_stateful_training():
    model = fix(Sequential([LSTM(3, stateful=True, batch_input_shape=(2, 3, 1)), Dense(1)]))
    model.compile("sgd", "mse")
    losses = []
    for _ in range(2):
        losses += model.fit(values(4, 3, 1), values(4, 1), epochs=1, batch_size=2, verbose=0, shuffle=False).history["loss"]
        model.reset_states()
    return {"losses": losses, "weights": model.get_weights()}


def program_many_outputs():
    x = Input((3,))
    hidden = [Dense(2, activation="relu", name="h%d" % i)(x) for i in range(3)]
    model = fix(Model(x, [Dense(1, name="o%d" % i)(h) for i, h in enumerate(hidden)]))
    model.compile("sgd", loss=["mse", "mae", "mse"], metrics=["mae"], loss_weights=[1.0, 0.5, 0.25])
    history = model.fit(values(8, 3), [values(8, 1)] * 3, epochs=2, batch_size=4, verbose=0, shuffle=False)
    names = sorted(history.history)
    return {"names": names, "history": [history.history[name] for name in names], "evaluated": model.evaluate(
        values(8, 3), [values(8, 1)] * 3, verbose=0), "order": model.metrics_names}


def program_shapes_by_hand():
    x = Input((4, 6))
    y = layers.Reshape((K.int_shape(x)[1] * 2, K.int_shape(x)[2] // 2))(x)
    y = Lambda(lambda t: K.stack([t, t * 2], axis=-1))(y)
    y = Lambda(lambda t: t[:, 1:3, ..., 0])(y)
    model = Model(x, layers.GlobalMaxPooling1D()(y))
    return {"made": model.predict(values(3, 4, 6)), "shape": str(model.output_shape)}


def program_copied_weights():
    first = fix(Sequential([Dense(3, input_shape=(2,), name="a"), Dense(1, name="b")]))
    second = models.clone_model(first)
    second.set_weights(first.get_weights())
    for layer, other in zip(first.layers, second.layers):
        other.set_weights([w * 2 for w in layer.get_weights()])
    return {"first": first.predict(values(4, 2)), "second": second.predict(values(4, 2)),
            "names": [layer.name for layer in second.layers]}


def program_variable_lengths():
    x = Input((None, 2))
    model = fix(Model(x, Dense(1)(GRU(3)(x))))
    return {"short": model.predict(values(2, 3, 2)), "long": model.predict(values(2, 6, 2))}


def program_tensor_outputs():
    model = fix(Sequential([Dense(3, activation="softmax", input_shape=(2,))]))
    loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(tf.constant([0, 1, 2, 0]), model(tf.constant(values(4, 2)))))
    gradients = tf.gradients(loss, model.trainable_weights)
    session = K.get_session()
    return {"loss": session.run(loss), "gradients": session.run(gradients)}


def program_optimizer_by_hand():
    model = fix(Sequential([Dense(2, input_shape=(3,)), Dense(1)]))
    y = K.placeholder((None, 1))
    loss = K.mean(K.square(model.output - y))
    updates = optimizers.Adam(0.05).get_updates(loss=loss, params=model.trainable_weights)
    train = K.function([model.input, y], [loss], updates=updates)
    return {"losses": [train([values(8, 3), values(8, 1)])[0] for _ in range(3)], "weights": model.get_weights()}


def program_preprocessing():
    padded = tf.keras.preprocessing.sequence.pad_sequences([[1, 2, 3], [4], [5, 6, 7, 8, 9]], maxlen=4)
    post = tf.keras.preprocessing.sequence.pad_sequences([[1.5], []], maxlen=3, dtype="float32", padding="post", value=-1.0)
    words = tf.keras.preprocessing.text.Tokenizer(num_words=6)
    words.fit_on_texts(["a b a c", "b a d!", "E f, g"])
    return {"padded": padded, "post": post, "sequences": str(words.texts_to_sequences(["a d b x", "g f E c"])),
            "index": str(sorted(words.word_index.items())), "matrix": words.texts_to_matrix(["a a b", "d"], mode="freq"),
            "tfidf": words.texts_to_matrix(["a a b"], mode="tfidf"),
            "table": tf.keras.preprocessing.sequence.make_sampling_table(5)}


def program_normalised_inside():
    inner = Sequential([Dense(2, input_shape=(3,)), layers.BatchNormalization(momentum=0.5)])
    model = Sequential([inner, Dense(1)])
    weights = [np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 + (0.6 if w.min() == 1 else 0)
               for i, w in enumerate(model.get_weights())]
    model.set_weights(weights)
    model.compile("sgd", "mse")
    made = run(model, values(8, 3), values(8, 1))
    made["weights"] = model.get_weights()
    return made


def program_normalised_model():
    a = Input((3,))
    inner = Model(a, layers.BatchNormalization(momentum=0.5)(Dense(2, activity_regularizer="l2")(a)))
    b = Input((3,))
    model = Model(b, Dense(1)(inner(b)))
    model.set_weights([np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 + (0.6 if w.min() == 1 else 0)
                       for i, w in enumerate(model.get_weights())])
    model.compile("sgd", "mse")
    return run(model, values(8, 3), values(8, 1))


def program_block_of_layers():
    class Block(layers.Layer):
        def __init__(self, n, **kwargs):
            super(Block, self).__init__(**kwargs)
            self.a, self.b = Dense(n), Dense(n)

        def call(self, inputs):
            return self.b(self.a(inputs)) + inputs

    model = fix(Sequential([Block(3, input_shape=(3,)), Dense(1)]))
    model.compile("adam", "mse")
    made = run(model, values(8, 3), values(8, 1))
    made["names"] = [w.name for w in model.weights]
    return made


def program_training_told():
    model = Sequential([Dense(2, input_shape=(3,)), layers.BatchNormalization()])
    model.set_weights([np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 + (0.6 if w.min() == 1 else 0)
                       for i, w in enumerate(model.get_weights())])
    x = tf.placeholder("float32", [None, 3])
    return {"made": K.get_session().run([model(x, training=True), model(x, training=False)], {x: values(4, 3)})}


def program_split_by_lambda():
    a = Input((3,))
    x, y = Lambda(lambda t: tf.split(t, [1, 2], 1))(a)
    return {"made": Model(a, [x, y]).predict(values(4, 3))}


def program_lists_of_layers():
    class Net(Model):
        def __init__(self):
            super(Net, self).__init__()
            self.hidden = [Dense(2) for _ in range(2)]
            self.out = Dense(1)

        def call(self, inputs, training=None):
            for layer in self.hidden:
                inputs = layer(inputs)
            return self.out(inputs)

    model = Net()
    model.compile("sgd", "mse")
    model.predict(values(4, 3))
    fix(model)
    made = run(model, values(8, 3), values(8, 1))
    made["names"] = [w.name for w in model.weights]
    return made
