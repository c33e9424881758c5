"""tf.keras: errors, texts, and what programs look at beside values."""
import subprocess
import sys

import numpy as np
import pytest

import tensorflow as tf

K = tf.keras.layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def small(loss="mse", **kwargs):
    model = tf.keras.Sequential([K.Dense(2, input_shape=(3,)), K.Dense(1)])
    model.compile("sgd", loss, **kwargs)
    return model


X, Y = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")


def test_import_is_lazy():
    code = "import rill, sys; assert not [m for m in sys.modules if m.startswith('rill.keras')]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_summary_is_tensorflows():
    lines = []
    model = tf.keras.Sequential([K.Dense(3, input_shape=(4,)), K.Dropout(0.5), K.Dense(2)])
    model.summary(print_fn=lines.append)
    assert lines == [
        'Model: "sequential"',
        "_" * 65,
        "Layer (type)                 Output Shape              Param #   ",
        "=" * 65,
        "dense (Dense)                (None, 3)                 15        ",
        "_" * 65,
        "dropout (Dropout)            (None, 3)                 0         ",
        "_" * 65,
        "dense_1 (Dense)              (None, 2)                 8         ",
        "=" * 65,
        "Total params: 23",
        "Trainable params: 23",
        "Non-trainable params: 0",
        "_" * 65]


def test_summary_of_a_graph_names_connections():
    a = tf.keras.Input((2,), name="a")
    lines = []
    tf.keras.Model(a, K.Add(name="sum")([K.Dense(2, name="d")(a), a])).summary(print_fn=lines.append)
    assert any("Connected to" in line for line in lines)
    assert any("d[0][0]" in line for line in lines)


def test_verbose_output(capsys):
    small().fit(X, Y, epochs=2, verbose=2, validation_split=0.25)
    out = capsys.readouterr().out
    assert "Train on 6 samples, validate on 2 samples" in out
    assert "Epoch 1/2" in out and "Epoch 2/2" in out
    assert "6/6 - 0s - loss: " in out and " - val_loss: " in out
    small().evaluate(X, Y, verbose=1)
    assert "8/8 [==============================]" in capsys.readouterr().out


def test_wrong_data_is_told():
    model = small()
    with pytest.raises(ValueError, match="expected dense_input to have shape"):
        model.fit(np.ones((8, 4)), Y, verbose=0)
    with pytest.raises(ValueError, match="same number of samples"):
        model.fit(X, Y[:4], verbose=0)
    with pytest.raises(ValueError, match="not the size the model expected"):
        model.predict([X, X])
    with pytest.raises(RuntimeError, match="compile"):
        tf.keras.Sequential([K.Dense(1, input_shape=(3,))]).fit(X, Y)


def test_wrong_arguments_are_told():
    with pytest.raises(ValueError, match="Unknown activation function"):
        K.Dense(1, activation="nothing")
    with pytest.raises(ValueError, match="Unknown optimizer"):
        tf.keras.Sequential([K.Dense(1, input_shape=(3,))]).compile("nothing", "mse")
    with pytest.raises(ValueError, match="Unknown loss function"):
        small("nothing")
    with pytest.raises(TypeError, match="Unexpected keyword argument"):
        tf.keras.optimizers.SGD(0.1, nothing=1)
    with pytest.raises(ValueError, match="must be a tuple of 2 integers"):
        K.Conv2D(1, (1, 2, 3))
    with pytest.raises(TypeError, match="instance of class Layer"):
        tf.keras.Sequential([1])
    with pytest.raises(ValueError, match="No such layer"):
        small().get_layer("nothing")


def test_a_disconnected_model_is_told():
    a, b = tf.keras.Input((2,)), tf.keras.Input((2,))
    with pytest.raises(ValueError, match="Graph disconnected"):
        tf.keras.Model(a, K.add([a, b]))


@pytest.mark.parametrize("call", [lambda m: m.to_yaml()])
def test_what_is_not_there_says_so(call):
    with pytest.raises(tf.errors.UnimplementedError):
        call(small())


def test_get_file_takes_what_is_there(tmp_path):
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "y").write_text("")
    assert tf.keras.utils.get_file("y", "http://x/y", cache_dir=str(tmp_path)).endswith("y")


def test_callbacks_are_called_in_order():
    seen = []

    class Tell(tf.keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            seen.append("train")

        def on_epoch_begin(self, epoch, logs=None):
            seen.append(f"epoch {epoch}")

        def on_batch_end(self, batch, logs=None):
            seen.append(f"batch {batch} {sorted(logs)}")

        def on_epoch_end(self, epoch, logs=None):
            seen.append(sorted(logs))

        def on_train_end(self, logs=None):
            seen.append("end")
    small(metrics=["mae"]).fit(X, Y, batch_size=5, verbose=0, callbacks=[Tell()])
    names = ["loss", "mean_absolute_error"]
    assert seen == ["train", "epoch 0", f"batch 0 {sorted(['batch', 'size'] + names)}",
                    f"batch 1 {sorted(['batch', 'size'] + names)}", names, "end"]


def test_stopping_while_an_epoch_runs():
    class Stop(tf.keras.callbacks.Callback):
        def on_batch_end(self, batch, logs=None):
            self.model.stop_training = True
    assert small().fit(X, Y, batch_size=2, epochs=5, verbose=0, callbacks=[Stop()]).epoch == [0]


def test_errors_of_callbacks_come_through():
    def fail(*args):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        small().fit(X, Y, verbose=0, callbacks=[tf.keras.callbacks.LambdaCallback(on_epoch_end=fail)])


def test_csv_logger(tmp_path):
    path = tmp_path / "log.csv"
    small().fit(X, Y, epochs=2, verbose=0, callbacks=[tf.keras.callbacks.CSVLogger(str(path))])
    lines = path.read_text().splitlines()
    assert lines[0] == "epoch,loss" and len(lines) == 3


def test_terminate_on_nan(capsys):
    model = small()
    model.fit(X * np.nan, Y, epochs=3, verbose=0, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
    assert "Invalid loss, terminating training" in capsys.readouterr().out


def test_restore_best_weights():
    model = small()
    model.compile(tf.keras.optimizers.SGD(10.0), "mse")
    before = model.evaluate(X, Y, verbose=0)
    stop = tf.keras.callbacks.EarlyStopping("val_loss", patience=1, restore_best_weights=True)
    model.fit(X, Y, epochs=5, verbose=0, validation_data=(X, Y), callbacks=[stop])
    assert stop.best_weights is not None and before is not None


def test_custom_objects():
    class Double(K.Layer):
        def call(self, inputs):
            return inputs * 2

    model = tf.keras.Sequential([Double(input_shape=(2,)), K.Lambda(lambda x: x + 1)])
    with pytest.raises(ValueError, match="Unknown layer: Double"):
        tf.keras.Sequential.from_config(model.get_config())
    with tf.keras.utils.custom_object_scope({"Double": Double}):
        made = K.deserialize(K.serialize(model.layers[0]))
    assert isinstance(made, Double)


@pytest.mark.parametrize("layer", [
    K.Dense(3, activation="relu", kernel_regularizer="l2", kernel_constraint="unit_norm"), K.Conv2D(2, 3, strides=2),
    K.LSTM(4, return_sequences=True), K.Bidirectional(K.GRU(3)), K.TimeDistributed(K.Dense(2)), K.BatchNormalization(axis=1),
    K.Embedding(5, 2, mask_zero=True), K.Dropout(0.3, seed=4), K.ZeroPadding2D(((1, 2), (3, 4))), K.Concatenate(axis=1),
    K.RNN([K.LSTMCell(2), K.GRUCell(3)]), K.Dot(axes=(1, 2)), K.LeakyReLU(alpha=0.2), K.UpSampling2D(3)],
    ids=lambda layer: type(layer).__name__)
def test_configs_make_the_same_layer(layer):
    config = layer.get_config()
    assert str(type(layer).from_config(config).get_config()) == str(config)


def test_sequence_of_batches():
    class Batches(tf.keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return X[index:index + 2], Y[index:index + 2]
    model = small()
    assert len(model.fit_generator(Batches(), epochs=2, verbose=0).epoch) == 2
    assert model.predict_generator(Batches()).shape == (6, 1)
    assert model.fit(Batches(), epochs=1, verbose=0).epoch == [0]


def test_optimizer_numbers_can_be_changed():
    model = small()
    backend = tf.keras.backend
    backend.set_value(model.optimizer.lr, 0.25)
    assert backend.get_value(model.optimizer.lr) == np.float32(0.25)
    assert model.optimizer.get_config()["learning_rate"] == 0.25
    model.optimizer.lr = 0.5
    assert backend.get_value(model.optimizer.learning_rate) == np.float32(0.5)
    again = tf.keras.optimizers.deserialize(tf.keras.optimizers.serialize(model.optimizer))
    assert again.get_config() == model.optimizer.get_config()


def test_session_of_the_program_is_used():
    with tf.Session() as session:
        model = small()
        session.run(tf.global_variables_initializer())
        model.fit(X, Y, verbose=0)
        np.testing.assert_allclose(session.run(model.weights[0]), model.get_weights()[0])


def test_losses_of_programs():
    class Cubed(tf.keras.losses.Loss):
        def call(self, y_true, y_pred):
            return tf.reduce_mean(tf.abs(y_true - y_pred) ** 3, axis=-1)
    model = small(Cubed())
    predicted = model.predict(X)
    np.testing.assert_allclose(model.evaluate(X, Y, verbose=0), np.mean(np.abs(Y - predicted) ** 3), rtol=1e-5)


def test_metrics_of_programs():
    class Largest(tf.keras.metrics.Metric):
        def __init__(self, name="largest", **kwargs):
            super().__init__(name=name, **kwargs)
            self.most = self.add_weight("most", initializer="zeros")

        def update_state(self, y_true, y_pred, sample_weight=None):
            self.most.assign(tf.maximum(self.most, tf.reduce_max(tf.abs(y_pred))))

        def result(self):
            return self.most
    model = small(metrics=[Largest()])
    np.testing.assert_allclose(model.evaluate(X, Y, verbose=0)[1], np.abs(model.predict(X)).max(), rtol=1e-5)


def test_layers_that_do_not_train():
    model = tf.keras.Sequential([K.BatchNormalization(input_shape=(3,)), K.Dense(1)])
    model.layers[0].trainable = False
    model.compile("sgd", "mse")
    before = model.layers[0].get_weights()
    model.fit(np.random.rand(8, 3), Y, verbose=0)
    for old, new in zip(before, model.layers[0].get_weights()):
        np.testing.assert_array_equal(old, new)


def test_mnist_is_read_from_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "datasets").mkdir()
    np.savez(tmp_path / "datasets" / "mnist.npz", x_train=X, y_train=Y, x_test=X, y_test=Y)
    (x, y), _ = tf.keras.datasets.mnist.load_data()
    assert x.shape == X.shape and y.shape == Y.shape


def test_radial_constraint():
    values = lambda *shape: (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4  # noqa: E731
    constrained = lambda w: tf.keras.backend.eval(tf.keras.constraints.RadialConstraint()(tf.constant(w)))  # noqa: E731
    odd = constrained(values(3, 3, 1, 2))[..., 0, :]
    assert odd[1, 1].tolist() == [-0.75, -0.5] and odd[0, 2].tolist() == odd[2, 1].tolist() == [-0.5, -0.25]
    even = constrained(values(4, 4, 1, 1))[..., 0, 0]
    assert even[1, 2] == even[2, 2] == 0.5 and even[0, 0] == even[3, 1] == -0.5


def test_sequences_are_padded():
    pad = tf.keras.preprocessing.sequence.pad_sequences
    assert pad([[1, 2], [3], []]).tolist() == [[1, 2], [0, 3], [0, 0]]
    assert pad([[1, 2, 3], [4]], maxlen=2, padding="post", truncating="post", value=9).tolist() == [[1, 2], [4, 9]]
    assert pad([[1, 2, 3]], maxlen=2, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError, match="must be a list of iterables"):
        pad([1, 2])


def test_tokenizer():
    tokenizer = tf.keras.preprocessing.text.Tokenizer(num_words=4, oov_token="?")
    tokenizer.fit_on_texts(["The cat sat.", "The dog, the cat!"])
    assert tokenizer.word_index == {"?": 1, "the": 2, "cat": 3, "sat": 4, "dog": 5}
    assert tokenizer.texts_to_sequences(["The dog sat by the cat"]) == [[2, 1, 1, 1, 2, 3]]
    assert tokenizer.texts_to_matrix(["the the cat"], mode="count").tolist() == [[0, 0, 2, 1]]
    again = tf.keras.preprocessing.text.tokenizer_from_json(tokenizer.to_json())
    assert again.sequences_to_texts([[2, 3]]) == ["the cat"]


def test_enqueuers():
    class Numbers(tf.keras.utils.Sequence):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return index
    queue = tf.keras.utils.OrderedEnqueuer(Numbers())
    queue.start()
    batches = queue.get()
    assert [next(batches) for _ in range(5)] == [0, 1, 0, 1, 0] and queue.is_running()
    queue.stop()
    assert list(batches) == []
    queue = tf.keras.utils.GeneratorEnqueuer(iter([1, 2]))
    queue.start()
    assert list(queue.get()) == [1, 2]


def test_tensorboard_writes_numbers(tmp_path):
    if not hasattr(tf.summary, "FileWriter"):
        pytest.skip("there is no tf.summary.FileWriter")
    small().fit(X, Y, epochs=2, verbose=0, callbacks=[tf.keras.callbacks.TensorBoard(str(tmp_path))])
    assert b"epoch_loss" in next(tmp_path.glob("events*")).read_bytes()


def test_no_examples_are_told():
    for call in (lambda m: m.predict(X[:0]), lambda m: m.evaluate(X[:0], Y[:0], verbose=0),
                 lambda m: m.fit(X[:0], Y[:0], verbose=0)):
        with pytest.raises(ValueError, match="no examples"):
            call(small())


@pytest.mark.parametrize("call", [
    lambda: K.Conv2D(2, 3, strides=0), lambda: K.MaxPooling1D(0), lambda: K.ConvLSTM2D(2, 3)(tf.keras.Input((3, 4))),
    lambda: K.Dot(axes=5)([tf.keras.Input((3,)), tf.keras.Input((3,))]), lambda: K.LocallyConnected1D(2, 3)(tf.keras.Input((None, 1))),
    lambda: small().fit(X, Y, verbose=0, validation_split=0.5, validation_freq=0), lambda: small().fit(X, Y, verbose=0, batch_size=-1),
    lambda: K.RNN(K.LSTMCell(-1))(tf.keras.Input((3, 2))), lambda: tf.keras.metrics.AUC(num_thresholds=1)])
def test_senseless_numbers_are_told(call):
    with pytest.raises(ValueError):
        call()


@pytest.mark.parametrize("call", [
    lambda: K.Reshape((2 ** 40, 2 ** 40))(tf.keras.Input((5,))), lambda: K.RepeatVector(2 ** 62)(tf.keras.Input((5,))),
    lambda: K.LocallyConnected1D(2, 2 ** 62)(tf.keras.Input((5, 3))),
    lambda: K.Conv1D(2, 2 ** 40, dilation_rate=2 ** 40).compute_output_shape((5, 3, 4)),
    lambda: tf.keras.backend.batch_dot(tf.ones([2, 3]), tf.ones([2, 3]), axes=[])])
def test_sizes_beyond_numbers_are_told(call):
    with pytest.raises(ValueError):
        call()


def test_sizes_beyond_numbers_are_refused():
    layers = tf.keras.layers
    shape = (None, 2**62, 2**62, 1)
    for layer in (layers.ZeroPadding2D(((0, 2**62), (0, 2**62))), layers.UpSampling2D(8)):
        with pytest.raises(ValueError, match="sizes too large"):
            layer.compute_output_shape(shape)


def test_options_of_runs():
    traced = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    x = tf.keras.backend.placeholder([None, 2])
    metadata = tf.RunMetadata()
    double = tf.keras.backend.function([x], [x * 2], options=traced, run_metadata=metadata)
    np.testing.assert_array_equal(double([np.ones([1, 2])])[0], [[2, 2]])
    assert metadata.step_stats.dev_stats
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    metadata = tf.RunMetadata()
    model.compile("sgd", "mse", options=traced, run_metadata=metadata)
    model.fit(np.ones([4, 2]), np.ones([4, 1]), verbose=0)
    assert metadata.step_stats.dev_stats
    with pytest.raises(ValueError, match="not supported at this time"):
        model.compile("sgd", "mse", nothing=1)
