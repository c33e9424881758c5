"""Ops on text. PyTorch has none."""
import numpy as np

from op_cases import Case, Input

WORDS = [b"the", b"of", b"graph", b"a", b"tensor", b"flows", b"through", b"and", b"computation",
         b"in", b"session", b"is", b"placeholder", b"to", b"embedding_lookup"]


def lines(count, words_each):
    """Lines of text, a few words each."""
    picks = np.random.default_rng(count).integers(0, len(WORDS), (count, words_each))
    return Input(np.array([b" ".join(WORDS[i] for i in row) for row in picks], object))


def words(count):
    """Words that a table of features holds: some text and a number."""
    picks = np.random.default_rng(count).integers(0, len(WORDS), count)
    return Input(np.array([WORDS[pick] + b"_%d" % i for i, pick in enumerate(picks)], object))


def numbers(count):
    values = np.random.default_rng(count).uniform(-1000, 1000, count)
    return Input(np.array([b"%.4f" % value for value in values], object))


def split_and_hash(r, x):
    """Text to the ids of its words."""
    words_of_lines = r.StringSplitV2(input=x, sep="")[1]
    return r.StringToHashBucketFast(input=words_of_lines, num_buckets=10_007)


def case(name, given, graph, repeat=5):
    return Case(name, {"x": given}, graph, None, repeat)


CASES = [
    case("string_split", lines(2000, 12), lambda r, x: r.StringSplit(input=x, delimiter=" ")),
    case("string_split_v2", lines(2000, 12), lambda r, x: r.StringSplitV2(input=x, sep="")),
    case("string_split_v2_comma", lines(2000, 12), lambda r, x: r.StringSplitV2(input=x, sep=" ")),
    case("string_split_few", lines(16, 12), lambda r, x: r.StringSplitV2(input=x, sep=""), 20),
    case("hash_bucket", words(20_000),
         lambda r, x: r.StringToHashBucket(string_tensor=x, num_buckets=10_007)),
    case("hash_bucket_fast", words(20_000),
         lambda r, x: r.StringToHashBucketFast(input=x, num_buckets=10_007)),
    case("hash_bucket_fast_lines", lines(5000, 12),
         lambda r, x: r.StringToHashBucketFast(input=x, num_buckets=10_007)),
    case("hash_bucket_fast_few", words(64),
         lambda r, x: r.StringToHashBucketFast(input=x, num_buckets=10_007), 50),
    case("hash_bucket_strong", words(20_000),
         lambda r, x: r.StringToHashBucketStrong(input=x, num_buckets=10_007, key=[1, 2])),
    case("split_and_hash", lines(2000, 12), split_and_hash),
    case("string_join", words(20_000), lambda r, x: r.StringJoin(inputs=[x, x], separator="_x_")),
    case("reduce_join", words(20_000),
         lambda r, x: r.ReduceJoin(inputs=x, reduction_indices=[0], separator=" ")),
    case("regex_replace", lines(2000, 12),
         lambda r, x: r.StaticRegexReplace(input=x, pattern="[aeiou]+", rewrite="_"), 2),
    case("regex_full_match", words(20_000),
         lambda r, x: r.StaticRegexFullMatch(input=x, pattern="[a-z]+_[0-9]*7"), 2),
    case("string_to_number", numbers(20_000), lambda r, x: r.StringToNumber(string_tensor=x)),
    case("string_lower", lines(5000, 12), lambda r, x: r.StringLower(input=x)),
    case("substr", words(20_000), lambda r, x: r.Substr(input=x, pos=1, len=3)),
    case("string_length_utf8", lines(5000, 12),
         lambda r, x: r.StringLength(input=x, unit="UTF8_CHAR")),
    case("encode_base64", lines(5000, 12), lambda r, x: r.EncodeBase64(input=x)),
    case("unicode_decode", lines(2000, 12),
         lambda r, x: r.UnicodeDecode(input=x, input_encoding="UTF-8")),
    case("unicode_transcode", lines(2000, 12),
         lambda r, x: r.UnicodeTranscode(input=x, input_encoding="UTF-8",
                                         output_encoding="UTF-16-BE"), 2),
    Case("as_string", {"x": Input(np.random.default_rng(3).uniform(-9, 9, 20_000)
                                  .astype(np.float32))},
         lambda r, x: r.AsString(input=x), None, 2),
]
