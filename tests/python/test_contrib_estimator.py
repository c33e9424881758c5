"""tf.contrib.estimator and tf.contrib.learn, which TensorFlow 2 does not have: values and structure."""
import numpy as np
import pytest
import rill as tf

heads = tf.contrib.estimator
LOGITS, LABELS = [[1.5], [-0.5], [0.25], [2.0]], [[1], [0], [1], [0]]


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
        return session.run(fetches)


def measured(spec):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
        session.run([update for _, update in spec.eval_metric_ops.values()])
        return session.run({key: value for key, (value, _) in spec.eval_metric_ops.items()})


def test_losses_are_means():
    loss = heads.binary_classification_head().create_loss({}, "eval", tf.constant(LOGITS), tf.constant(LABELS))
    unreduced, mean = run([loss.unreduced_loss, loss.training_loss])
    assert mean == pytest.approx(unreduced.mean())


def test_many_labels():
    head = heads.multi_label_head(3, thresholds=[0.5], classes_for_class_based_metrics=[2], name="m")
    logits = tf.constant([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
    predicted = head.create_estimator_spec({}, "infer", logits)
    assert list(predicted.predictions) == ["logits", "probabilities"]
    assert sorted(predicted.export_outputs) == ["classification", "predict", "serving_default"]
    values = measured(head.create_estimator_spec({}, "eval", logits, tf.constant([[1, 0, 1], [0, 1, 1]])))
    assert sorted(values) == sorted(f"{key}/m" for key in (
        "accuracy/positive_threshold_0.5", "auc", "auc/class2", "auc_precision_recall", "auc_precision_recall/class2",
        "average_loss", "precision/positive_threshold_0.5", "probability_mean/class2", "recall/positive_threshold_0.5"))
    assert values["probability_mean/class2/m"] == pytest.approx((1 / (1 + np.exp(1)) + 1 / (1 + np.exp(-3))) / 2, 1e-5)


def test_sparse_labels():
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant(["a", "c", "b"]), [2, 2])
    head = heads.multi_label_head(3, label_vocabulary=["a", "b", "c"])
    loss = head.create_loss({}, "eval", tf.constant([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]]), labels)
    np.testing.assert_array_equal(run(loss.processed_labels), [[1, 0, 1], [0, 1, 0]])


def test_counts_and_probabilities():
    spec = heads.poisson_regression_head().create_estimator_spec({}, "infer", tf.constant([[1.0]]))
    assert run(spec.predictions["predictions"]) == pytest.approx(np.exp(1.0))
    spec = heads.logistic_regression_head().create_estimator_spec({}, "infer", tf.constant([[0.0]]))
    assert run(spec.predictions["predictions"]) == pytest.approx(0.5)


def several():
    return heads.multi_head([heads.binary_classification_head(name="b"), heads.regression_head(name="r")], [1.0, 2.0])


def test_several_heads_measure():
    labels = {"b": tf.constant([[1], [0]]), "r": tf.constant([[2.0], [0.0]])}
    spec = several().create_estimator_spec({}, "eval", tf.constant([[1.0, 2.0], [0.0, 1.0]]), labels)
    values = measured(spec)
    assert values["loss/r"] == pytest.approx(0.5)
    assert run(spec.loss) == pytest.approx(values["loss/b"] + 2 * values["loss/r"], 1e-5)
    assert ("r", "predictions") in spec.predictions


def test_several_heads_predict():
    spec = several().create_estimator_spec({}, "infer", {"b": tf.constant([[1.0]]), "r": tf.constant([[2.0]])})
    assert sorted(spec.export_outputs) == ["b", "b/classification", "b/predict", "b/regression", "predict", "r",
                                           "r/predict", "r/regression", "serving_default"]
    assert "r/predictions" in spec.export_outputs["predict"].outputs


def test_several_heads_train():
    tf.train.get_or_create_global_step()
    net = tf.Variable([[1.0, 2.0], [0.0, 1.0]])
    labels = {"b": tf.constant([[1], [0]]), "r": tf.constant([[2.0], [0.0]])}
    spec = several().create_estimator_spec({}, "train", net * 1.0, labels, optimizer=tf.train.AdamOptimizer(0.1))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([spec.loss, spec.train_op])[0] for _ in range(20)]
    assert found[-1] < found[0] / 2
    with pytest.raises(ValueError, match="labels must be a dict"):
        several().create_estimator_spec({}, "train", net * 1.0, tf.constant([1]))


def words(count=40):
    rng = np.random.RandomState(0)
    ids = rng.randint(0, 4, (count, 5))
    return ids, (ids[:, -1] > 1).astype(np.int64)


def test_recurrent_classifier(tmp_path):
    ids, labels = words()

    def input_fn():
        def sparse(row, label):
            return {"w": tf.sparse.from_dense(row + 1)}, label
        data = tf.data.Dataset.from_tensor_slices((ids.astype(np.int64), labels)).batch(20).repeat(30)
        return data.map(sparse)

    column = tf.feature_column.embedding_column(
        tf.feature_column.sequence_categorical_column_with_identity("w", 6), 4)
    model = heads.RNNClassifier([column], num_units=[6], cell_type="gru", model_dir=str(tmp_path), optimizer="Adam",
                                config=tf.estimator.RunConfig(tf_random_seed=1))
    model.train(input_fn)
    assert model.evaluate(input_fn, steps=2)["accuracy"] > 0.9
    assert "rnn/logits/dense/kernel" in model.get_variable_names()


def test_forward_features(tmp_path):
    column = tf.feature_column.numeric_column("x")
    model = tf.estimator.LinearClassifier([column], model_dir=str(tmp_path))
    x = np.arange(4, dtype=np.float32)
    model.train(tf.estimator.inputs.numpy_input_fn({"x": x, "id": np.arange(4)}, np.array([0, 1, 0, 1]), shuffle=False),
                steps=1)
    keyed = heads.forward_features(model, ["id"])
    given = tf.estimator.inputs.numpy_input_fn({"x": x, "id": np.arange(4)}, num_epochs=1, shuffle=False)
    assert [row["id"] for row in keyed.predict(given)] == [0, 1, 2, 3]


# --- tf.contrib.learn -----------------------------------------------------------------------------

def test_learn_classifier(tmp_path):
    learn = tf.contrib.learn
    rng = np.random.RandomState(0)
    x = rng.randn(120, 3).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int64) + (x[:, 0] > 1)
    columns = learn.infer_real_valued_columns_from_input(x)
    model = learn.DNNClassifier([10], columns, model_dir=str(tmp_path), n_classes=3,
                                optimizer=tf.train.AdamOptimizer(0.05))
    assert model.fit(x, y, steps=150) is model
    assert model.evaluate(x, y)["accuracy"] > 0.9
    classes = list(model.predict(x))
    assert np.mean(classes == y) > 0.9
    assert model.predict_proba(x, as_iterable=False).shape == (120, 3)


def test_learn_regressor_of_an_input_function(tmp_path):
    learn = tf.contrib.learn
    column = tf.contrib.layers.real_valued_column("", dimension=1)
    model = learn.LinearRegressor([column], model_dir=str(tmp_path), optimizer=tf.train.GradientDescentOptimizer(0.1))

    def input_fn():
        return tf.constant([[0.0], [1.0], [2.0]]), tf.constant([[1.0], [3.0], [5.0]])

    model.fit(input_fn=input_fn, steps=200)
    np.testing.assert_allclose(list(model.predict(np.array([[3.0]], np.float32))), [7.0], rtol=0.05)


def test_learn_estimator(tmp_path):
    learn = tf.contrib.learn

    def model_fn(features, labels, mode, params):
        weight = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        predictions = features * weight
        if mode == learn.ModeKeys.INFER:
            return learn.ModelFnOps(mode, {"y": predictions})
        loss = tf.losses.mean_squared_error(labels, predictions)
        train = tf.contrib.layers.optimize_loss(loss, tf.train.get_global_step(), params["rate"], "SGD")
        return learn.ModelFnOps(mode, {"y": predictions}, loss, train)

    model = learn.Estimator(model_fn, str(tmp_path), params={"rate": 0.1})
    x = np.array([[1.0], [2.0]], np.float32)
    model.fit(x, 3 * x, steps=60)
    assert model.get_variable_value("w") == pytest.approx(3, 0.01)
    error = learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key="y")
    assert model.evaluate(x, 3 * x, metrics={"error": error})["error"] < 0.1
    assert [round(float(row["y"][0])) for row in model.predict(x)] == [3, 6]


def test_learn_experiment(tmp_path):
    learn = tf.contrib.learn

    def input_fn():
        return {"x": tf.constant([[0.0], [1.0]])}, tf.constant([[0], [1]])

    def experiment(run_config, hparams):
        model = learn.LinearClassifier([tf.feature_column.numeric_column("x")], config=run_config)
        return learn.Experiment(model, input_fn, input_fn, train_steps=5, eval_steps=1)

    results, _ = learn.learn_runner.run(experiment, run_config=learn.RunConfig(model_dir=str(tmp_path)))
    assert results["global_step"] == 5


def test_learn_vocabularies(tmp_path):
    make = tf.contrib.learn.preprocessing.VocabularyProcessor
    processor = make(4)
    rows = list(processor.fit_transform(["a cat sat", "the cat ran away now"]))
    np.testing.assert_array_equal(rows, [[1, 2, 3, 0], [4, 2, 5, 6]])
    assert list(processor.reverse(rows))[0] == "a cat sat <UNK>"
    processor.save(tmp_path / "words")
    np.testing.assert_array_equal(list(make.restore(tmp_path / "words").transform(["cat dog"])), [[2, 0, 0, 0]])


def test_learn_tables(tmp_path):
    (tmp_path / "t.csv").write_text("2,2,a,b\n1.5,2.5,1\n3.5,4.5,0\n")
    found = tf.contrib.learn.datasets.base.load_csv_with_header(str(tmp_path / "t.csv"), int, np.float32)
    np.testing.assert_array_equal(found.data, [[1.5, 2.5], [3.5, 4.5]])
    np.testing.assert_array_equal(found.target, [1, 0])


def test_sdca_is_not_there():
    model = tf.estimator.LinearClassifier([tf.feature_column.numeric_column("x")],
                                          optimizer=tf.estimator.experimental.LinearSDCA("id"))
    with pytest.raises(tf.errors.UnimplementedError, match="LinearSDCA"):
        model.train(lambda: ({"x": tf.constant([[1.0]])}, tf.constant([[1]])), steps=1)


def test_an_estimator_of_learn_gets_its_features_by_name():
    def model(features, labels, mode):
        w, b = (tf.get_variable(name, [1], dtype=tf.float64) for name in "wb")
        y = w * features["x"] + b
        loss = tf.reduce_sum(tf.square(y - labels))
        train = tf.group(tf.train.GradientDescentOptimizer(0.01).minimize(loss),
                         tf.assign_add(tf.train.get_global_step(), 1))
        return tf.contrib.learn.ModelFnOps(mode=mode, predictions=y, loss=loss, train_op=train)

    x = np.array([1.0, 2, 3, 4])
    given = tf.contrib.learn.io.numpy_input_fn({"x": x}, 1 - x, 4, num_epochs=1000)
    estimator = tf.contrib.learn.Estimator(model_fn=model)
    estimator.fit(input_fn=given, steps=400)
    assert estimator.evaluate(input_fn=given, steps=1)["loss"] < 1e-2
