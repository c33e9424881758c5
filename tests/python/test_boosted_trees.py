"""tf.estimator's boosted trees. Values are those of TensorFlow 1.15, the last that could train them."""
import numpy as np
import pytest
import rill as tf

COLUMN = tf.feature_column
RANDOM = np.random.RandomState(0)
X = RANDOM.randn(400, 2).astype(np.float32)
Y = (X[:, :1] * X[:, 1:] > 0).astype(np.float32)


def columns():
    return [COLUMN.bucketized_column(COLUMN.numeric_column(key), [-1.0, -0.5, 0.0, 0.5, 1.0]) for key in "ab"]


def examples(batch, repeat=None):
    def input_fn():
        features = {"a": X[:, 0], "b": X[:, 1], "c": np.where(X[:, 0] > 0, "x", "y")}
        return tf.data.Dataset.from_tensor_slices((features, Y)).batch(batch).repeat(repeat)

    return input_fn


def trained(kind, where, batch=400, **settings):
    model = kind(settings.pop("columns", columns()), settings.pop("n_batches_per_layer", 1), str(where), **settings)
    return model.train(examples(batch))


def test_stops_by_itself(tmp_path):
    model = trained(tf.estimator.BoostedTreesClassifier, tmp_path, 200, n_batches_per_layer=2, n_trees=4, max_depth=2,
                    center_bias=True, learning_rate=0.5)
    metrics = model.evaluate(examples(400, 1))
    assert metrics["accuracy"] > 0.95 and metrics["global_step"] < 40
    assert [name for name, _ in tf.train.list_variables(str(tmp_path))] == [
        "boosted_trees/are_boundaries_ready", "boosted_trees/center_bias_needed", "boosted_trees:0_serialized",
        "boosted_trees:0_stamp", "global_step"]


@pytest.mark.parametrize("settings", [
    {}, {"l2_regularization": 0.1}, {"min_node_weight": 0.3}, {"n_batches_per_layer": 2, "batch": 200},
    {"tree_complexity": 0.01, "pruning_mode": "post"}])
def test_one_split_is_the_best_one(tmp_path, settings):
    """A tree of one layer, beside all splits that there are."""
    model = trained(tf.estimator.BoostedTreesRegressor, tmp_path, n_trees=1, max_depth=1, learning_rate=1.0,
                    **settings)
    predicted = [p["predictions"][0] for p in model.predict(examples(400, 1))]
    l2, best, values = settings.get("l2_regularization", 0), -1.0, None
    scale = 2.0 / len(X)  # of batches the mean
    for column in range(2):
        for border in (-1.0, -0.5, 0.0, 0.5, 1.0, np.inf):  # the last: all go left
            left = X[:, column] < border
            sides = [(-scale * Y[side].sum(), scale * side.sum() + l2 or 1.0) for side in (left, ~left)]
            gain = sum(g * g / h for g, h in sides)
            if gain > best + 1e-7:
                best, values = gain, np.where(left, *(-g / h for g, h in sides))
    pruned = best - (scale * Y.sum())**2 / (scale * len(X) + l2) < settings.get("tree_complexity", 0)
    if pruned and "pruning_mode" in settings:
        values = np.zeros(len(X))
    np.testing.assert_allclose(predicted, values, atol=1e-4)


def test_importances_and_explanations(tmp_path):
    given = [*columns(), COLUMN.indicator_column(COLUMN.categorical_column_with_vocabulary_list("c", ["x", "y"]))]
    model = trained(tf.estimator.BoostedTreesClassifier, tmp_path, columns=given, n_trees=3, max_depth=3,
                    center_bias=True)
    shares = model.experimental_feature_importances(normalize=True)
    assert set(shares) == {"a_bucketized", "b_bucketized", "c"} and sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    for explained in list(model.experimental_predict_with_explanations(examples(400, 1)))[:20]:
        assert explained["bias"] == pytest.approx(Y.mean(), rel=1e-3)
        assert explained["bias"] + sum(explained["dfc"].values()) == pytest.approx(explained["logistic"][0], rel=1e-4)


def test_resumes(tmp_path):
    trained(tf.estimator.BoostedTreesClassifier, tmp_path, n_trees=1, max_depth=2)
    model = trained(tf.estimator.BoostedTreesClassifier, tmp_path, n_trees=3, max_depth=2)
    assert model.evaluate(examples(400, 1))["global_step"] == 6


def test_in_memory_is_the_same(tmp_path):
    both = [trained(tf.estimator.BoostedTreesClassifier, tmp_path / str(memory), n_trees=2, max_depth=2,
                    train_in_memory=memory) for memory in (False, True)]
    first, second = ([p["logits"][0] for p in model.predict(examples(400, 1))] for model in both)
    np.testing.assert_array_equal(first, second)


def test_refusals(tmp_path):
    with pytest.raises(ValueError, match="tree_complexity must be positive"):
        trained(tf.estimator.BoostedTreesRegressor, tmp_path, pruning_mode="pre")
    with pytest.raises(tf.errors.UnimplementedError, match="bucketized and indicator"):
        trained(tf.estimator.BoostedTreesRegressor, tmp_path, columns=[COLUMN.numeric_column("a")])
    with pytest.raises(ValueError, match="n_classes must be 2"):
        tf.estimator.BoostedTreesClassifier(columns(), 1, n_classes=3)
    with pytest.raises(ValueError, match="Could not find trained model"):
        tf.estimator.BoostedTreesClassifier(columns(), 1, str(tmp_path / "none")).experimental_feature_importances()
