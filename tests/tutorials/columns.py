"""Feature columns: what a model takes from raw features. The C++ twin is columns.cc."""
import tensorflow.compat.v1 as tf
from shown import show

tf.disable_v2_behavior()

fc = tf.feature_column
price = fc.numeric_column("price")
age = fc.bucketized_column(fc.numeric_column("age"), [18, 65])
color = fc.indicator_column(fc.categorical_column_with_vocabulary_list("color", ["red", "green"], num_oov_buckets=1))
features = fc.input_layer({"price": tf.constant([1.5, 2.5]), "age": tf.constant([17.0, 70.0]),
                           "color": tf.constant(["green", "blue"])}, [price, age, color])
with tf.Session() as sess:
    sess.run(tf.tables_initializer())
    show("features", sess.run(features))
