"""Words of sentences. The C++ twin is texts.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

lines = tf.constant(["the quick fox", "a lazy dog"])
words = tf.string_split(lines)
joined = tf.string_join(["[", words.values, "]"])
with tf.Session() as sess:
    show("words", sess.run(words.values))
    show("indices", sess.run(words.indices))
    show("joined", sess.run(joined))
    show("length", sess.run(tf.strings.length(lines)))
    show("buckets", sess.run(tf.strings.to_hash_bucket_fast(words.values, 10)))
    show("parts", sess.run(tf.strings.substr(lines, 0, 3)))
    show("numbers", sess.run(tf.strings.to_number(tf.constant(["1.5", "-2"]))))
    show("replaced", sess.run(tf.strings.regex_replace(lines, "[aeiou]", "_")))
