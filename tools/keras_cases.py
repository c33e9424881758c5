"""One model for every kind of layer of tf.keras, with weights and inputs that are the same everywhere."""
import numpy as np
import tensorflow

tf = tensorflow if hasattr(tensorflow, "Session") else tensorflow.compat.v1  # as the first version was
layers = tf.keras.layers
VECTOR, ROWS, PICTURE, VOLUME, NUMBERS, FILM = (6,), (5, 4), (8, 8, 3), (6, 6, 6, 2), (5,), (3, 5, 5, 2)

LAYERS = {
    "dense": (VECTOR, lambda: layers.Dense(3, activation="elu", use_bias=False,
                                           kernel_constraint=tf.keras.constraints.max_norm(2.0))),
    "activation": (VECTOR, lambda: layers.Activation("softmax")), "prelu": (VECTOR, lambda: layers.PReLU()),
    "leaky_relu": (VECTOR, lambda: layers.LeakyReLU(0.2)), "elu": (VECTOR, lambda: layers.ELU()),
    "thresholded_relu": (VECTOR, lambda: layers.ThresholdedReLU(0.3)),
    "softmax": (VECTOR, lambda: layers.Softmax()), "relu": (VECTOR, lambda: layers.ReLU(max_value=1.0)),
    "dropout": (VECTOR, lambda: layers.Dropout(0.3, seed=1)),
    "gaussian_noise": (VECTOR, lambda: layers.GaussianNoise(0.1)),
    "gaussian_dropout": (VECTOR, lambda: layers.GaussianDropout(0.1)),
    "alpha_dropout": (VECTOR, lambda: layers.AlphaDropout(0.1)),
    "spatial_dropout": (ROWS, lambda: layers.SpatialDropout1D(0.1)),
    "reshape": (VECTOR, lambda: layers.Reshape((2, 3))), "repeat": (VECTOR, lambda: layers.RepeatVector(2)),
    "permute": (ROWS, lambda: layers.Permute((2, 1))), "flatten": (ROWS, lambda: layers.Flatten()),
    "masking": (ROWS, lambda: layers.Masking(0.0)),
    "layer_normalization": (VECTOR, lambda: layers.LayerNormalization()),
    "batch_normalization": (PICTURE, lambda: layers.BatchNormalization(axis=-1, momentum=0.9, center=False)),
    "conv1d": (ROWS, lambda: layers.Conv1D(3, 2, strides=2, padding="causal")),
    "conv2d": (PICTURE, lambda: layers.Conv2D(3, (3, 2), dilation_rate=2)),
    "conv3d": (VOLUME, lambda: layers.Conv3D(2, 2)),
    "conv2d_transpose": (PICTURE, lambda: layers.Conv2DTranspose(2, 3, strides=2, padding="same")),
    "conv3d_transpose": (VOLUME, lambda: layers.Conv3DTranspose(2, 2)),
    "separable_conv1d": (ROWS, lambda: layers.SeparableConv1D(3, 2)),
    "separable_conv2d": (PICTURE, lambda: layers.SeparableConv2D(3, 2, depth_multiplier=2)),
    "depthwise_conv2d": (PICTURE, lambda: layers.DepthwiseConv2D(3)),
    "locally_connected1d": (ROWS, lambda: layers.LocallyConnected1D(2, 2)),
    "locally_connected2d": (PICTURE, lambda: layers.LocallyConnected2D(2, 3)),
    "max_pooling1d": (ROWS, lambda: layers.MaxPooling1D()),
    "average_pooling1d": (ROWS, lambda: layers.AveragePooling1D(3, 2)),
    "max_pooling2d": (PICTURE, lambda: layers.MaxPooling2D((2, 3), padding="same")),
    "average_pooling2d": (PICTURE, lambda: layers.AveragePooling2D()),
    "max_pooling3d": (VOLUME, lambda: layers.MaxPooling3D()),
    "average_pooling3d": (VOLUME, lambda: layers.AveragePooling3D()),
    "global_average1d": (ROWS, lambda: layers.GlobalAveragePooling1D()),
    "global_max1d": (ROWS, lambda: layers.GlobalMaxPooling1D()),
    "global_average2d": (PICTURE, lambda: layers.GlobalAveragePooling2D()),
    "global_max2d": (PICTURE, lambda: layers.GlobalMaxPooling2D()),
    "global_average3d": (VOLUME, lambda: layers.GlobalAveragePooling3D()),
    "zero_padding1d": (ROWS, lambda: layers.ZeroPadding1D(2)),
    "zero_padding2d": (PICTURE, lambda: layers.ZeroPadding2D(((1, 2), (0, 1)))),
    "zero_padding3d": (VOLUME, lambda: layers.ZeroPadding3D()),
    "cropping1d": (ROWS, lambda: layers.Cropping1D((1, 1))), "cropping2d": (PICTURE, lambda: layers.Cropping2D(1)),
    "cropping3d": (VOLUME, lambda: layers.Cropping3D(1)), "up_sampling1d": (ROWS, lambda: layers.UpSampling1D(2)),
    "up_sampling2d": (PICTURE, lambda: layers.UpSampling2D(2, interpolation="bilinear")),
    "up_sampling3d": (VOLUME, lambda: layers.UpSampling3D()),
    "embedding": (NUMBERS, lambda: layers.Embedding(7, 3, mask_zero=True)),
    "simple_rnn": (ROWS, lambda: layers.SimpleRNN(3)),
    "gru": (ROWS, lambda: layers.GRU(3, return_sequences=True, recurrent_dropout=0.1)),
    "gru_reset_after": (ROWS, lambda: layers.GRU(3, reset_after=True)),
    "lstm": (ROWS, lambda: layers.LSTM(3, go_backwards=True, unit_forget_bias=False)),
    "rnn": (ROWS, lambda: layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)])),
    "bidirectional": (ROWS, lambda: layers.Bidirectional(layers.LSTM(2, return_sequences=True), merge_mode="sum")),
    "time_distributed": (ROWS, lambda: layers.TimeDistributed(layers.Dense(2, activation="relu"))),
    "conv_lstm2d": (FILM, lambda: layers.ConvLSTM2D(2, 2)),
}


def waves(*shape):
    """Numbers between 0 and 1 that any machine computes alike."""
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) * 37 % 101 / 101).astype("float32")


def inputs(name):
    """Two examples for the layer."""
    shape = (2, *LAYERS[name][0])
    return np.floor(waves(*shape) * 7) if name == "embedding" else waves(*shape)


def write(name, folder):
    """A compiled model with the layer, whole and as weights; what it makes of its inputs."""
    shape, layer = LAYERS[name]
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([layers.InputLayer(shape, name="given"), layer()])
    model.compile("adam", "mse")
    model.set_weights([waves(*value.shape) * 0.5 for value in model.get_weights()])
    model.save(str(folder / f"{name}.h5"))
    model.save_weights(str(folder / name))
    return model.predict(inputs(name))


def read(name, folder):
    """What the model of a file makes of its inputs, with its own weights and with those of the checkpoint."""
    tf.keras.backend.clear_session()
    model = tf.keras.models.load_model(str(folder / f"{name}.h5"))
    whole = model.predict(inputs(name))
    if model.weights:
        model.set_weights([0 * value for value in model.get_weights()])
        model.load_weights(str(folder / name))
    return whole, model.predict(inputs(name))
