"""Strings from Python into string ops and back, as programs use them."""
import numpy as np
import pytest

import rill as tf


def run(fetch, feeds=None):
    with tf.Session() as session:
        return session.run(fetch, feeds)


def test_text_is_split_and_hashed_from_a_feed():
    lines = tf.placeholder(tf.string, [None])
    tokens = tf.raw_ops.StringSplit(input=lines, delimiter=" ")
    buckets = tf.raw_ops.StringToHashBucketFast(input=tokens.values, num_buckets=100)
    assert lines.shape.as_list() == [None] and tokens.indices.shape.as_list() == [None, 2]
    text = ["to be", "", "or not to be"]
    (indices, values, shape), numbers = run([tokens, buckets], {lines: text})
    assert values.tolist() == [b"to", b"be", b"or", b"not", b"to", b"be"]
    assert indices.tolist() == [[0, 0], [0, 1], [2, 0], [2, 1], [2, 2], [2, 3]]
    assert shape.tolist() == [3, 4]
    assert numbers[0] == numbers[4] and numbers[1] == numbers[5]


def test_any_bytes_go_through():
    everything = bytes(range(256))
    encoded = tf.raw_ops.EncodeBase64(input=everything)
    assert run(tf.raw_ops.DecodeBase64(input=encoded)) == everything


def test_characters_beyond_ascii():
    text = tf.constant(["Grüße", "日本"])
    upper = tf.raw_ops.StringUpper(input=text, encoding="utf-8")
    splits, characters = run(tf.raw_ops.UnicodeDecode(input=text, input_encoding="UTF-8"))
    assert [word.decode() for word in run(upper)] == ["GRÜSSE", "日本"]
    assert splits.tolist() == [0, 5, 7]
    assert "".join(map(chr, characters)) == "Grüße日本"


def test_a_pattern_may_change_from_run_to_run():
    pattern = tf.placeholder(tf.string, [])
    replaced = tf.raw_ops.RegexReplace(input=["a1", "b22"], pattern=pattern, rewrite="#")
    with tf.Session() as session:
        for text, want in (("[0-9]", [b"a#", b"b##"]), ("[a-z]", [b"#1", b"#22"]),
                           ("[0-9]", [b"a#", b"b##"])):
            assert session.run(replaced, {pattern: text}).tolist() == want
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern: \\("):
            session.run(replaced, {pattern: "("})
        assert session.run(replaced, {pattern: "2+"}).tolist() == [b"a1", b"b#"]


def test_numbers_as_text_and_back():
    numbers = np.array([0.1, -2.5, 1e10], np.float32)
    text = tf.raw_ops.AsString(input=numbers, shortest=True)
    assert run(text).tolist() == [b"0.1", b"-2.5", b"1e+10"]
    assert run(tf.raw_ops.StringToNumber(string_tensor=text)).tolist() == numbers.tolist()


def test_arguments_that_make_no_sense():
    with pytest.raises(ValueError, match="rank"):
        tf.raw_ops.StringSplit(input="a scalar", delimiter=" ")
    with pytest.raises(ValueError, match="num placeholders in template and num inputs must match"):
        tf.raw_ops.StringFormat(inputs=[1], template="none")
    with pytest.raises(ValueError, match="Duplicate reduction dimension 0"):
        tf.raw_ops.ReduceJoin(inputs=[["a"]], reduction_indices=[0, 0])


def test_a_flag_that_is_neither_true_nor_false():
    with pytest.raises(ValueError, match="truth value"):
        tf.strings.reduce_join([["a"]], keepdims=np.array([1, 2]))


@pytest.mark.parametrize("make", [tf.constant, tf.ragged.constant])
def test_words_of_strings_in_several_dimensions_are_sparse_unless_asked_otherwise(make):
    with tf.Graph().as_default():
        text = make([["a b", "c"], ["d", "e f"]])
        indices, values, shape = run(tf.strings.split(text))
        assert values.tolist() == [b"a", b"b", b"c", b"d", b"e", b"f"] and shape.tolist() == [2, 2, 2]
        assert indices.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]
        rows = run(tf.strings.split(text, result_type="RaggedTensor"))
        assert rows.to_list() == [[[b"a", b"b"], [b"c"]], [[b"d"], [b"e", b"f"]]]


def test_strings_of_unknown_rank_are_split_as_a_vector():
    with tf.Graph().as_default():
        text = tf.placeholder(tf.string)
        assert run(tf.strings.split(text), {text: ["a b", "c"]}).values.tolist() == [b"a", b"b", b"c"]
