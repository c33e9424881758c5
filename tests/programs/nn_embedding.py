"""Embeddings of tf.nn."""
import numpy as np
import tensorflow as tf

from program import feeds

P = np.arange(12, dtype=np.float32).reshape(6, 2) / 4
Q = P[::-1].copy()


def table(name="p", shape=(6, 2)):
    return tf.placeholder(tf.float32, shape, name=name)


def ids_of(*shape, dtype=tf.int64):
    return tf.placeholder(dtype, shape, name="ids")


def sparse_ids(dtype=tf.int64):
    return tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([1, 2, 3], dtype), [2, 2])


def sparse_weights():
    return tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [0.5, 1.0, 2.0], [2, 2])


def program_embedding_lookup():
    p, ids = table(), ids_of(2, 3)
    y = tf.nn.embedding_lookup(p, ids)
    return feeds({p: P, ids: [[0, 5, 1], [2, 2, 2]]}, y=y, z=tf.nn.embedding_lookup([p], [1, 2], name="named"))


def program_embedding_lookup_of_arrays():
    return {"y": tf.nn.embedding_lookup(P, [1, 2]), "z": tf.nn.embedding_lookup([P, Q], [1, 2])}


def program_embedding_lookup_with_a_norm():
    p, ids = table(), ids_of(2, 3)
    return feeds({p: P, ids: [[0, 5, 1], [2, 2, 2]]}, y=tf.nn.embedding_lookup(p, ids, max_norm=1.0),
                 z=tf.nn.embedding_lookup([p, p], ids, max_norm=1.0))


def program_embedding_lookup_in_turn():
    p, q, ids = table(), table("q"), ids_of(2, 3)
    return feeds({p: P, q: Q, ids: [[0, 11, 1], [2, 5, 2]]}, y=tf.nn.embedding_lookup([p, q], ids))


def program_embedding_lookup_in_blocks():
    p, q, ids = table(), table("q"), ids_of(4, dtype=tf.int32)
    return feeds({p: P, q: Q, ids: [0, 11, 7, 2]},
                 y=tf.nn.embedding_lookup([p, q], ids, partition_strategy="div", name="named"))


def program_embedding_lookup_in_uneven_blocks():
    tables = [table("p", (3, 2)), table("q", (2, 2)), table("r", (2, 2))]
    ids = ids_of(7)
    return feeds({tables[0]: P[:3], tables[1]: P[3:5], tables[2]: Q[:2], ids: range(7)},
                 y=tf.nn.embedding_lookup(tables, ids, "div"))


def program_embedding_lookup_unknown():
    p, q = table("p", None), table("q", None)
    ids = tf.placeholder(tf.int32, name="ids")
    return feeds({p: P, q: Q, ids: [0, 11, 7, 2]},
                 y=tf.nn.embedding_lookup([p, q], ids, partition_strategy="div", max_norm=1.0),
                 z=tf.nn.embedding_lookup(p, ids % 6, max_norm=1.0))


def program_embedding_lookup_partly_known():
    p, q = table("p", (None, 2)), table("q", (6, None))
    ids = tf.placeholder(tf.int64, [None], name="ids")
    return feeds({p: P, q: Q, ids: [0, 11, 7, 2]}, y=tf.nn.embedding_lookup([p, q], ids, partition_strategy="div"),
                 z=tf.nn.embedding_lookup([p, q], ids))


def program_embedding_lookup_of_variables():
    v = tf.Variable(P, name="v")
    r = tf.Variable(Q, name="r", use_resource=True)
    ids = ids_of(3)
    return feeds({ids: [0, 4, 2]}, y=tf.nn.embedding_lookup(v, ids), z=tf.nn.embedding_lookup(r, ids),
                 w=tf.nn.embedding_lookup([v, r], ids), n=tf.nn.embedding_lookup(r, ids, max_norm=1.0))


def program_embedding_lookup_of_a_partitioned_variable():
    v = tf.get_variable("v", [6, 2], initializer=tf.constant_initializer(2.0),
                        partitioner=tf.fixed_size_partitioner(3))
    ids = ids_of(3)
    return feeds({ids: [0, 4, 2]}, y=tf.nn.embedding_lookup(v, ids, partition_strategy="div"),
                 z=tf.nn.embedding_lookup(v, ids))


def program_embedding_lookup_gradients():
    r = tf.Variable(Q, name="r", use_resource=True)
    ids = ids_of(3)
    g = tf.gradients(tf.nn.embedding_lookup(r, ids), r)[0]
    return feeds({ids: [0, 4, 0]}, v=g.values, i=g.indices, d=tf.convert_to_tensor(g))


def program_embedding_lookup_trained():
    v = tf.Variable(P, name="v")
    loss = tf.reduce_sum(tf.nn.embedding_lookup(v, [1, 1, 3]) ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return {"v": v.read_value()}


def program_embedding_lookup_sparse_weighted():
    p = table()
    return feeds({p: P}, **{how: tf.nn.embedding_lookup_sparse(p, sparse_ids(), sparse_weights(), combiner=how)
                            for how in ("sum", "mean", "sqrtn")})


def program_embedding_lookup_sparse_weighted_parts():
    p, q = table(), table("q")
    return feeds({p: P, q: Q}, y=tf.nn.embedding_lookup_sparse([p, q], sparse_ids(tf.int32), sparse_weights()),
                 z=tf.nn.embedding_lookup_sparse(p, sparse_ids(), sparse_weights(), name="named", max_norm=1.0))


def program_safe_embedding_lookup_sparse_weighted():
    p, q = table(), table("q")
    ids = tf.sparse_placeholder(tf.int64, [4, 2], name="i")
    weights = tf.sparse_placeholder(tf.float32, [4, 2], name="w")
    places = [[0, 0], [0, 1], [2, 0], [3, 0]]
    return feeds({p: P, q: Q, ids: tf.SparseTensorValue(places, [1, -1, 3, 2], [4, 2]),
                  weights: tf.SparseTensorValue(places, [0.5, 1.0, 2.0, -1.0], [4, 2])},
                 y=tf.nn.safe_embedding_lookup_sparse(p, ids, weights),
                 z=tf.nn.safe_embedding_lookup_sparse([p, q], ids, weights, combiner="sum", default_id=1, name="named"))


def program_safe_embedding_lookup_sparse_unknown():
    p = table()
    ids = tf.sparse_placeholder(tf.int64, name="i")
    weights = tf.sparse_placeholder(tf.float32, name="w")
    places = [[0, 0, 0], [1, 0, 1]]
    return feeds({p: P, ids: tf.SparseTensorValue(places, [1, 4], [2, 1, 2]),
                  weights: tf.SparseTensorValue(places, [1.0, 2.0], [2, 1, 2])},
                 y=tf.nn.safe_embedding_lookup_sparse(p, ids, weights, combiner="sqrtn"))


W, B, X = P, np.arange(6, dtype=np.float32) / 2, np.array([[1, 2], [0, 1], [-1, 1]], np.float32)


def classes(count=1):
    return (table("w"), tf.placeholder(tf.float32, [6], name="b"),
            tf.placeholder(tf.int64, [3, count], name="labels"), tf.placeholder(tf.float32, [3, 2], name="x"))


def program_nce_loss():
    w, b, labels, x = classes()
    return feeds({w: W, b: B, labels: [[0], [2], [5]], x: X}, y=tf.nn.nce_loss(
        w, b, labels, x, 4, 6, sampled_values=tf.random.uniform_candidate_sampler(labels, 1, 4, True, 6, seed=3)))


def program_nce_loss_without_hits():
    w, b, labels, x = classes(2)
    return feeds({w: W, b: B, labels: [[0, 1], [2, 3], [5, 0]], x: X}, y=tf.nn.nce_loss(
        w, b, labels, x, 6, 6, num_true=2, remove_accidental_hits=True, name="named",
        sampled_values=tf.nn.all_candidate_sampler(labels, 2, 6, True, seed=3)))


def program_nce_loss_of_parts():
    w, b, labels, x = classes()
    v = tf.get_variable("v", [6, 2], initializer=tf.constant_initializer(0.5), partitioner=tf.fixed_size_partitioner(2))
    samples = tf.nn.all_candidate_sampler(tf.cast(labels, tf.int64), 1, 6, True, seed=3)
    return feeds({b: B, labels: [[0], [2], [5]], x: X}, y=tf.nn.nce_loss(
        v, b, labels, x, 6, 6, sampled_values=samples, partition_strategy="div"))


def program_sampled_softmax_loss():
    w, b, labels, x = classes()
    y = tf.nn.sampled_softmax_loss(w, b, labels, x, 4, 6, seed=3)
    return feeds({w: W, b: B, labels: [[0], [2], [5]], x: X}, s=y.shape.as_list())


def program_sampled_softmax_loss_of_a_sample():
    w, b, labels, x = classes()
    samples = tf.nn.all_candidate_sampler(labels, 1, 6, True, seed=3)
    y = tf.nn.sampled_softmax_loss(w, b, tf.cast(labels, tf.int32), x, 6, 6, sampled_values=samples,
                                   remove_accidental_hits=False, name="named")
    return feeds({w: W, b: B, labels: [[0], [2], [5]], x: X}, y=y, g=tf.gradients(y, [b, x]))


def program_accidental_hits():
    hits = tf.nn.compute_accidental_hits(tf.constant([[1], [2]], tf.int64), tf.constant([1, 2, 3], tf.int64), 1, seed=3)
    return {"i": hits.indices, "d": hits[1], "w": hits.weights}
