"""What programs look at in losses, metrics and layers of tf.keras, and what is refused."""
import random

import numpy as np
import pytest

import tensorflow as tf

K = tf.keras.layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


def run(fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


# --- losses --------------------------------------------------------------------------------------

def absolute(weights):
    return tf.keras.losses.MeanAbsoluteError()(tf.ones([2, 3]), tf.zeros([2, 3]), sample_weight=weights)


@pytest.mark.parametrize("shape", [[2, 2], [3], [2, 3]])
def test_weights_that_do_not_fit_the_losses(shape):
    with pytest.raises(ValueError):
        absolute(tf.ones(shape))


@pytest.mark.parametrize("weights, loss", [(2.0, 2.0), ([1.0, 3.0], 2.0), ([[1.0], [3.0]], 2.0)])
@pytest.mark.parametrize("known", [True, False])
def test_weights_that_fit_the_losses(weights, loss, known):
    fed = tf.placeholder(tf.float32, np.shape(weights) if known else None)
    assert run(absolute(fed), {fed: weights}) == loss


def test_weights_of_unknown_rank_are_checked_in_the_step():
    fed = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(absolute(fed), {fed: np.ones([2, 2])})


def test_the_cosine_has_the_sign_of_version_1():
    t, p = tf.constant([[1.0, 0.0], [3.0, 4.0]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(run(tf.keras.losses.cosine_similarity(t, p)), [1, 0.8], rtol=1e-6)
    np.testing.assert_allclose(run(tf.keras.losses.CosineSimilarity()(t, p)), 0.9, rtol=1e-6)
    np.testing.assert_allclose(run(tf.keras.metrics.cosine_proximity(t, p)), [1, 0.8], rtol=1e-6)


def test_losses_of_integers():
    t, p = tf.constant([[3, 0], [1, 1]]), tf.constant([[0, 3], [1, 1]])
    for name, loss in (("MeanAbsoluteError", 1), ("MeanSquaredError", 4), ("Huber", 1.25)):
        assert run(getattr(tf.keras.losses, name)()(t, p)) == loss
    for name in ("MeanAbsolutePercentageError", "Hinge", "LogCosh", "Poisson", "KLDivergence", "BinaryCrossentropy"):
        with pytest.raises(TypeError):
            getattr(tf.keras.losses, name)()(t, p)


# --- metrics -------------------------------------------------------------------------------------

@pytest.mark.parametrize("name, arguments, attributes", [
    ("Precision", {}, ["true_positives", "false_positives"]), ("Recall", {}, ["true_positives", "false_negatives"]),
    ("TruePositives", {}, ["accumulator"]), ("Mean", {}, ["total", "count"]), ("Sum", {}, ["total"]),
    ("AUC", {}, ["true_positives", "true_negatives", "false_positives", "false_negatives"]),
    ("SensitivityAtSpecificity", {"specificity": 0.5}, ["true_negatives"]), ("MeanIoU", {"num_classes": 2}, ["total_cm"])])
def test_variables_of_metrics(name, arguments, attributes):
    metric = getattr(tf.keras.metrics, name)(**arguments)
    for attribute in attributes:
        assert any(getattr(metric, attribute) is variable for variable in metric.variables)


def test_thresholds_of_metrics():
    auc = tf.keras.metrics.AUC(thresholds=[0.5, 0.3])
    assert auc.num_thresholds == 4
    np.testing.assert_allclose(auc.thresholds, [-1e-7, 0.3, 0.5, 1 + 1e-7])
    assert auc.get_config()["num_thresholds"] == 4 and auc.get_config()["thresholds"] == [0.3, 0.5]
    assert tf.keras.metrics.AUC.from_config(auc.get_config()).thresholds == auc.thresholds
    assert len(tf.keras.metrics.AUC().thresholds) == 200
    assert tf.keras.metrics.Precision().thresholds == [0.5]
    assert tf.keras.metrics.TruePositives(thresholds=[0.1, 0.2]).thresholds == [0.1, 0.2]
    assert tf.keras.metrics.Recall().get_config()["thresholds"] is None
    assert tf.keras.metrics.SensitivityAtSpecificity(0.5, num_thresholds=1).thresholds == [0.5]


@pytest.mark.parametrize("make", [
    lambda: tf.keras.metrics.Precision(thresholds=[0.5, 1.5]), lambda: tf.keras.metrics.AUC(thresholds=[-0.1]),
    lambda: tf.keras.metrics.AUC(num_thresholds=1),
    lambda: tf.keras.metrics.SensitivityAtSpecificity(0.5, num_thresholds=0)])
def test_refused_thresholds(make):
    with pytest.raises(ValueError, match="hreshold"):
        make()


# --- layers --------------------------------------------------------------------------------------

@pytest.mark.parametrize("make, given, made", [
    (lambda: K.DepthwiseConv2D(3, depth_multiplier=2), (None, 5, 6, 3), [None, 3, 4, 6]),
    (lambda: K.DepthwiseConv2D(3, padding="same", strides=2), (None, 5, None, 3), [None, 3, None, 3]),
    (lambda: K.LocallyConnected1D(2, 3), (None, 7, 3), [None, 5, 2]),
    (lambda: K.LocallyConnected2D(2, 3, data_format="channels_first"), (None, 3, 7, 8), [None, 2, 5, 6])])
def test_shapes_of_outputs(make, given, made):
    assert tf.TensorShape(make().compute_output_shape(given)).as_list() == made


@pytest.mark.parametrize("implementation", [2, 3])
@pytest.mark.parametrize("data_format", ["channels_last", "channels_first"])
def test_locally_connected_layers_agree(implementation, data_format):
    x = np.arange(2 * 5 * 6 * 3, dtype=np.float32).reshape(2, 5, 6, 3)
    x = x if data_format == "channels_last" else x.transpose(0, 3, 1, 2)
    made = [K.LocallyConnected2D(2, 3, strides=(1, 2), implementation=i, data_format=data_format,
                                 kernel_initializer="ones")(tf.constant(x)) for i in (1, implementation)]
    first, other = run(made)
    np.testing.assert_allclose(other, first, rtol=1e-5)


@pytest.mark.parametrize("make", [
    lambda: K.LocallyConnected1D(2, 3, padding="same"), lambda: K.Cropping1D(cropping=None), lambda: K.Cropping2D(cropping=None),
    lambda: K.ZeroPadding1D(padding=None), lambda: K.ZeroPadding3D(padding=None), lambda: K.UpSampling2D(size=None),
    lambda: K.Conv2D(2, kernel_size=None), lambda: K.LocallyConnected1D(2, 3, implementation=4)(tf.ones([1, 4, 2]))])
def test_refused_settings(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize("inputs, mask, text", [
    (2, np.array([[True, True]]), "mask must be a list"), (2, [np.array([[True]])], "mask must be a list of length 2"),
    (1, None, "inputs list of length 2 or 3")])
@pytest.mark.parametrize("layer", ["Attention", "AdditiveAttention"])
def test_attention_takes_lists(layer, inputs, mask, text):
    with pytest.raises(ValueError, match=text):
        getattr(K, layer)()([tf.ones([1, 2, 3])] * inputs, mask=mask)


def test_layers_of_other_versions():
    for name in ("BatchNormalizationV1", "BatchNormalizationV2"):
        layer = K.deserialize({"class_name": name, "config": {"name": "b", "epsilon": 0.5}})
        assert type(layer) is K.BatchNormalization and layer.epsilon == 0.5


def test_constraints_are_those_of_the_program():
    same, positive = (lambda x: x), tf.keras.constraints.NonNeg()
    for use_resource in (False, True):
        assert tf.get_variable(f"v{use_resource}", [2], constraint=same, use_resource=use_resource).constraint is same
        assert tf.Variable([1.0], constraint=same, use_resource=use_resource).constraint is same
    for make in (K.Dense, tf.layers.Dense):
        layer = make(2, kernel_constraint=positive)
        layer(tf.ones([1, 2]))
        assert layer.kernel.constraint is positive and layer.bias.constraint is None
    for _ in range(2):  # built without a name scope, the second kernel is called "kernel_1"
        layer = K.Dense(2, kernel_constraint="non_neg")
        layer.build((None, 2))
        assert layer.kernel.constraint is layer.kernel_constraint


@pytest.mark.parametrize("training", [0, 1, np.bool_(True)])
def test_flags_that_are_numbers(training):
    cells = [(K.LSTMCell, 2), (K.GRUCell, 1), (K.SimpleRNNCell, 1)]
    for cell, states in cells:
        output, _ = cell(2, dropout=0.5, recurrent_dropout=0.5)(tf.ones([1, 3]), [tf.zeros([1, 2])] * states, training=training)
        assert output.shape == [1, 2]
    K.LSTM(2, dropout=0.5)(tf.ones([1, 2, 3]), training=training)
    K.Dropout(0.5)(tf.ones([2]), training=training)
    K.BatchNormalization()(tf.ones([2, 2]), training=training)


# --- models --------------------------------------------------------------------------------------

def test_build_of_a_model_is_called_once():
    built = []

    class Scaled(tf.keras.Model):
        def build(self, input_shape):
            built.append(tuple(tf.TensorShape(input_shape).as_list()))
            self.w = self.add_weight(name="w", shape=[int(input_shape[-1]), 2], initializer="ones")
            super().build(input_shape)

        def call(self, x):
            return tf.matmul(x, self.w)

    model = Scaled(name="m")
    y = model(tf.ones([1, 3]))
    model(tf.ones([1, 3]))
    assert built == [(1, 3)] and [w.name for w in model.weights] == ["m/w:0"]
    assert run(y).tolist() == [[3, 3]]
    other = Scaled()
    other.build((None, 4))
    other(tf.ones([2, 4]))
    assert built[1:] == [(None, 4)]


def doubled(x, by=2.0):
    return x * by + OFFSET


OFFSET = 1.0


@pytest.mark.parametrize("again", ["clone", "config", "json", "file"])
def test_functions_of_lambda_layers_travel_with_the_model(again, tmp_path):
    factor = 3.0
    model = tf.keras.Sequential([K.Lambda(lambda x: x * factor, input_shape=(2,)), K.Lambda(doubled, arguments={"by": 5.0}),
                                 K.Lambda(lambda x, y=1.0: x + y, output_shape=lambda shape: shape),
                                 K.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    if again == "file":
        model.save(str(tmp_path / "m.h5"))
        made = tf.keras.models.load_model(str(tmp_path / "m.h5"))
    else:
        made = {"clone": lambda: tf.keras.models.clone_model(model),
                "config": lambda: tf.keras.Sequential.from_config(model.get_config()),
                "json": lambda: tf.keras.models.model_from_json(model.to_json())}[again]()
    assert made.predict(np.ones([1, 2])).tolist() == [[34]]


# --- shapes of outputs ---------------------------------------------------------------------------

@pytest.mark.parametrize("layer, inputs, output", [
    (K.Concatenate(), [(None, 4), (None, 3)], [None, 7]), (K.Concatenate(axis=1), [(2, 4, 1), (2, 3, 1)], [2, 7, 1]),
    (K.Add(), [(None, 4), (None, 4)], [None, 4]), (K.Multiply(), [(3, 1), (3, 4)], [3, 4]),
    (K.Dot(1), [(None, 4), (None, 4)], [None, 1]), (K.Dot((1, 2)), [(2, 5, 3), (2, 4, 5)], [2, 3, 4])])
def test_layers_of_several_inputs_know_the_shape_of_their_output(layer, inputs, output):
    assert tf.TensorShape(layer.compute_output_shape(inputs)).as_list() == output
    assert not tf.get_default_graph().get_operations()
    with pytest.raises(ValueError, match="should be called on a list of inputs"):
        layer.compute_output_shape(inputs[0])


@pytest.mark.parametrize("merge_mode, output", [
    ("concat", [None, 5, 6]), ("sum", [None, 5, 3]), (None, [[None, 5, 3]] * 2)])
def test_bidirectional_layers_know_the_shape_of_their_output(merge_mode, output):
    layer = K.Bidirectional(K.GRU(3, return_sequences=True), merge_mode=merge_mode)
    made = layer.compute_output_shape((None, 5, 2))
    made = [shape.as_list() for shape in made] if isinstance(made, list) else made.as_list()
    assert made == output


def test_the_states_of_bidirectional_layers_have_shapes_too():
    layer = K.Bidirectional(K.LSTM(3, return_state=True))
    assert [shape.as_list() for shape in layer.compute_output_shape((4, 5, 2))] == [[4, 6]] + [[4, 3]] * 4


# --- preprocessing -------------------------------------------------------------------------------

def test_pairs_of_words_are_drawn_as_in_tensorflow():
    sequence = tf.keras.preprocessing.sequence
    random.seed(3)
    couples, labels = sequence.skipgrams([1, 2, 3, 0, 2], 5, window_size=1)
    assert couples == [[2, 1], [2, 1], [2, 3], [1, 4], [2, 1], [3, 3], [1, 2], [3, 2]]
    assert labels == [0, 1, 1, 0, 0, 0, 1, 1]
    couples, labels = sequence.skipgrams([1, 2, 3], 5, window_size=1, negative_samples=0, shuffle=False, categorical=True)
    assert couples == [[1, 2], [2, 1], [2, 3], [3, 2]] and labels == [[0, 1]] * 4


def test_windows_of_a_series():
    generator = tf.keras.preprocessing.sequence.TimeseriesGenerator(
        np.arange(20).reshape(10, 2), np.arange(10), 3, sampling_rate=2, batch_size=2, stride=2, reverse=True, start_index=1)
    assert len(generator) == 2
    (first, targets), (last, rest) = generator[0], generator[1]
    assert first.tolist() == [[[6, 7], [2, 3]], [[10, 11], [6, 7]]] and targets.tolist() == [4, 6]
    assert last.tolist() == [[[14, 15], [10, 11]]] and rest.tolist() == [8]
    assert generator.get_config()["targets"] == str(list(range(10)))
    with pytest.raises(ValueError, match="have to be of same length"):
        type(generator)([1], [1, 2], 1)
    with pytest.raises(ValueError, match="start_index[+]length=5 > end_index=1"):
        type(generator)([1, 2], [1, 2], 5)


def test_placeholders_of_sparse_and_ragged_tensors():
    backend = tf.keras.backend
    sparse = backend.placeholder((None, 3), sparse=True)
    ragged = backend.placeholder((None, None, 2), ragged=True)
    assert backend.is_sparse(sparse) and sparse.dtype == tf.float32 and ragged.shape.as_list() == [None, None, 2]
    with tf.Session() as session:
        rows = tf.ragged.constant_value([[[1.0, 2.0]], []], ragged_rank=1, dtype=np.float32)
        assert session.run(ragged * 2.0, {ragged: rows}).to_list() == [[[2, 4]], []]
    with pytest.raises(ValueError, match="both sparse and ragged"):
        backend.placeholder((None,), sparse=True, ragged=True)


def test_configurations_have_what_keras_knows_too():
    plain = set(K.BatchNormalization().get_config())
    assert not plain & {"renorm", "renorm_clipping", "renorm_momentum", "virtual_batch_size", "fused", "adjustment"}
    other = K.BatchNormalization(renorm=True, virtual_batch_size=2).get_config()
    assert set(other) - plain == {"renorm", "renorm_clipping", "renorm_momentum", "virtual_batch_size"}
    assert K.BatchNormalization.from_config(other).virtual_batch_size == 2
