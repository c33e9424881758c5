import numpy as np
import pytest

import rill as tf

cells = tf.nn.rnn_cell
seq2seq = tf.contrib.seq2seq
X = np.sin(np.arange(24)).reshape(2, 4, 3).astype(np.float32)


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


class Times:
    """An output layer: multiplies by a matrix."""

    def __init__(self, matrix):
        self.matrix = matrix

    def __call__(self, x):
        return tf.matmul(x, self.matrix)

    def compute_output_shape(self, shape):
        return tf.TensorShape(shape)[:-1].concatenate(self.matrix.shape[-1:])


# --- decoding ------------------------------------------------------------------------------------

@pytest.mark.parametrize("time_major", [False, True])
def test_training_is_dynamic_rnn(time_major, monkeypatch):
    monkeypatch.setenv("RILL_REWRITES_OFF", "rnn_layer")  # a layer as a whole sums in another order
    lengths = [2, 4]
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicLSTMCell(5)
        wanted, last = tf.nn.dynamic_rnn(cell, tf.constant(X), lengths, dtype=tf.float32)
    x = tf.constant(X.transpose(1, 0, 2).copy() if time_major else X)
    helper = seq2seq.TrainingHelper(x, lengths, time_major=time_major)
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
    outputs, state, got_lengths = seq2seq.dynamic_decode(decoder, impute_finished=True)
    assert outputs.rnn_output.shape.as_list() == [2, None, 5]
    got = values({"wanted": wanted, "last": last, "outputs": outputs, "state": state, "lengths": got_lengths})
    np.testing.assert_allclose(got["outputs"].rnn_output, got["wanted"], rtol=1e-6)
    np.testing.assert_allclose(got["state"].h, got["last"].h, rtol=1e-6)
    np.testing.assert_array_equal(got["lengths"], lengths)
    ids = got["outputs"].sample_id
    np.testing.assert_array_equal(ids[1], got["wanted"][1].argmax(-1))
    np.testing.assert_array_equal(ids[0, 2:], [0, 0])


def test_output_layers_and_order_of_dimensions():
    cell = cells.GRUCell(5)
    helper = seq2seq.TrainingHelper(tf.constant(X), [3, 4])
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32), Times(tf.ones([5, 7])))
    outputs, _, _ = seq2seq.dynamic_decode(decoder, output_time_major=True)
    assert outputs.rnn_output.shape.as_list() == [None, 2, 7]
    got = values(outputs)
    assert got.rnn_output.shape == (4, 2, 7) and got.sample_id.shape == (4, 2)


class CountingCell(cells.RNNCell):
    """The word after the input's, with words as one-hot vectors."""

    state_size = property(lambda self: 1)
    output_size = property(lambda self: 5)

    def call(self, inputs, state):
        return tf.concat([inputs[:, 4:], inputs[:, :4]], 1), state


def test_greedy_decoding():
    table = tf.eye(5)
    helper = seq2seq.GreedyEmbeddingHelper(table, [0, 2], 4)
    decoder = seq2seq.BasicDecoder(CountingCell(), helper, tf.zeros([2, 1]))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder)
    ids, n = values([outputs.sample_id, lengths])
    np.testing.assert_array_equal(ids[0], [1, 2, 3, 4])
    np.testing.assert_array_equal(ids[1, :2], [3, 4])
    np.testing.assert_array_equal(n, [4, 2])


@pytest.mark.parametrize("limit, steps", [(3, 3), (0, 0), (10, 4)])
def test_maximum_iterations(limit, steps):
    helper = seq2seq.GreedyEmbeddingHelper(lambda ids: tf.one_hot(ids, 5), [0, 2], 4)
    decoder = seq2seq.BasicDecoder(CountingCell(), helper, tf.zeros([2, 1]))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=limit)
    ids, n = values([outputs.sample_id, lengths])
    assert ids.shape == (2, steps)
    np.testing.assert_array_equal(n, np.minimum([4, 2], limit))


def test_sampling_follows_the_seed():
    def run(seed):
        with tf.Graph().as_default():
            helper = seq2seq.SampleEmbeddingHelper(tf.eye(5), [0, 0], 9, softmax_temperature=0.5, seed=seed)
            decoder = seq2seq.BasicDecoder(CountingCell(), helper, tf.zeros([2, 1]))
            outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=20, parallel_iterations=1)
            return values(outputs.sample_id)

    np.testing.assert_array_equal(run(1), run(1))
    assert (run(1) != run(2)).any()


@pytest.mark.parametrize("probability, same", [(0.0, True), (1.0, False)])
def test_scheduled_sampling(probability, same):
    x = tf.constant(np.eye(5, dtype=np.float32)[[[0, 2, 1, 3], [1, 1, 1, 1]]])
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.GRUCell(5)
        plain = seq2seq.TrainingHelper(x, [4, 4])
        scheduled = seq2seq.ScheduledEmbeddingTrainingHelper(x, [4, 4], tf.eye(5) * 3, probability, seed=1,
                                                             scheduling_seed=2)
        results = [seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32)))[0]
                   for helper in (plain, scheduled)]
    a, b = values(results)
    assert np.allclose(a.rnn_output, b.rnn_output) == same
    np.testing.assert_allclose(a.rnn_output[:, 0], b.rnn_output[:, 0], rtol=1e-6)
    assert (b.sample_id == -1).all() == same


def test_inference():
    helper = seq2seq.InferenceHelper(
        lambda outputs: outputs, [5], tf.float32, tf.one_hot([0, 2], 5), lambda ids: ids[:, 4] > 0.5)
    decoder = seq2seq.BasicDecoder(CountingCell(), helper, tf.zeros([2, 1]))
    outputs, _, lengths = seq2seq.dynamic_decode(decoder)
    got = values([outputs.sample_id, lengths])
    np.testing.assert_array_equal(got[0][0].argmax(-1), [1, 2, 3, 4])
    np.testing.assert_array_equal(got[1], [4, 2])


def test_own_helpers():
    helper = seq2seq.CustomHelper(
        lambda: (tf.constant([False, False]), tf.ones([2, 5])),
        lambda time, outputs, state: tf.fill([2], time),
        lambda time, outputs, state, sample_ids: (sample_ids >= 2, outputs, state + 1.0))
    decoder = seq2seq.BasicDecoder(CountingCell(), helper, tf.zeros([2, 1]))
    outputs, state, lengths = seq2seq.dynamic_decode(decoder)
    got = values([outputs.sample_id, state, lengths])
    np.testing.assert_array_equal(got[0], [[0, 1, 2], [0, 1, 2]])
    np.testing.assert_array_equal(got[1], [[3], [3]])
    np.testing.assert_array_equal(got[2], [3, 3])


def test_own_decoders():
    class Countdown(seq2seq.Decoder):
        batch_size = property(lambda self: 2)
        output_size = property(lambda self: {"left": tf.TensorShape([])})
        output_dtype = property(lambda self: {"left": tf.int32})

        def initialize(self, name=None):
            return tf.constant([False, False]), (), tf.constant([3, 1])

        def step(self, time, inputs, state, name=None):
            return {"left": state}, state - 1, (), state <= 1

        def finalize(self, outputs, final_state, sequence_lengths):
            return {"left": outputs["left"] * 10}, (final_state, sequence_lengths)

    outputs, (state, inner), lengths = seq2seq.dynamic_decode(Countdown(), impute_finished=True)
    got = values([outputs["left"], state, inner, lengths])
    np.testing.assert_array_equal(got[0], [[30, 20, 10], [10, 0, 0]])
    np.testing.assert_array_equal(got[1], [0, 0])
    np.testing.assert_array_equal(got[2], got[3])


def test_training_through_a_decoder():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.GRUCell(4)
        w = tf.get_variable("w", [4, 3])
        helper = seq2seq.TrainingHelper(tf.constant(X), [4, 3])
        decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32), Times(w))
        outputs, _, lengths = seq2seq.dynamic_decode(decoder)
        targets = tf.constant([[0, 1, 2, 0], [2, 1, 0, 0]])
        loss = seq2seq.sequence_loss(outputs.rnn_output, targets, tf.sequence_mask(lengths, dtype=tf.float32))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss)
        for _ in range(60):
            session.run(train)
        assert session.run(loss) < first * 0.2


def test_what_cannot_be_decoded():
    with pytest.raises(TypeError, match="Expected decoder to be type Decoder"):
        seq2seq.dynamic_decode(3)
    cell = cells.GRUCell(2)
    with pytest.raises(TypeError, match="helper must be a Helper"):
        seq2seq.BasicDecoder(cell, None, tf.zeros([2, 2]))
    with pytest.raises(TypeError, match="is not an RNNCell"):
        seq2seq.BasicDecoder(None, None, None)
    with pytest.raises(ValueError, match="to be a vector"):
        seq2seq.TrainingHelper(tf.constant(X), 3)
    with pytest.raises(ValueError, match="start_tokens must be a vector"):
        seq2seq.GreedyEmbeddingHelper(tf.eye(2), 0, 1)
    with pytest.raises(ValueError, match="end_token must be a scalar"):
        seq2seq.GreedyEmbeddingHelper(tf.eye(2), [0], [1])


# --- loss ----------------------------------------------------------------------------------------

def reference_losses(logits, targets, weights):
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -np.take_along_axis(log_p, targets[..., None], -1)[..., 0] * weights


def test_sequence_loss():
    logits, targets = X, np.array([[0, 1, 2, 0], [2, 1, 0, 1]])
    weights = np.array([[1, 0.5, 1, 0], [1, 1, 0, 0]], np.float32)
    losses = reference_losses(logits, targets, weights)

    def loss(**options):
        return values(seq2seq.sequence_loss(tf.constant(logits), tf.constant(targets), tf.constant(weights), **options))

    no = {"average_across_timesteps": False, "average_across_batch": False}
    np.testing.assert_allclose(loss(), losses.sum() / weights.sum(), rtol=1e-5)
    np.testing.assert_allclose(loss(**no), losses, rtol=1e-5)
    np.testing.assert_allclose(loss(average_across_batch=False), losses.sum(1) / weights.sum(1), rtol=1e-5)
    by_time = np.divide(losses.sum(0), weights.sum(0), out=np.zeros(4), where=weights.sum(0) > 0)
    np.testing.assert_allclose(loss(average_across_timesteps=False), by_time, rtol=1e-5)
    np.testing.assert_allclose(loss(**no, sum_over_batch=True, sum_over_timesteps=True),
                               losses.sum() / 5, rtol=1e-5)
    np.testing.assert_allclose(loss(**no, sum_over_timesteps=True), losses.sum(1) / [3, 2], rtol=1e-5)
    np.testing.assert_allclose(loss(softmax_loss_function=lambda labels, logits: tf.cast(labels, tf.float32)),
                               (targets * weights).sum() / weights.sum(), rtol=1e-5)


def test_ranks_of_losses():
    x, t = tf.constant(X), tf.zeros([2, 4], tf.int32)
    for arguments, what in (((t, t, t), "Logits"), ((x, x, t), "Targets"), ((x, t, x), "Weights")):
        with pytest.raises(ValueError, match=what):
            seq2seq.sequence_loss(*arguments)
    with pytest.raises(ValueError, match="cannot be set to True at same time"):
        seq2seq.sequence_loss(x, t, tf.ones([2, 4]), sum_over_timesteps=True)


def test_tiles():
    state = cells.LSTMStateTuple(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5.0, 6.0]))
    got = values(seq2seq.tile_batch(state, 2))
    np.testing.assert_array_equal(got.c, [[1, 2], [1, 2], [3, 4], [3, 4]])
    np.testing.assert_array_equal(got.h, [5, 5, 6, 6])


# --- attention -----------------------------------------------------------------------------------

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_luong():
    query = np.cos(np.arange(10)).reshape(2, 5).astype(np.float32)
    with tf.variable_scope("net", initializer=uniform()):
        mechanism = seq2seq.LuongAttention(5, tf.constant(X), [4, 2], scale=True)
        alignments, _ = mechanism(tf.constant(query), None)
    assert [v.op.name for v in tf.trainable_variables()] == [
        "net/memory_layer/kernel", "net/luong_attention/attention_g"]
    got, keys = values([alignments, mechanism.keys])
    score = np.einsum("bu,btu->bt", query, keys)
    score[1, 2:] = -np.inf
    np.testing.assert_allclose(got, softmax(score), rtol=1e-5)
    with pytest.raises(ValueError, match="inner dimensions between query and keys"):
        mechanism(tf.zeros([2, 3]), None)


@pytest.mark.parametrize("normalize", [False, True])
def test_bahdanau(normalize):
    query = np.cos(np.arange(12)).reshape(2, 6).astype(np.float32)
    with tf.variable_scope("net", initializer=uniform()):
        mechanism = seq2seq.BahdanauAttention(5, tf.constant(X), normalize=normalize)
        alignments, _ = mechanism(tf.constant(query), None)
    variables = {v.op.name: v for v in tf.trainable_variables()}
    assert len(variables) == (5 if normalize else 3)
    got, keys, kernel, v = values([alignments, mechanism.keys, variables["net/bahdanau_attention/query_layer/kernel"],
                                   variables["net/bahdanau_attention/attention_v"]])
    if normalize:
        v = v / np.sqrt((v ** 2).sum()) * np.sqrt(1 / 5)
    score = (v * np.tanh(keys + (query @ kernel)[:, None])).sum(-1)
    np.testing.assert_allclose(got, softmax(score), rtol=1e-4)


@pytest.mark.parametrize("kind", ["LuongAttention", "BahdanauAttention"])
def test_subclasses_may_ask_for_probabilities(kind):
    mechanism = getattr(seq2seq, kind)(5, tf.constant(X), [4, 2])
    score = tf.ones([2, X.shape[1]])
    got = values(mechanism._probability_fn(score, mechanism.initial_alignments(2, tf.float32)))
    np.testing.assert_allclose(got[1], [0.5, 0.5] + [0] * (X.shape[1] - 2))


@pytest.mark.parametrize("layer_size, size", [(None, 3), (4, 4)])
def test_attention_in_a_decoder(layer_size, size):
    with tf.variable_scope("net", initializer=uniform()):
        mechanism = seq2seq.LuongAttention(5, tf.constant(X), [4, 2])
        cell = seq2seq.AttentionWrapper(cells.GRUCell(5), mechanism, layer_size, alignment_history=True)
        assert cell.output_size == size
        helper = seq2seq.TrainingHelper(tf.constant(X), [4, 3])
        decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32))
        outputs, state, lengths = seq2seq.dynamic_decode(decoder)
    got = values([outputs.rnn_output, state.time, state.alignment_history.stack(), state.alignments])
    assert got[0].shape == (2, 4, size) and got[1] == 4
    np.testing.assert_allclose(got[2].sum(-1), np.ones([4, 2]), rtol=1e-5)
    np.testing.assert_array_equal(got[2][:, 1, 2:], np.zeros([4, 2]))
    np.testing.assert_allclose(got[2][-1], got[3], rtol=1e-6)
    grads = tf.gradients(tf.reduce_sum(outputs.rnn_output), tf.trainable_variables())
    assert all(g is not None for g in grads)
    names = [v.op.name for v in tf.trainable_variables()]
    assert "net/decoder/attention_wrapper/gru_cell/gates/kernel" in names
    assert ("net/decoder/attention_wrapper/attention_layer/kernel" in names) == (layer_size is not None)


def test_several_mechanisms():
    with tf.variable_scope("net", initializer=uniform()):
        mechanisms = [seq2seq.LuongAttention(5, tf.constant(X)), seq2seq.BahdanauAttention(2, tf.constant(X))]
        cell = seq2seq.AttentionWrapper(cells.LSTMCell(5), mechanisms, [2, 3], output_attention=False)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
    got = values([outputs, state.attention, list(state.alignments)])
    assert got[0].shape == (2, 4, 5) and got[1].shape == (2, 5) and len(got[2]) == 2


def test_what_cannot_attend():
    with pytest.raises(TypeError, match="attention_mechanism must be an AttentionMechanism"):
        seq2seq.AttentionWrapper(cells.GRUCell(2), 3)
    mechanism = seq2seq.LuongAttention(2, tf.constant(X))
    with pytest.raises(ValueError, match="exactly one integer per attention_mechanism"):
        seq2seq.AttentionWrapper(cells.GRUCell(2), mechanism, [1, 2])
    cell = seq2seq.AttentionWrapper(cells.GRUCell(2), mechanism)
    with pytest.raises(TypeError, match="AttentionWrapperState"):
        cell(tf.zeros([2, 3]), tf.zeros([2, 2]))
    assert cell.zero_state(2, tf.float32).clone(time=tf.constant(3)).time.op.type == "Const"


# --- beams ---------------------------------------------------------------------------------------

def best_sequences(log_p, start, end, width, steps, weight):
    """All beams of a Markov chain, as a search that keeps `width` of them finds them."""
    beams = [(0.0, [], False)]
    for _ in range(steps):
        candidates = []
        for total, words, done in beams:
            if done:
                candidates.append((total, words + [end], True, len(words[:words.index(end)])))
                continue
            for word, p in enumerate(log_p[words[-1] if words else start]):
                candidates.append((total + p, words + [word], word == end, len(words) + (word != end)))
        score = [(c[0] / ((5 + c[3]) / 6) ** weight, i) for i, c in enumerate(candidates)]
        order = sorted(range(len(candidates)), key=lambda i: -score[i][0])[:width]
        beams = [candidates[i][:3] for i in order]
        if all(b[2] for b in beams):
            break
    return [words for _, words, _ in beams]


class Chain(cells.RNNCell):
    """Words follow each other by a table of logits."""

    def __init__(self, logits):
        super().__init__()
        self._logits = tf.constant(logits)

    state_size = property(lambda self: 1)
    output_size = property(lambda self: 5)

    def call(self, inputs, state):
        return tf.matmul(inputs, self._logits), state + 1.0


@pytest.mark.parametrize("weight", [0.0, 1.0])
@pytest.mark.parametrize("width", [1, 3])
def test_beams(width, weight):
    logits = np.random.RandomState(5).normal(size=[5, 5]).astype(np.float32) * 2
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    state = seq2seq.tile_batch(tf.zeros([2, 1]), width)
    decoder = seq2seq.BeamSearchDecoder(Chain(logits), tf.eye(5), [0, 1], 4, state, width,
                                        length_penalty_weight=weight)
    outputs, last, lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=6)
    ids, n, total = values([outputs.predicted_ids, lengths, last.cell_state])
    assert ids.shape[0] == 2 and ids.shape[2] == width
    for example, start in enumerate([0, 1]):
        wanted = best_sequences(log_p, start, 4, width, ids.shape[1], weight)
        got = ids[example].T.tolist()
        for a, b in zip(got, wanted):
            b = b + [4] * (len(a) - len(b))
            assert a == b
        assert n[example][0] == (got[0].index(4) + 1 if 4 in got[0] else len(got[0]))


def test_beams_of_structured_cells():
    with tf.variable_scope("net", initializer=uniform()):
        memory = seq2seq.tile_batch(tf.constant(X), 3)
        mechanism = seq2seq.LuongAttention(5, memory)
        cell = seq2seq.AttentionWrapper(cells.LSTMCell(5), mechanism, 5)
        decoder = seq2seq.BeamSearchDecoder(cell, tf.eye(6), tf.zeros([2], tf.int32), 5,
                                            cell.zero_state(6, tf.float32), 3, Times(tf.ones([5, 6])))
        outputs, state, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=4)
    got = values([outputs.predicted_ids, state.cell_state.attention, outputs.beam_search_decoder_output.scores])
    assert got[0].shape == (2, 4, 3) and got[1].shape == (2, 3, 5) and got[2].shape == (2, 4, 3)


def test_trees():
    ids = np.array([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]], np.int32)
    parents = np.array([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]], np.int32)
    got = values(seq2seq.gather_tree(ids, parents, [3], 10))
    np.testing.assert_array_equal(got[:, 0].T, [[2, 6, 7], [2, 5, 8], [2, 6, 9]])
    got = values(seq2seq.gather_tree(ids, parents, [2], 10))
    np.testing.assert_array_equal(got[:, 0].T, [[1, 4, 10], [2, 5, 10], [2, 6, 10]])
    got = values(seq2seq.gather_tree(ids, parents, [3], 6))
    np.testing.assert_array_equal(got[:, 0].T, [[2, 6, 6], [2, 5, 8], [2, 6, 6]])


def test_what_beams_do_not_have():
    cell = cells.GRUCell(5)
    make = lambda **options: seq2seq.BeamSearchDecoder(  # noqa: E731
        cell, tf.eye(5), [0], 4, tf.zeros([2, 5]), options.pop("width", 2), **options)
    with pytest.raises(NotImplementedError, match="coverage_penalty_weight"):
        make(coverage_penalty_weight=1.0)
    with pytest.raises(ValueError, match="beam_width"):
        make(width=0)
