"""tf.contrib.crf, beside sums over all sequences of tags; TensorFlow 2 does not have it."""
import itertools

import numpy as np
import pytest
import rill as tf

crf = tf.contrib.crf
TAGS, STEPS = 3, 4
RANDOM = np.random.RandomState(0)
SCORES = RANDOM.randn(2, STEPS, TAGS).astype(np.float32)
TRANSITIONS = RANDOM.randn(TAGS, TAGS).astype(np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def run(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


def score_of(tags, scores=SCORES[0]):
    return (sum(scores[t, tag] for t, tag in enumerate(tags))
            + sum(TRANSITIONS[pair] for pair in zip(tags, tags[1:])))


def sequences(length):
    return list(itertools.product(range(TAGS), repeat=length))


@pytest.mark.parametrize("length", [1, 2, STEPS])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_sums_over_all_sequences(length, dtype):
    lengths = np.array([length, 0], dtype)
    norm = run(crf.crf_log_norm(SCORES, lengths, TRANSITIONS))
    assert norm[0] == pytest.approx(np.log(sum(np.exp(score_of(tags)) for tags in sequences(length))), rel=1e-4)
    assert norm[1] == 0


def test_scores():
    tags = np.array([[0, 2, 1, 1], [2, 2, 0, 1]], np.int32)
    lengths = [4, 2]
    unary = run(crf.crf_unary_score(tags, lengths, SCORES))
    binary = run(crf.crf_binary_score(tags, lengths, TRANSITIONS))
    whole = run(crf.crf_sequence_score(SCORES, tags, lengths, TRANSITIONS))
    np.testing.assert_allclose(whole, unary + binary, rtol=1e-5)
    assert whole[0] == pytest.approx(score_of([0, 2, 1, 1]), rel=1e-4)
    assert whole[1] == pytest.approx(score_of([2, 2], SCORES[1]), rel=1e-4)


def test_multitag_sums_over_what_is_allowed():
    allowed = np.zeros((2, STEPS, TAGS), bool)
    allowed[0, :, 1] = allowed[0, 2, 0] = allowed[1] = True
    score = run(crf.crf_multitag_sequence_score(SCORES, allowed, [STEPS, 1], TRANSITIONS))
    expected = [score_of(tags) for tags in ([1, 1, 1, 1], [1, 1, 0, 1])]
    assert score[0] == pytest.approx(np.log(np.exp(expected).sum()), rel=1e-4)


def test_best_tags():
    best = max(sequences(3), key=score_of)
    tags, score = run(crf.crf_decode(SCORES, TRANSITIONS, [3, 1]))
    assert list(tags[0]) == [*best, 0] and list(tags[1][1:]) == [0, 0, 0]
    assert score[0] == pytest.approx(score_of(best), rel=1e-4)
    tags, score = crf.viterbi_decode(SCORES[0][:3], TRANSITIONS)
    assert tags == list(best) and score == pytest.approx(score_of(best), rel=1e-4)


def test_unknown_time():
    scores = tf.placeholder(tf.float32, [None, None, TAGS])
    likelihood, transitions = crf.crf_log_likelihood(scores, tf.placeholder_with_default([[1]], [None, None]), [1])
    gradient = tf.gradients(likelihood, scores)[0]
    assert [v.name for v in tf.trainable_variables()] == ["transitions:0"] and transitions.shape == [TAGS, TAGS]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        value, slope = session.run([likelihood, gradient], {scores: SCORES[:1, :1]})
    weights = np.exp(SCORES[0, 0]) / np.exp(SCORES[0, 0]).sum()
    assert value[0] == pytest.approx(np.log(weights[1]), rel=1e-4)
    np.testing.assert_allclose(slope[0, 0], np.eye(TAGS)[1] - weights, atol=1e-5)


def test_cells():
    sums, _ = tf.nn.dynamic_rnn(crf.CrfForwardRnnCell(TRANSITIONS), SCORES[:, 1:], initial_state=SCORES[:, 0])
    forward = crf.CrfDecodeForwardRnnCell(TRANSITIONS)
    pointers, best = forward(tf.constant(SCORES[:, 1]), tf.constant(SCORES[:, 0]))
    before, _ = crf.CrfDecodeBackwardRnnCell(TAGS)(pointers, tf.constant([[0], [2]]))
    sums, best, before = run([sums, best, before])
    both = SCORES[0, 0][:, None] + TRANSITIONS
    np.testing.assert_allclose(sums[0, 0], SCORES[0, 1] + np.log(np.exp(both).sum(0)), rtol=1e-4)
    np.testing.assert_allclose(best[0], SCORES[0, 1] + both.max(0), rtol=1e-4)
    assert before[0, 0] == both.argmax(0)[0]


def test_wrong_ranks():
    with pytest.raises(ValueError, match="rank 3"):
        crf.crf_log_norm(SCORES[0], [1], TRANSITIONS)
