"""Programs as users of tf.keras 1.15 wrote them, with fixed weights and data."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras import layers
from tensorflow.keras.layers import (LSTM, Activation, BatchNormalization, Conv1D, Conv2D, Dense, Dropout, Embedding, Flatten,
                                     GlobalAveragePooling1D, GlobalMaxPooling1D, Input, MaxPooling2D, Reshape, concatenate)
from tensorflow.keras.models import Model, Sequential


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


def fixed(weights):
    return [np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 + (0.6 if w.size and w.min() == 1 else 0)
            for i, w in enumerate(weights)]


def fix(model):
    model.set_weights(fixed(model.get_weights()))
    return model


def program_digits():
    model = Sequential()
    model.add(Conv2D(4, kernel_size=(3, 3), activation="relu", input_shape=(8, 8, 1)))
    model.add(Conv2D(4, (3, 3), activation="relu"))
    model.add(MaxPooling2D(pool_size=(2, 2)))
    model.add(Dropout(0.0))
    model.add(Flatten())
    model.add(Dense(8, activation="relu"))
    model.add(Dense(3, activation="softmax"))
    fix(model)
    model.compile(loss=keras.losses.categorical_crossentropy, optimizer=keras.optimizers.Adadelta(lr=1.0), metrics=["accuracy"])
    x, y = values(12, 8, 8, 1), keras.utils.to_categorical(np.arange(12) % 3, 3)
    history = model.fit(x, y, batch_size=4, epochs=2, verbose=0, validation_data=(x, y), shuffle=False)
    score = model.evaluate(x, y, verbose=0)
    return {"loss": history.history["loss"], "val": history.history["val_acc"], "score": score}


def program_reviews():
    model = keras.Sequential([Embedding(20, 4), GlobalAveragePooling1D(), Dense(4, activation=tf.nn.relu),
                              Dense(1, activation=tf.nn.sigmoid)])
    model.build((None, 5))
    fix(model)
    model.compile(optimizer=tf.train.AdamOptimizer(0.01), loss="binary_crossentropy", metrics=["accuracy"])
    x, y = np.arange(40).reshape(8, 5) % 20, np.arange(8) % 2
    history = model.fit(x, y, epochs=3, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "made": model.predict(x)}


def program_fuel():
    model = keras.Sequential([layers.Dense(6, activation="relu", input_shape=[3]), layers.Dense(6, activation="relu"),
                              layers.Dense(1)])
    fix(model)
    model.compile(loss="mean_squared_error", optimizer=keras.optimizers.RMSprop(0.001),
                  metrics=["mean_absolute_error", "mean_squared_error"])
    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2)
    history = model.fit(values(20, 3), values(20), epochs=4, validation_split=0.2, verbose=0, callbacks=[stop], shuffle=False)
    return {"names": sorted(history.history), "mae": history.history["val_mean_absolute_error"]}


def program_two_inputs():
    text, tags = Input(shape=(4,), dtype="int32", name="text"), Input(shape=(3,), name="tags")
    x = Embedding(output_dim=3, input_dim=10, input_length=4)(text)
    x = LSTM(4)(x)
    aux = Dense(1, activation="sigmoid", name="aux")(x)
    x = concatenate([x, tags])
    main = Dense(1, activation="sigmoid", name="main")(Dense(4, activation="relu")(x))
    model = Model(inputs=[text, tags], outputs=[main, aux])
    fix(model)
    model.compile(optimizer="rmsprop", loss="binary_crossentropy", loss_weights=[1.0, 0.2])
    words, y = np.arange(24).reshape(6, 4) % 10, np.arange(6) % 2
    history = model.fit([words, values(6, 3)], [y, y], epochs=2, batch_size=3, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "main": history.history["main_loss"], "names": model.metrics_names,
            "made": model.predict([words, values(6, 3)])}


def program_residual():
    x = inputs = Input((6, 6, 2))
    for filters in (2, 2):
        y = Conv2D(filters, 3, padding="same", use_bias=False)(x)
        y = BatchNormalization()(y)
        y = Activation("relu")(y)
        x = layers.add([x, y])
    x = layers.GlobalAveragePooling2D()(x)
    model = fix(Model(inputs, Dense(2, activation="softmax")(x)))
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["acc"])
    x, y = values(8, 6, 6, 2), np.arange(8) % 2
    history = model.fit(x, y, epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "weights": model.get_weights(), "names": [w.name for w in model.weights]}


def program_adversaries():
    generator = fix(Sequential([Dense(4, activation="relu", input_shape=(2,)), Dense(3)]))
    critic = fix(Sequential([Dense(4, activation="relu", input_shape=(3,)), Dense(1, activation="sigmoid")]))
    critic.compile(keras.optimizers.SGD(0.1), "binary_crossentropy")
    noise = Input((2,))
    critic.trainable = False
    combined = Model(noise, critic(generator(noise)))
    combined.compile(keras.optimizers.SGD(0.1), "binary_crossentropy")
    losses = []
    for _ in range(3):
        fake = generator.predict(values(4, 2))
        losses.append(critic.train_on_batch(np.concatenate([fake, values(4, 3)]), np.array([0.0] * 4 + [1.0] * 4)))
        losses.append(combined.train_on_batch(values(4, 2), np.ones(4)))
    return {"losses": losses, "critic": critic.get_weights(), "generator": generator.get_weights(),
            "trained": len(combined.trainable_weights)}


def program_inner_values():
    model = fix(Sequential([Dense(4, activation="relu", input_shape=(3,)), Dropout(0.0), Dense(2)]))
    inner = K.function([model.layers[0].input, K.learning_phase()], [model.layers[1].output])
    outputs = K.function([model.input], [layer.output for layer in model.layers])
    return {"inner": inner([values(4, 3), 0])[0], "outputs": outputs([values(4, 3)])}


def program_saliency():
    model = fix(Sequential([Dense(4, activation="tanh", input_shape=(3,)), Dense(2, activation="softmax")]))
    gradients = K.gradients(model.output[:, 1], model.input)[0]
    return {"made": K.function([model.input], [gradients])([values(4, 3)])[0]}


def program_plain_graph():
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 1])
    hidden = Dense(4, activation="relu", kernel_initializer="ones")(x)
    predicted = Dense(1, kernel_initializer=tf.constant_initializer(0.1))(hidden)
    loss = tf.reduce_mean(keras.losses.mean_squared_error(y, predicted))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    losses = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            losses.append(session.run([loss, train], {x: values(4, 3), y: values(4, 1)})[0])
    return {"losses": losses, "names": [v.name for v in tf.trainable_variables()]}


def program_model_in_a_graph():
    model = Sequential([Dense(4, activation="relu", input_shape=(3,)), BatchNormalization(), Dense(1)])
    x = tf.placeholder(tf.float32, [None, 3])
    loss = tf.reduce_mean(tf.square(model(x) - 1.0))
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    K.set_session(tf.Session())
    session = K.get_session()
    session.run(tf.global_variables_initializer())
    fix(model)
    losses = [session.run([loss, train], {x: values(4, 3), K.learning_phase(): 0})[0] for _ in range(3)]
    return {"losses": losses, "trainable": [v.name for v in tf.trainable_variables()]}


def program_encoder():
    inputs = Input(shape=(6,))
    encoded = Dense(2, activation="relu", activity_regularizer=keras.regularizers.l1(1e-3))(inputs)
    decoded = Dense(6, activation="sigmoid")(encoded)
    whole, encoder = Model(inputs, decoded), Model(inputs, encoded)
    code = Input(shape=(2,))
    decoder = Model(code, whole.layers[-1](code))
    fix(whole)
    whole.compile(optimizer="adadelta", loss="binary_crossentropy")
    history = whole.fit(np.abs(values(8, 6)), np.abs(values(8, 6)), epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "made": decoder.predict(encoder.predict(values(8, 6)))}


def program_sampling():
    x = Input((4,))
    mean, spread = Dense(2)(x), Dense(2)(x)
    z = layers.Lambda(lambda parts: parts[0] + K.exp(parts[1] / 2) * 0.5, output_shape=(2,))([mean, spread])
    model = Model(x, Dense(4)(z))
    divergence = -0.5 * K.sum(1 + spread - K.square(mean) - K.exp(spread), axis=-1)
    model.add_loss(K.mean(divergence))
    fix(model)
    model.compile("adam", "mse")
    history = model.fit(values(8, 4), values(8, 4), epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"]}


def program_sentences():
    model = fix(Sequential([Embedding(12, 4, input_length=6), Conv1D(3, 3, activation="relu"), GlobalMaxPooling1D(),
                            Dense(1, activation="sigmoid")]))
    model.compile("adam", "binary_crossentropy", metrics=["acc"])
    x = np.arange(48).reshape(8, 6) % 12
    history = model.fit(x, np.arange(8) % 2, epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "acc": history.history["acc"]}


def program_translation():
    source, target = Input((None, 3)), Input((None, 2))
    _, h, c = LSTM(4, return_state=True)(source)
    outputs, _, _ = LSTM(4, return_sequences=True, return_state=True)(target, initial_state=[h, c])
    model = fix(Model([source, target], Dense(2, activation="softmax")(outputs)))
    model.compile("rmsprop", "categorical_crossentropy")
    y = np.eye(2, dtype="float32")[np.arange(20).reshape(4, 5) % 2]
    history = model.fit([values(4, 3, 3), values(4, 5, 2)], y, epochs=2, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "made": model.predict([values(4, 3, 3), values(4, 5, 2)])}


def program_transfer():
    base = fix(Sequential([Dense(4, activation="relu", input_shape=(3,)), Dense(3, activation="relu")]))
    for layer in base.layers:
        layer.trainable = False
    x = base.output
    model = Model(inputs=base.input, outputs=Dense(2, activation="softmax", kernel_initializer="ones")(x))
    model.compile(optimizer=keras.optimizers.SGD(lr=0.1, momentum=0.9), loss="sparse_categorical_crossentropy")
    history = model.fit(values(8, 3), np.arange(8) % 2, epochs=3, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "weights": model.get_weights(), "layers": len(model.layers)}


def program_pixels():
    model = fix(Sequential([Dense(8, input_shape=(3,)), Reshape((2, 2, 2)), layers.UpSampling2D(), layers.LeakyReLU(0.2),
                            layers.Conv2DTranspose(1, 3, padding="same", activation="tanh")]))
    model.compile(keras.optimizers.Adam(0.01, beta_1=0.5), "mse")
    history = model.fit(values(6, 3), values(6, 4, 4, 1), epochs=2, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "made": model.predict(values(2, 3))}


def program_temporal_weights():
    model = fix(Sequential([LSTM(3, return_sequences=True, input_shape=(4, 2)), layers.TimeDistributed(Dense(1))]))
    model.compile("sgd", "mse", sample_weight_mode="temporal")
    weights = np.arange(24).reshape(6, 4) / 12.0
    history = model.fit(values(6, 4, 2), values(6, 4, 1), sample_weight=weights, epochs=2, verbose=0, shuffle=False)
    return {"loss": history.history["loss"]}


def program_masked_training():
    model = fix(Sequential([Embedding(6, 3, mask_zero=True, input_length=4), LSTM(3, return_sequences=True),
                            layers.TimeDistributed(Dense(2, activation="softmax"))]))
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["acc"])
    x = np.array([[1, 2, 0, 0], [3, 4, 5, 0], [2, 0, 0, 0], [1, 2, 3, 4]])
    # 1.15 divides the loss by the number of all steps, 2.15 by that of those that count.
    return {"acc": model.evaluate(x, (x % 2)[..., np.newaxis], verbose=0)[1], "made": model.predict(x)}
