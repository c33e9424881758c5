"""Keras 2.3.1: the first steps of its documentation, and what a user reaches for next."""
import os
import tempfile

import keras
import numpy as np
from keras import backend as K
from keras.layers import (LSTM, GRU, Activation, BatchNormalization, Bidirectional, Conv1D, Conv2D, Dense, Dropout,
                          Embedding, Flatten, GlobalAveragePooling1D, Input, Lambda, MaxPooling2D, SimpleRNN,
                          TimeDistributed, concatenate)
from keras.models import Model, Sequential, load_model, model_from_json
from keras.preprocessing.image import ImageDataGenerator
from keras.utils import to_categorical

random = np.random.RandomState(0)


def multilayer_perceptron():
    x = random.rand(512, 20).astype("float32")
    y = to_categorical((x.sum(axis=1) > 10).astype(int), 2)
    model = Sequential()
    model.add(Dense(units=64, activation="relu", input_dim=20))
    model.add(Dropout(0.2))
    model.add(Dense(units=2, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.SGD(lr=0.1, momentum=0.9, nesterov=True),
                  metrics=["accuracy"])
    history = model.fit(x, y, epochs=12, batch_size=32, validation_split=0.1, verbose=0)
    assert history.history["loss"][-1] < history.history["loss"][0] * 0.6
    assert {"loss", "accuracy", "val_loss", "val_accuracy"} == set(history.history)
    model.train_on_batch(x[:32], y[:32])
    loss, accuracy = model.evaluate(x, y, batch_size=128, verbose=0)
    assert accuracy > 0.85, accuracy
    assert model.predict(x, batch_size=128).shape == (512, 2)
    return model, x


def saved(model, x, folder):
    path = os.path.join(folder, "model.h5")
    model.save(path)
    again = load_model(path)
    np.testing.assert_allclose(again.predict(x), model.predict(x), rtol=1e-5)
    model.save_weights(os.path.join(folder, "weights.h5"))
    rebuilt = model_from_json(model.to_json())
    rebuilt.load_weights(os.path.join(folder, "weights.h5"))
    np.testing.assert_allclose(rebuilt.predict(x), model.predict(x), rtol=1e-5)
    again.fit(x, to_categorical(np.zeros(len(x)), 2), epochs=1, verbose=0)  # the optimizer came along


def convolutional_net(folder):
    x, y = random.rand(64, 12, 12, 3).astype("float32"), random.randint(0, 3, 64)
    x[np.arange(64), :, :, y] += 1
    model = Sequential([
        Conv2D(8, (3, 3), activation="relu", input_shape=(12, 12, 3)), BatchNormalization(), MaxPooling2D((2, 2)),
        Conv2D(8, 3, padding="same"), Activation("relu"), Flatten(), Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    pictures = ImageDataGenerator(horizontal_flip=True, width_shift_range=0.1)
    callbacks = [keras.callbacks.EarlyStopping(monitor="val_loss", patience=50),
                 keras.callbacks.ReduceLROnPlateau(patience=3),
                 keras.callbacks.ModelCheckpoint(os.path.join(folder, "best.h5"), save_best_only=True),
                 keras.callbacks.CSVLogger(os.path.join(folder, "log.csv")),
                 keras.callbacks.TensorBoard(os.path.join(folder, "logs"), histogram_freq=0),
                 keras.callbacks.LearningRateScheduler(lambda epoch: 0.01 if epoch < 4 else 0.003)]
    history = model.fit_generator(pictures.flow(x, y, batch_size=16), steps_per_epoch=4, epochs=6, verbose=0,
                                  validation_data=(x, y), callbacks=callbacks)
    assert history.history["loss"][-1] < history.history["loss"][0]
    assert os.path.exists(os.path.join(folder, "best.h5")) and os.listdir(os.path.join(folder, "logs"))
    model.evaluate_generator(pictures.flow(x, y, batch_size=16), steps=2)
    assert model.predict_generator(pictures.flow(x, batch_size=16, shuffle=False), steps=4).shape == (64, 3)


def recurrent_nets():
    words, labels = random.randint(1, 50, (96, 9)), random.randint(0, 2, 96)
    words[labels == 1, 3] = 7
    for layer in (LSTM(16), GRU(16, reset_after=True), SimpleRNN(16), Bidirectional(LSTM(8)),
                  LSTM(8, dropout=0.2, recurrent_dropout=0.2, unroll=True)):
        model = Sequential([Embedding(50, 8, input_length=9, mask_zero=True), layer, Dense(1, activation="sigmoid")])
        model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
        history = model.fit(words, labels, epochs=4, batch_size=16, verbose=0)
        assert np.isfinite(history.history["loss"]).all()
    model = Sequential([LSTM(8, return_sequences=True, stateful=True, batch_input_shape=(4, 5, 3)),
                        TimeDistributed(Dense(2)), GlobalAveragePooling1D()])
    model.compile("sgd", "mse")
    model.fit(random.rand(8, 5, 3), random.rand(8, 2), batch_size=4, epochs=2, shuffle=False, verbose=0)
    model.reset_states()


def functional_models():
    question, picture = Input((7,), dtype="int32"), Input((6, 4))
    encoded = LSTM(6)(Embedding(20, 5)(question))
    seen = Flatten()(Conv1D(4, 3, padding="causal")(picture))
    merged = concatenate([encoded, Lambda(lambda value: K.l2_normalize(value, axis=1))(seen)])
    shared = Dense(4, kernel_regularizer=keras.regularizers.l2(0.01), kernel_initializer="he_normal")
    model = Model([question, picture], [Dense(1, name="score")(shared(merged)),
                                        Dense(3, activation="softmax", name="kind")(merged)])
    model.compile("adagrad", {"score": "mse", "kind": "categorical_crossentropy"}, loss_weights={"score": 1, "kind": 0.5})
    model.summary(print_fn=lambda line: None)
    data = [random.randint(0, 20, (32, 7)), random.rand(32, 6, 4)]
    model.fit(data, {"score": random.rand(32), "kind": to_categorical(random.randint(0, 3, 32), 3)}, epochs=2, verbose=0)
    names = [layer.name for layer in model.layers]
    assert len(names) == len(set(names))


def main():
    with tempfile.TemporaryDirectory() as folder:
        model, x = multilayer_perceptron()
        saved(model, x, folder)
        convolutional_net(folder)
    recurrent_nets()
    functional_models()
    print("dense, convolutional and recurrent models are trained, saved, loaded; generators and callbacks work")


main()
