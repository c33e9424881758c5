"""k-means: tf.contrib.factorization.KMeans beside Lloyd's algorithm in NumPy, and the estimator."""
import numpy as np
import pytest
import rill as tf
from rill import errors

factorization = tf.contrib.factorization
KMeans = factorization.KMeans


def blobs(size=40, width=5, seed=1):
    random = np.random.RandomState(seed)
    points = np.concatenate([random.normal(center, 0.3, (size, width)) for center in (0, 2, 5)]).astype(np.float32)
    random.shuffle(points)
    return points


POINTS = blobs()


@pytest.fixture(autouse=True)
def _fresh_graph():
    with tf.Graph().as_default():
        yield


def nearest(points, centers):
    return ((points[:, None] - centers[None]) ** 2).sum(-1).argmin(1)


def trained(steps, points=POINTS, **settings):
    """The centers after each step; those that a variable called clusters holds."""
    x = tf.placeholder(tf.float32, [None, points.shape[1]])
    graph = KMeans(x, **settings).training_graph()
    feed = {x: points}
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(graph[4], feed)
        assert sess.run(graph[3])
        for _ in range(steps + 1):
            centers = sess.run("clusters:0")
            index, distance = sess.run([graph[1][0], graph[2][0]], feed)
            np.testing.assert_array_equal(index, nearest(points, centers))
            found.append((centers, distance))
            sess.run(graph[5], feed)
    return found


def test_lloyds_algorithm():
    centers = POINTS[:4]
    for found, distance in trained(5, num_clusters=4, initial_clusters=POINTS[:4]):
        np.testing.assert_allclose(found, centers, atol=2e-5)
        index = nearest(POINTS, centers)
        np.testing.assert_allclose(distance, ((POINTS - centers[index]) ** 2).sum(1), atol=1e-4)
        centers = np.array([POINTS[index == k].mean(0) for k in range(4)])


def test_mini_batches_move_centers_by_the_mean_of_what_they_have_seen():
    centers, seen = POINTS[:4].astype(np.float64), np.ones(4)
    for found, _ in trained(5, num_clusters=4, initial_clusters=POINTS[:4], use_mini_batch=True):
        np.testing.assert_allclose(found, centers, atol=2e-5)
        index = nearest(POINTS, centers)
        for k in range(4):
            mine = POINTS[index == k]
            seen[k] += len(mine)
            centers[k] += (mine.sum(0) - len(mine) * centers[k]) / seen[k]


def test_moved_centers_take_over_after_their_steps():
    centers = [found for found, _ in trained(7, num_clusters=4, initial_clusters=POINTS[:4], use_mini_batch=True,
                                             mini_batch_steps_per_iteration=3)]
    np.testing.assert_array_equal(centers[0], centers[2])
    assert not np.array_equal(centers[0], centers[3])


def test_cosine_distance_has_centers_of_length_one():
    x = tf.placeholder(tf.float32, [None, 5])
    graph = KMeans(x, 3, distance_metric="cosine", random_seed=3).training_graph()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(graph[4], {x: POINTS})
        sess.run(graph[5], {x: POINTS})
        all_distances, index = sess.run([graph[0][0], graph[1][0]], {x: POINTS})
        centers = sess.run("clusters:0")
    np.testing.assert_allclose(np.linalg.norm(centers, axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(index, all_distances.argmin(1))
    directions = POINTS / np.linalg.norm(POINTS, axis=1, keepdims=True)
    np.testing.assert_allclose(all_distances, 1 - directions @ centers.T, atol=1e-5)


@pytest.mark.parametrize("kind", ["random", "kmeans_plus_plus", "kmc2"])
def test_first_centers_are_points_and_the_same_for_the_same_seed(kind):
    settings = dict(num_clusters=4, initial_clusters=kind, random_seed=5, kmc2_chain_length=10)
    first = trained(0, **settings)[0][0]
    with tf.Graph().as_default():
        again = trained(0, **settings)[0][0]
    np.testing.assert_array_equal(first, again)
    for center in first:
        assert (np.abs(POINTS - center).max(1) < 1e-6).any()


def test_centers_are_chosen_in_several_runs_where_one_has_too_few_points():
    x = tf.placeholder(tf.float32, [None, 5])
    graph = KMeans(x, 5).training_graph()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for begin, done in ((0, False), (2, False), (4, True)):
            assert sess.run(graph[4], {x: POINTS[begin:begin + 2]}) == done
        assert sess.run("clusters:0").shape == (5, 5)


def test_several_inputs():
    whole = trained(3, num_clusters=3, initial_clusters=POINTS[:3])[-1][0]
    with tf.Graph().as_default(), tf.Session() as sess:
        graph = KMeans([POINTS[:50], POINTS[50:]], 3, initial_clusters=POINTS[:3]).training_graph()
        sess.run(tf.global_variables_initializer())
        sess.run(graph[4])
        for _ in range(3):
            sess.run(graph[5])
        np.testing.assert_allclose(sess.run("clusters:0"), whole, atol=1e-5)
        assert [len(part) for part in sess.run(graph[1])] == [50, 70]


def test_what_is_refused():
    with pytest.raises(ValueError, match="Unsupported initialization algorithm 'foo'"):
        KMeans(POINTS, 3, initial_clusters="foo").training_graph()
    with pytest.raises(ValueError, match="Unsupported distance metric 'foo'"):
        KMeans(POINTS, 3, distance_metric="foo").training_graph()
    graph = KMeans(POINTS, 2, initial_clusters=lambda inputs, wanted: inputs[0][:3]).training_graph()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with pytest.raises(errors.InvalidArgumentError, match="More centers than clusters"):
            sess.run(graph[4])


def one_batch():
    return tf.train.limit_epochs(tf.convert_to_tensor(POINTS), num_epochs=1)


@pytest.mark.parametrize("make", [lambda: factorization.KMeansClustering(3, use_mini_batch=False, random_seed=3),
                                  lambda: tf.estimator.experimental.KMeans(3, use_mini_batch=False, seed=3)])
def test_estimator(make):
    kmeans = make()
    for _ in range(5):
        kmeans.train(one_batch)
    assert kmeans.get_variable_value("global_step") == 9  # as in TensorFlow: the end of the input counts, too
    centers = kmeans.cluster_centers()
    assert sorted(np.round(centers.mean(1)).tolist()) == [0, 2, 5]
    index = list(kmeans.predict_cluster_index(one_batch))
    np.testing.assert_array_equal(index, nearest(POINTS, centers))
    distances = np.stack(list(kmeans.transform(one_batch)))
    np.testing.assert_allclose(distances.min(1) ** 2, ((POINTS - centers[index]) ** 2).sum(1), atol=1e-3)
    assert kmeans.score(one_batch) == pytest.approx(((POINTS - centers[index]) ** 2).sum(), rel=1e-4)


def test_estimator_ends_when_the_loss_changes_little():
    columns = [tf.feature_column.numeric_column(name) for name in "ab"]
    kmeans = tf.estimator.experimental.KMeans(3, use_mini_batch=False, seed=1, relative_tolerance=0.01,
                                              feature_columns=columns)
    kmeans.train(lambda: {"b": tf.constant(POINTS[:, 1:2]), "a": tf.constant(POINTS[:, :1])}, steps=50)
    assert 1 < kmeans.get_variable_value("global_step") < 20
    assert kmeans.cluster_centers().shape == (3, 2)
