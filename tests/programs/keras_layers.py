"""Layers of tf.keras: what they make of fixed inputs with fixed weights, and the names of their variables."""
import functools

import numpy as np
import tensorflow as tf

K = tf.keras.layers


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


def fixed(weights):
    return [np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 + (0.6 if w.min() == 1 else 0)
            for i, w in enumerate(weights)]


def applied(make, *shapes, times=1):
    """The outputs of a layer in a model, and the names of its variables."""
    inputs = [tf.keras.Input(shape=shape) for shape in shapes]
    layer = make()
    y = layer(inputs if len(inputs) > 1 else inputs[0])
    model = tf.keras.Model(inputs, y)
    model.set_weights(fixed(model.get_weights()))
    made = model.predict([values(4, *shape) + i for i, shape in enumerate(shapes)])
    return {"made": made, "names": [w.name for w in model.weights], "layer": layer.name,
            "shape": str([t.shape.as_list() for t in model.outputs]), "count": model.count_params()}


LAYERS = {
    "dense": (lambda: K.Dense(3), (5,)),
    "dense_relu_3d": (lambda: K.Dense(3, activation="relu", use_bias=False, name="d"), (2, 5)),
    "dense_constant": (lambda: K.Dense(2, kernel_initializer="ones", bias_initializer="ones"), (5,)),
    "activation": (lambda: K.Activation("tanh"), (5,)),
    "activation_function": (lambda: K.Activation(tf.nn.relu), (5,)),
    "dropout": (lambda: K.Dropout(0.5), (5,)),
    "flatten": (lambda: K.Flatten(), (2, 3, 2)),
    "reshape": (lambda: K.Reshape((3, 2)), (6,)),
    "reshape_open": (lambda: K.Reshape((-1, 2)), (2, 6)),
    "permute": (lambda: K.Permute((2, 1)), (3, 5)),
    "repeat_vector": (lambda: K.RepeatVector(3), (4,)),
    "masking": (lambda: K.Masking(mask_value=0.25), (3, 1)),
    "activity": (lambda: K.ActivityRegularization(l1=0.1), (3,)),
    "lambda": (lambda: K.Lambda(lambda x: x ** 2), (3,)),
    "spatial_dropout1d": (lambda: K.SpatialDropout1D(0.5), (3, 2)),
    "spatial_dropout2d": (lambda: K.SpatialDropout2D(0.5), (3, 2, 2)),
    "gaussian_noise": (lambda: K.GaussianNoise(0.5), (3, 2)),
    "gaussian_dropout": (lambda: K.GaussianDropout(0.5), (3, 2)),
    "alpha_dropout": (lambda: K.AlphaDropout(0.5), (3, 2)),
    "leaky_relu": (lambda: K.LeakyReLU(), (3, 2)),
    "prelu": (lambda: K.PReLU(), (3, 2)),
    "prelu_shared": (lambda: K.PReLU(shared_axes=[1]), (3, 2)),
    "elu": (lambda: K.ELU(alpha=0.7), (3, 2)),
    "thresholded_relu": (lambda: K.ThresholdedReLU(theta=0.3), (3, 2)),
    "softmax": (lambda: K.Softmax(axis=1), (3, 2)),
    "relu": (lambda: K.ReLU(max_value=0.5, negative_slope=0.1, threshold=0.1), (3, 2)),
    "layer_normalization": (lambda: K.LayerNormalization(), (3, 4)),
    "batch_normalization": (lambda: K.BatchNormalization(), (3, 4)),
    "batch_normalization_image": (lambda: K.BatchNormalization(scale=False), (3, 3, 2)),
    "conv1d": (lambda: K.Conv1D(3, 2), (6, 2)),
    "conv1d_causal": (lambda: K.Conv1D(3, 3, padding="causal", dilation_rate=2), (6, 2)),
    "conv2d": (lambda: K.Conv2D(3, 2, strides=2, activation="relu"), (5, 6, 2)),
    "conv2d_same": (lambda: K.Conv2D(2, (3, 2), padding="same", dilation_rate=(2, 1)), (5, 6, 2)),
    "conv3d": (lambda: K.Conv3D(2, 2), (3, 4, 3, 2)),
    "conv2d_transpose": (lambda: K.Conv2DTranspose(3, 3, strides=2, padding="same"), (3, 4, 2)),
    "conv2d_transpose_valid": (lambda: K.Conv2DTranspose(3, 2), (3, 4, 2)),
    "conv3d_transpose": (lambda: K.Conv3DTranspose(2, 2, strides=(2, 1, 1)), (2, 2, 3, 2)),
    "separable_conv1d": (lambda: K.SeparableConv1D(3, 2), (5, 2)),
    "separable_conv2d": (lambda: K.SeparableConv2D(3, 2, depth_multiplier=2), (4, 5, 2)),
    "depthwise_conv2d": (lambda: K.DepthwiseConv2D(2, depth_multiplier=2), (4, 5, 2)),
    "locally_connected1d": (lambda: K.LocallyConnected1D(3, 2), (5, 2)),
    "locally_connected2d": (lambda: K.LocallyConnected2D(2, (2, 3), strides=(1, 2)), (4, 5, 2)),
    "max_pooling1d": (lambda: K.MaxPooling1D(), (6, 2)),
    "max_pooling2d": (lambda: K.MaxPool2D((2, 3), strides=1, padding="same"), (4, 5, 2)),
    "max_pooling3d": (lambda: K.MaxPooling3D(), (4, 4, 3, 1)),
    "average_pooling1d": (lambda: K.AveragePooling1D(3, strides=2), (6, 2)),
    "average_pooling2d": (lambda: K.AveragePooling2D(), (4, 5, 2)),
    "average_pooling3d": (lambda: K.AvgPool3D(2, padding="same"), (3, 4, 3, 1)),
    "global_average_pooling1d": (lambda: K.GlobalAveragePooling1D(), (4, 3)),
    "global_average_pooling2d": (lambda: K.GlobalAvgPool2D(), (4, 3, 2)),
    "global_average_pooling3d": (lambda: K.GlobalAveragePooling3D(), (2, 3, 2, 2)),
    "global_max_pooling1d": (lambda: K.GlobalMaxPooling1D(), (4, 3)),
    "global_max_pooling2d": (lambda: K.GlobalMaxPool2D(), (4, 3, 2)),
    "global_max_pooling3d": (lambda: K.GlobalMaxPooling3D(), (2, 3, 2, 2)),
    "zero_padding1d": (lambda: K.ZeroPadding1D((1, 2)), (3, 2)),
    "zero_padding2d": (lambda: K.ZeroPadding2D(((1, 0), (2, 1))), (3, 2, 1)),
    "zero_padding3d": (lambda: K.ZeroPadding3D(1), (2, 2, 2, 1)),
    "cropping1d": (lambda: K.Cropping1D(1), (5, 2)),
    "cropping2d": (lambda: K.Cropping2D(((1, 0), (0, 2))), (4, 5, 1)),
    "cropping3d": (lambda: K.Cropping3D(1), (4, 4, 5, 1)),
    "up_sampling1d": (lambda: K.UpSampling1D(3), (2, 2)),
    "up_sampling2d": (lambda: K.UpSampling2D((2, 3)), (2, 3, 2)),
    "up_sampling2d_bilinear": (lambda: K.UpSampling2D(2, interpolation="bilinear"), (2, 3, 1)),
    "up_sampling3d": (lambda: K.UpSampling3D(2), (2, 1, 2, 1)),
    "add": (lambda: K.Add(), (3, 2), (3, 2), (3, 2)),
    "add_broadcast": (lambda: K.Add(), (3, 2), (2,)),
    "subtract": (lambda: K.Subtract(), (3,), (3,)),
    "multiply": (lambda: K.Multiply(), (3,), (3,)),
    "average": (lambda: K.Average(), (3,), (3,), (3,)),
    "maximum": (lambda: K.Maximum(), (3,), (3,)),
    "minimum": (lambda: K.Minimum(), (3,), (3,)),
    "concatenate": (lambda: K.Concatenate(), (3, 2), (3, 4)),
    "concatenate_axis": (lambda: K.Concatenate(axis=1), (3, 2), (1, 2)),
    "dot": (lambda: K.Dot(axes=1), (3,), (3,)),
    "dot_normalized": (lambda: K.Dot(axes=(2, 1), normalize=True), (2, 3), (3, 4)),
    "attention": (lambda: K.Attention(use_scale=True), (2, 3), (4, 3)),
    "additive_attention": (lambda: K.AdditiveAttention(), (2, 3), (4, 3)),
    "time_distributed": (lambda: K.TimeDistributed(K.Dense(2)), (3, 4)),
    "time_distributed_conv": (lambda: K.TimeDistributed(K.Conv2D(2, 2)), (2, 3, 3, 1)),
}

for _name, (_make, *_shapes) in LAYERS.items():
    globals()[f"program_{_name}"] = functools.partial(applied, _make, *_shapes)


def program_embedding():
    model = tf.keras.Sequential([K.Embedding(5, 3, input_length=4), K.Flatten()])
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict(np.array([[0, 1, 2, 3], [4, 4, 0, 1]])), "names": [w.name for w in model.weights]}


def program_functions():
    a, b = tf.keras.Input((3,)), tf.keras.Input((3,))
    outputs = [K.add([a, b]), K.subtract([a, b]), K.multiply([a, b]), K.average([a, b]), K.maximum([a, b]),
               K.minimum([a, b]), K.concatenate([a, b]), K.dot([a, b], axes=1)]
    model = tf.keras.Model([a, b], outputs)
    return {"made": model.predict([values(4, 3), values(4, 3) + 1]), "layers": [l.name for l in model.layers]}


def program_names_count():
    layers = [K.Dense(1), K.Dense(1), K.Conv2D(1, 1), K.MaxPool2D(), K.GlobalMaxPool1D(), K.BatchNormalization(),
              K.Conv2D(1, 1), K.Activation("relu"), K.LSTM(2), K.SimpleRNN(1), K.GRU(1), K.TimeDistributed(K.Dense(1)),
              K.UpSampling2D(), K.ZeroPadding2D(), K.ELU(), K.PReLU(), K.ReLU(), K.Flatten(), K.Reshape((1,))]
    return {"names": [layer.name for layer in layers]}


def program_shared_layer():
    dense = K.Dense(2)
    a, b = tf.keras.Input((3,)), tf.keras.Input((3,))
    model = tf.keras.Model([a, b], [dense(a), dense(b)])
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict([values(2, 3), values(2, 3) + 1]), "names": [w.name for w in model.weights],
            "tensors": [t.name for t in model.outputs]}


def program_custom_layer():
    class Scale(K.Layer):
        def __init__(self, start, **kwargs):
            super(Scale, self).__init__(**kwargs)
            self.start = start

        def build(self, input_shape):
            self.scale = self.add_weight("scale", shape=(int(input_shape[-1]),),
                                         initializer=tf.keras.initializers.Constant(self.start))
            super(Scale, self).build(input_shape)

        def call(self, inputs):
            return inputs * self.scale

    model = tf.keras.Sequential([Scale(2.0, input_shape=(3,)), Scale(0.5)])
    return {"made": model.predict(values(2, 3)), "names": [w.name for w in model.weights],
            "layers": [l.name for l in model.layers]}


def program_regularizers():
    model = tf.keras.Sequential([
        K.Dense(2, input_shape=(3,), kernel_regularizer=tf.keras.regularizers.l2(0.1), kernel_initializer="ones",
                bias_regularizer="l2", bias_initializer="ones", activity_regularizer=tf.keras.regularizers.l1(0.01))])
    model.compile("sgd", "mse")
    return {"losses": len(model.losses), "loss": model.evaluate(values(4, 3), values(4, 2), verbose=0)}


def program_mask_through():
    x = tf.keras.Input((None,))
    y = K.Embedding(6, 2, mask_zero=True)(x)
    y = K.Dense(3)(y)
    y = K.GlobalAveragePooling1D()(y)
    model = tf.keras.Model(x, y)
    model.set_weights(fixed(model.get_weights()))
    return {"made": model.predict(np.array([[1, 2, 0], [3, 0, 0], [5, 4, 1]]))}


def program_training_argument():
    x = tf.keras.Input((3,))
    model = tf.keras.Model(x, [K.Dropout(0.5)(x, training=False), K.BatchNormalization()(x, training=False)])
    return {"made": model.predict(values(4, 3))}


def program_kept_outputs():
    model = tf.keras.Sequential([K.Dense(3, input_shape=(2,), name="a"), K.Dense(1, name="b")])
    first = tf.keras.Model(model.input, model.get_layer("a").output)
    model.set_weights(fixed(model.get_weights()))
    return {"made": first.predict(values(4, 2)), "shapes": str([model.input_shape, model.output_shape]),
            "inner": str(model.layers[0].output_shape), "input": model.input.name, "output": model.output.name}
