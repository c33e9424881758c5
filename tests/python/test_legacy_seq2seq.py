import copy

import numpy as np
import pytest

import rill as tf

cells = tf.nn.rnn_cell
legacy = tf.contrib.legacy_seq2seq
X = np.sin(np.arange(24)).reshape(4, 2, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def values(fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def names():
    return [v.op.name for v in tf.trainable_variables()]


def steps():
    return [tf.constant(x) for x in X]


def words(count=3):
    return [tf.constant([i % 4, (i + 1) % 4]) for i in range(count)]


def test_rnn_decoder_is_static_rnn():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicLSTMCell(3)
        wanted, last = tf.nn.static_rnn(cell, steps(), dtype=tf.float32)
        outputs, state = legacy.rnn_decoder(steps(), cell.zero_state(2, tf.float32), cell)
    a, b = values([(wanted, last), (outputs, state)])
    for x, y in zip(tf.nest.flatten(a), tf.nest.flatten(b)):
        np.testing.assert_allclose(x, y, rtol=1e-6)


def test_loop_functions():
    class Doubling(cells.RNNCell):
        state_size = output_size = property(lambda self: 3)

        def call(self, inputs, state):
            return inputs * 2.0, state

    outputs, _ = legacy.rnn_decoder(steps(), tf.zeros([2, 3]), Doubling(), lambda previous, i: previous + float(i))
    got = values(outputs)
    np.testing.assert_allclose(got[1], (X[0] * 2 + 1) * 2, rtol=1e-6)
    np.testing.assert_allclose(got[2], ((X[0] * 2 + 1) * 2 + 2) * 2, rtol=1e-6)


def test_two_networks_of_one_kind():
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = legacy.basic_rnn_seq2seq(steps(), steps()[:2], cells.GRUCell(3))
    assert names()[0] == "net/basic_rnn_seq2seq/rnn/gru_cell/gates/kernel"
    assert names()[4] == "net/basic_rnn_seq2seq/rnn_decoder/gru_cell/gates/kernel" and len(names()) == 8
    assert [o.shape for o in values(outputs)] == [(2, 3)] * 2


def test_one_cell_for_both():
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = legacy.tied_rnn_seq2seq(steps(), steps()[:2], cells.GRUCell(3))
    assert names()[0] == "net/combined_tied_rnn_seq2seq/tied_rnn_seq2seq/gru_cell/gates/kernel"
    assert len(names()) == 4
    assert len(values(outputs)) == 2


@pytest.mark.parametrize("feed", [False, True])
def test_words(feed):
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = legacy.embedding_rnn_seq2seq(words(), words(2), cells.GRUCell(3), 4, 5, 6, feed_previous=feed)
    assert "net/embedding_rnn_seq2seq/rnn/embedding_wrapper/embedding" in names()
    assert "net/embedding_rnn_seq2seq/embedding_rnn_decoder/embedding" in names()
    got = values(outputs)
    assert [o.shape for o in got] == [(2, 5)] * 2


@pytest.mark.parametrize("options", [{}, {"num_heads": 2}, {"initial_state_attention": True}, {"feed_previous": True}])
def test_attention(options):
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = legacy.embedding_attention_seq2seq(words(), words(2), cells.BasicLSTMCell(3), 4, 5, 6, **options)
    inner = "net/embedding_attention_seq2seq/embedding_attention_decoder/attention_decoder/"
    for name in ("AttnW_0", "AttnV_0", "kernel", "Attention_0/kernel", "AttnOutputProjection/bias"):
        assert inner + name in names()
    loss = legacy.sequence_loss(outputs, words(2), [tf.ones([2])] * 2)
    grads = tf.gradients(loss, tf.trainable_variables())
    got = values([outputs, state, [g for g in grads if g is not None]])
    assert [o.shape for o in got[0]] == [(2, 5)] * 2 and got[1].h.shape == (2, 3)


def test_attention_decoder_looks_at_the_memory():
    memory = tf.placeholder(tf.float32, [2, 4, 3])
    with tf.variable_scope("net", initializer=uniform()):
        outputs, _ = legacy.attention_decoder(steps()[:2], tf.zeros([2, 3]), memory, cells.GRUCell(3), output_size=2)
    data = X.transpose(1, 0, 2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        a = session.run(outputs, {memory: data})
        b = session.run(outputs, {memory: data[:, ::-1]})
        c = session.run(outputs, {memory: data * 2})
    np.testing.assert_allclose(a[1], b[1], rtol=1e-5)  # the order does not matter
    assert np.abs(a[1] - c[1]).max() > 1e-3


def test_inputs_that_a_loop_function_makes():
    cell, first, memory = cells.GRUCell(3), tf.constant(X[0]), tf.constant(X.transpose(1, 0, 2))
    state, loop = tf.zeros([2, 3]), (lambda previous, _: previous)
    plain, _ = legacy.rnn_decoder([first, None, None], state, cell, loop)
    looking, _ = legacy.attention_decoder([first, None, None], state, memory, cell, loop_function=loop)
    assert [x.shape for x in values(plain) + values(looking)] == [(2, 3)] * 6
    for decode in (lambda: legacy.rnn_decoder([first, None], state, cell, scope="a"),
                   lambda: legacy.attention_decoder([first, None], state, memory, cell, scope="b"),
                   lambda: legacy.rnn_decoder([None, first], state, cell, loop, scope="c")):
        with pytest.raises(ValueError, match="None values not supported"):
            decode()


def test_what_cannot_be_decoded():
    memory = tf.zeros([2, 4, 3])
    with pytest.raises(ValueError, match="at least 1 input"):
        legacy.attention_decoder([], tf.zeros([2, 3]), memory, cells.GRUCell(3))
    with pytest.raises(ValueError, match="less than 1 heads"):
        legacy.attention_decoder(steps(), tf.zeros([2, 3]), memory, cells.GRUCell(3), num_heads=0)
    with pytest.raises(ValueError, match="Shape\\[2\\] of attention_states must be known"):
        legacy.attention_decoder(steps(), tf.zeros([2, 3]), tf.placeholder(tf.float32, [2, 4, None]), cells.GRUCell(3))


def test_losses():
    logits = X[:, :, :]
    targets = [np.array([0, 1]), np.array([2, 2]), np.array([1, 0]), np.array([0, 0])]
    weights = [np.array([1.0, 1.0]), np.array([1.0, 0.5]), np.array([1.0, 0.0]), np.array([0.0, 0.0])]
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    each = np.stack([-p[np.arange(2), t] * w for p, t, w in zip(log_p, targets, weights)])
    arguments = ([tf.constant(x) for x in logits], [tf.constant(t) for t in targets],
                 [tf.constant(w.astype(np.float32)) for w in weights])
    by_example = each.sum(0) / np.sum(weights, 0)
    np.testing.assert_allclose(values(legacy.sequence_loss_by_example(*arguments)), by_example, rtol=1e-5)
    np.testing.assert_allclose(values(legacy.sequence_loss_by_example(*arguments, average_across_timesteps=False)),
                               each.sum(0), rtol=1e-5)
    np.testing.assert_allclose(values(legacy.sequence_loss(*arguments)), by_example.sum() / 2, rtol=1e-5)
    with pytest.raises(ValueError, match="must be the same 4, 3, 4"):
        legacy.sequence_loss(arguments[0], arguments[1], arguments[2][:3])


def test_buckets():
    with tf.variable_scope("net", initializer=uniform()):
        outputs, losses = legacy.model_with_buckets(
            words(4), words(4), words(4), [tf.ones([2])] * 4, [(2, 2), (4, 3)],
            lambda x, y: legacy.embedding_rnn_seq2seq(x, y, cells.GRUCell(3), 4, 4, 5))
    got = values([outputs, losses])
    assert [len(o) for o in got[0]] == [2, 3] and len(got[1]) == 2
    assert len([n for n in names() if n.endswith("embedding")]) == 2
    with pytest.raises(ValueError, match="must be at least that of last bucket"):
        legacy.model_with_buckets(words(1), words(4), words(4), words(4), [(2, 2)], None)


def test_copies_of_cells():
    one = cells.MultiRNNCell([cells.DropoutWrapper(cells.GRUCell(3, name="mine"), 0.5, seed=2), cells.LSTMCell(2)])
    other = copy.deepcopy(one)
    assert other._cells[0].cell.name == "mine" and other._cells[0].cell is not one._cells[0].cell
    with tf.variable_scope("a", initializer=uniform()):
        one(tf.zeros([2, 3]), one.zero_state(2, tf.float32))
    with tf.variable_scope("b", initializer=uniform()):
        other(tf.zeros([2, 3]), other.zero_state(2, tf.float32))
    assert [n.replace("a/", "b/", 1) for n in names()[:6]] == names()[6:]
