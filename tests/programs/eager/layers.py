"""tf.layers, tf.losses, cells of tf.nn and metrics, called with values."""
import tensorflow as tf

from program import raised

ONES = dict(kernel_initializer=tf.ones_initializer(), bias_initializer=tf.ones_initializer())
IMAGE = tf.reshape(tf.range(32.), [1, 4, 4, 2])


def program_dense():
    layer = tf.layers.Dense(3, activation=tf.nn.relu, **ONES)
    return dict(y=layer(tf.ones([2, 2])), again=layer(tf.zeros([1, 2])), count=len(layer.variables), names=[v.name for v in layer.variables])


def program_functions_make_new_weights():
    a = tf.layers.dense(tf.ones([1, 2]), 2, **ONES)
    b = tf.layers.dense(tf.ones([1, 3]), 2, **ONES)
    return dict(a=a, b=b)


def program_convolutions():
    return dict(two=tf.layers.conv2d(IMAGE, 2, 3, **ONES), one=tf.layers.conv1d(IMAGE[0], 1, 2, **ONES),
                transposed=tf.layers.conv2d_transpose(IMAGE, 1, 2, **ONES), same=tf.layers.conv2d(IMAGE, 1, 2, padding="same", strides=2, **ONES))


def program_separable_convolutions():
    return dict(y=tf.layers.separable_conv2d(IMAGE, 2, 2, depthwise_initializer=tf.ones_initializer(), pointwise_initializer=tf.ones_initializer()))


def program_pooling():
    return dict(max=tf.layers.max_pooling2d(IMAGE, 2, 2), mean=tf.layers.average_pooling2d(IMAGE, 2, 1), one=tf.layers.max_pooling1d(IMAGE[0], 2, 2))


def program_flatten_and_dropout():
    return dict(flat=tf.layers.flatten(IMAGE), kept=tf.layers.dropout(IMAGE[0, 0], .5), layer=tf.layers.Flatten()(IMAGE))


def program_batch_normalization():
    layer = tf.layers.BatchNormalization()
    x = tf.constant([[1., 2.], [3., 6.]])
    return dict(inference=layer(x), training=layer(x, training=True), mean=layer.moving_mean)


def program_regularizers():
    layer = tf.layers.Dense(2, kernel_regularizer=lambda w: tf.reduce_sum(w ** 2), **ONES)
    layer(tf.ones([1, 3]))
    return dict(losses=layer.losses)


def program_shapes_are_fixed_by_the_first_call():
    layer = tf.layers.Dense(2)
    layer(tf.ones([1, 3]))
    return dict(error=raised(lambda: layer(tf.ones([1, 4]))))


def program_losses():
    y, p = tf.constant([[0., 1.]]), tf.constant([[.3, .6]])
    return dict(mse=tf.losses.mean_squared_error(y, p), absolute=tf.losses.absolute_difference(y, p), log=tf.losses.log_loss(y, p),
                hinge=tf.losses.hinge_loss(y, p), huber=tf.losses.huber_loss(y, p), softmax=tf.losses.softmax_cross_entropy(y, p),
                sigmoid=tf.losses.sigmoid_cross_entropy(y, p), sparse=tf.losses.sparse_softmax_cross_entropy([1], p),
                cosine=tf.losses.cosine_distance(y, p, axis=1), pairs=tf.losses.mean_pairwise_squared_error(y, p))


def program_weights_of_losses():
    y, p = tf.constant([[0.], [1.]]), tf.constant([[1.], [3.]])
    return dict(weighted=tf.losses.mean_squared_error(y, p, weights=[[1.], [0.]]),
                sum=tf.losses.mean_squared_error(y, p, reduction=tf.losses.Reduction.SUM),
                none=tf.losses.mean_squared_error(y, p, reduction="none"))


def cell_run(cell, steps=3):
    state, x = cell.zero_state(2, tf.float32), tf.ones([2, 3])
    for _ in range(steps):
        y, state = cell(x, state)
    return y


def program_cells():
    cells, maker = tf.nn.rnn_cell, tf.constant_initializer(.1)
    with tf.variable_scope("cells", initializer=maker):
        return dict(basic=cell_run(cells.BasicRNNCell(2)), lstm=cell_run(cells.LSTMCell(2, initializer=maker)), gru=cell_run(cells.GRUCell(
            2, kernel_initializer=maker, bias_initializer=maker)), stack=cell_run(cells.MultiRNNCell([cells.BasicRNNCell(2), cells.BasicRNNCell(2)])))


def program_dynamic_rnn():
    x = tf.reshape(tf.range(12.) / 10, [2, 3, 2])
    cell = tf.nn.rnn_cell.LSTMCell(2, initializer=tf.constant_initializer(.1))
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[2, 3])
    return dict(outputs=outputs, c=state.c, h=state.h)


def program_nn_functions():
    x = tf.constant([[1., -2., 3.]])
    return dict(relu=tf.nn.relu(x), softmax=tf.nn.softmax(x), crelu=tf.nn.crelu(x), norm=tf.nn.l2_normalize(x, 1), moments=tf.nn.moments(x, [1]),
                top=tf.nn.top_k(x, 2), bias=tf.nn.bias_add(x, [1., 1., 1.]), leaky=tf.nn.leaky_relu(x), loss=tf.nn.l2_loss(x),
                xw=tf.nn.xw_plus_b(x, tf.ones([3, 1]), [1.]))


def program_images():
    image = tf.cast(tf.reshape(tf.range(12), [2, 2, 3]), tf.uint8)
    return dict(flip=tf.image.flip_left_right(image), gray=tf.image.rgb_to_grayscale(image), up=tf.image.resize_nearest_neighbor(image[None], [4, 4])[0, :, :, 0],
                float=tf.image.convert_image_dtype(image, tf.float32), png=tf.image.decode_png(tf.image.encode_png(image)), crop=tf.image.central_crop(image, .5))


def program_parsing():
    example = tf.train.Example()
    example.features.feature["a"].int64_list.value.extend([1, 2])
    example.features.feature["b"].bytes_list.value.append(b"x")
    found = tf.io.parse_single_example(example.SerializeToString(), {"a": tf.io.FixedLenFeature([2], tf.int64), "b": tf.io.FixedLenFeature([], tf.string),
                                                                       "c": tf.io.VarLenFeature(tf.int64)})
    return dict(a=found["a"], b=found["b"], none=found["c"].values, csv=tf.io.decode_csv("1,2.5,x", [[0], [0.], [""]]))


def program_feature_columns():
    fc = tf.feature_column
    columns = [fc.numeric_column("n"), fc.indicator_column(fc.categorical_column_with_vocabulary_list("c", ["a", "b"])),
               fc.bucketized_column(fc.numeric_column("m"), [0., 1.])]
    return dict(x=tf.keras.layers.DenseFeatures(columns)({
        "n": tf.constant([[1.], [2.]]), "c": tf.constant([["a"], ["z"]]), "m": tf.constant([[-1.], [5.]])}))


def program_linear_algebra():
    a = tf.constant([[4., 1.], [1., 3.]])
    return dict(inverse=tf.linalg.inv(a), det=tf.linalg.det(a), cholesky=tf.linalg.cholesky(a), solve=tf.linalg.solve(a, [[1.], [2.]]), trace=tf.linalg.trace(a),
                eigenvalues=tf.linalg.eigvalsh(a), diag=tf.linalg.diag([1., 2.]), norm=tf.norm(a), qr=tf.abs(tf.linalg.qr(a)[1]))


def program_signals():
    x = tf.sin(tf.range(16.))
    return dict(fft=tf.abs(tf.signal.rfft(x)), frames=tf.signal.frame(x, 4, 4), stft=tf.abs(tf.signal.stft(x, 8, 4)), dct=tf.signal.dct(x))


def program_distributions():
    normal = tf.distributions.Normal(1., 2.)
    return dict(log=normal.log_prob(0.), mean=normal.mean(), cdf=normal.cdf(1.), entropy=normal.entropy(), gamma=tf.distributions.Gamma(2., 1.).log_prob(1.),
                kl=tf.distributions.kl_divergence(normal, tf.distributions.Normal(0., 1.)), beta=tf.distributions.Beta(2., 3.).mean())


def program_sets_and_bins():
    return dict(unique=tf.unique([1, 1, 2]), bins=tf.math.bincount([0, 1, 1]), histogram=tf.histogram_fixed_width([.1, .9], [0., 1.], 2),
                diff=tf.setdiff1d([1, 2, 3], [2]), confusion=tf.math.confusion_matrix([0, 1], [1, 1]))
