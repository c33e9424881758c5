"""Strings: made, joined, searched and turned into numbers."""
import numpy as np
import tensorflow as tf

from program import feeds


def parts(sparse):
    return [sparse.indices, sparse.values, sparse.dense_shape]


def program_as_string():
    x = tf.constant([1.5, -2.25])
    return {"a": tf.as_string(x), "b": tf.strings.as_string(x, precision=2, name="s"), "c": tf.as_string([3, 4], width=4, fill="0"),
            "d": tf.as_string(x, scientific=True), "e": tf.as_string(tf.constant([True, False])), "f": tf.as_string(x, shortest=True)}


def program_join():
    x = tf.constant(["a", "b"])
    return {"a": tf.string_join([x, "-", x]), "b": tf.strings.join(["x", x], separator="/", name="j")}


def program_reduce_join():
    x = tf.constant([["a", "b"], ["c", "d"]])
    y = tf.placeholder(tf.string, None, name="y")
    return feeds({y: [[b"p", b"q"]]}, a=tf.reduce_join(x), b=tf.strings.reduce_join(x, 0), c=tf.reduce_join(x, axis=[0, 1], separator=","),
                 d=tf.reduce_join(x, 1, keep_dims=True, name="r"), e=tf.reduce_join(x, reduction_indices=[1], keepdims=True),
                 f=tf.strings.reduce_join(y), g=tf.reduce_join(["x", "y"], -1))


def program_length_and_case():
    x = tf.constant(["Hello", "W\u00f6rld"])
    return {"a": tf.strings.length(x), "b": tf.strings.length(x, unit="UTF8_CHAR", name="n"), "c": tf.strings.lower(x),
            "d": tf.strings.upper(x, encoding="utf-8", name="u"), "e": tf.strings.strip(["  a ", "b\n"]), "f": tf.string_strip([" x"], name="s")}


def program_substr():
    x = tf.constant(["Hello", "World"])
    return {"a": tf.substr(x, 1, 3), "b": tf.strings.substr(x, [0, 1], [2, 2], name="s"),
            "c": tf.strings.substr(["\u00e4b\u00f6"], -2, 2, unit="UTF8_CHAR"), "d": tf.substr("text", pos=0, len=2)}


def program_regex():
    x = tf.constant(["abc", "xyz"])
    p = tf.placeholder(tf.string, [], name="p")
    return feeds({p: b"[a-c]+"}, a=tf.strings.regex_full_match(x, "[a-c]+"), b=tf.strings.regex_full_match(x, p, name="m"),
                 c=tf.strings.regex_replace(x, "[ay]", "_"), d=tf.regex_replace(x, p, "-", replace_global=False, name="r"),
                 e=tf.strings.regex_replace(x, "(b)", r"<\1>", replace_global=False))


def program_to_number():
    return {"a": tf.string_to_number(["1.5", "-2"]), "b": tf.strings.to_number(["3", "4"], tf.int32, name="n"),
            "c": tf.string_to_number(string_tensor="7", out_type=tf.int64), "d": tf.strings.to_number(input=["0.25"], out_type=tf.float64)}


def program_hash_buckets():
    x = tf.constant(["a", "bc"])
    return {"a": tf.string_to_hash_bucket(x, 100), "b": tf.strings.to_hash_bucket(input=x, num_buckets=7, name="h"),
            "c": tf.string_to_hash_bucket_fast(x, 100), "d": tf.strings.to_hash_bucket_strong(x, 100, [1, 2], name="s"),
            "e": tf.strings.to_hash_bucket_fast(x, num_buckets=3, name="f")}


def program_base64():
    x = tf.constant(["hello", ""])
    return {"a": tf.encode_base64(x), "b": tf.decode_base64(tf.io.encode_base64(x, pad=True, name="e"), name="d")}


def program_string_split():
    x = tf.constant(["a b", " c  d "])
    return {"a": parts(tf.string_split(x)), "b": parts(tf.string_split(["a,b,,c"], ",", skip_empty=False)),
            "c": parts(tf.string_split(x, delimiter=" ")), "d": parts(tf.string_split(["a-b+c"], sep="-+", name="s"))}


def program_split():
    x = tf.constant(["a b", " c  d "])
    return {"a": parts(tf.strings.split(x)), "b": parts(tf.strings.split(["a,b,,c", "d"], ",")), "c": parts(tf.strings.split(x, maxsplit=1, name="s"))}


def program_unicode():
    x = tf.constant(["G\u00f6\u00f6", "\u0416"])
    return {"a": tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"), "b": tf.strings.unicode_script([0x41, 0x416]),
            "c": tf.strings.unicode_transcode(["a\xffb"], "UTF-8", "UTF-8", errors="replace", replacement_char=63, name="t"),
            "d": tf.strings.unicode_transcode(["a\tb"], "UTF-8", "UTF-8", replace_control_characters=True)}


def program_format():
    x = tf.constant([[1, 2], [3, 4]])
    return {"a": tf.strings.format("value: {}", x), "b": tf.strings.format("{} and {}", (x, [1.5]), summarize=1, name="f"),
            "c": tf.strings.format("<%> here", [x], placeholder="<%>") if False else tf.strings.format("no % at all", x, placeholder="%")}


def program_segment_join():
    return {"a": tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 3), "b": tf.strings.unsorted_segment_join(
        [["a"], ["b"]], [0, 0], 1, separator=":", name="j")}


def program_raw_and_csv():
    x = tf.constant([b"\x01\x00\x02\x00", b"\x03\x00\x04\x00"])
    return {"a": tf.decode_raw(x, tf.int16), "b": tf.io.decode_raw(x, tf.uint8, name="r"), "c": tf.decode_raw(bytes=x, out_type=tf.uint16, little_endian=False),
            "d": tf.decode_csv(["1,2.5,x", "3,,y"], [[0], [1.0], ["d"]]),
            "e": tf.io.decode_csv("7;8", [tf.constant([], tf.int32), [1]], field_delim=";", name="c"),
            "f": tf.decode_csv(["1,2,3"], [[0], [0]], select_cols=[0, 2], na_value="n", use_quote_delim=False)}


def program_tensors_as_strings():
    x = tf.constant([[1.0, 2.0]])
    s = tf.serialize_tensor(x)
    return {"a": tf.parse_tensor(s, tf.float32), "b": tf.io.parse_tensor(tf.io.serialize_tensor([1, 2], name="s"), out_type=tf.int32, name="p")}


def program_quantization():
    x = tf.constant([-1.0, 0.25, 3.0])
    q, low, high = tf.quantize(x, -1.0, 3.0, tf.quint8)
    return {"a": tf.dequantize(q, low, high), "b": tf.fake_quant_with_min_max_args(x, min=-1, max=1, num_bits=4),
            "c": tf.quantization.fake_quant_with_min_max_vars(x, -1.0, 2.0, narrow_range=True, name="v"),
            "d": tf.fake_quant_with_min_max_vars_per_channel(x, [-1.0, 0.0, 0.0], [1.0, 1.0, 4.0]),
            "e": tf.fake_quant_with_min_max_args_gradient(x, x), "f": list(tf.fake_quant_with_min_max_vars_gradient(x, x, 0.0, 1.0)),
            "g": tf.quantization.dequantize(q, low, high, mode="MIN_FIRST", name="d") if False else tf.identity(low)}


def program_quantize_and_dequantize():
    x = tf.constant([-1.0, 0.25, 3.0])
    return {"a": tf.quantization.quantize_and_dequantize(x, -1.0, 1.0), "b": tf.quantization.quantize_and_dequantize(
        x, -1.0, 2.0, signed_input=False, num_bits=4, range_given=True, round_mode="HALF_UP", name="q")}
