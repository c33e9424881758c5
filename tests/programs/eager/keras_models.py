"""Keras, called and trained with values."""
import numpy as np
import tensorflow as tf

from program import raised

K, L = tf.keras, tf.keras.layers
ONES = dict(kernel_initializer="ones", bias_initializer="ones")
RANDOM = np.random.RandomState(0)
X = RANDOM.uniform(-1, 1, [16, 4]).astype(np.float32)
Y = (X.sum(1, keepdims=True) * 2).astype(np.float32)
CLASSES = (X.sum(1) > 0).astype(np.int64)


def fixed(units, **options):
    """A dense layer whose weights are the same everywhere."""
    return L.Dense(units, kernel_initializer=K.initializers.Constant(.1), **options)


def program_dense():
    layer = L.Dense(3, **ONES)
    y = layer(tf.ones([2, 4]))
    return dict(y=y, kernel=layer.kernel, built=layer.built, names=[w.name.split("/")[-1] for w in layer.weights])


def program_activations():
    x = tf.constant([[-2., -.5, 0., 1., 3.]])
    names = ["relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "hard_sigmoid", "exponential", "linear", "softmax"]
    return {name: L.Activation(name)(x) for name in names}


def program_advanced_activations():
    x = tf.constant([[-2., -.5, 0., 1., 3.]])
    return dict(leaky=L.LeakyReLU(.1)(x), prelu=L.PReLU(alpha_initializer="ones")(x), elu=L.ELU(.5)(x), relu=L.ReLU(2., .1, .5)(x),
                thresholded=L.ThresholdedReLU(.7)(x), softmax=L.Softmax()(x))


def program_shaping_layers():
    x = tf.reshape(tf.range(12.), [2, 2, 3])
    return dict(flatten=L.Flatten()(x), reshape=L.Reshape([6])(x), permute=L.Permute([2, 1])(x), repeat=L.RepeatVector(2)(x[:, 0]))


def program_merging_layers():
    a, b = tf.constant([[1., 2.]]), tf.constant([[3., -4.]])
    return {kind.__name__: kind()([a, b]) for kind in (L.Add, L.Subtract, L.Multiply, L.Average, L.Maximum, L.Minimum, L.Concatenate)} | dict(
        dot=L.Dot(1)([a, b]))


def program_convolutions():
    x = tf.reshape(tf.range(32.), [1, 4, 4, 2])
    return dict(conv=L.Conv2D(2, 3, **ONES)(x), same=L.Conv2D(1, 2, padding="same", strides=2, **ONES)(x),
                depthwise=L.DepthwiseConv2D(2, depthwise_initializer="ones")(x), one=L.Conv1D(1, 2, **ONES)(x[0]),
                transposed=L.Conv2DTranspose(1, 2, **ONES)(x))


def program_pooling():
    x = tf.reshape(tf.range(16.), [1, 4, 4, 1])
    return dict(max=L.MaxPooling2D()(x), mean=L.AveragePooling2D(2, 1)(x), all=L.GlobalAveragePooling2D()(x),
                most=L.GlobalMaxPooling2D()(x), one=L.MaxPooling1D(2)(x[0]))


def program_padding_and_cropping():
    x = tf.reshape(tf.range(4.), [1, 2, 2, 1])
    return dict(pad=L.ZeroPadding2D(1)(x), crop=L.Cropping2D(((1, 0), (0, 1)))(x), up=L.UpSampling2D(2)(x), one=L.UpSampling1D(2)(x[0]))


def program_embedding():
    return dict(y=L.Embedding(5, 2, embeddings_initializer="ones")(tf.constant([[0, 4], [1, 1]])))


def program_normalization():
    layer = L.BatchNormalization()
    x = tf.constant([[1., 2.], [3., 6.]])
    inference = layer(x, training=False)
    training = layer(x, training=True)
    return dict(inference=inference, training=training, mean=layer.moving_mean, variance=layer.moving_variance)


def program_layer_normalization():
    return dict(y=L.LayerNormalization()(tf.constant([[1., 2., 6.], [0., 0., 3.]])))


def program_dropout():
    x = tf.ones([100, 100])
    kept = L.Dropout(.5)(x, training=True).numpy()
    return dict(inference=L.Dropout(.5)(x[:1, :2], training=False), values=sorted({float(v) for v in kept.ravel()}),
                half=bool(.45 < (kept > 0).mean() < .55))


def program_recurrent_layers():
    x = tf.reshape(tf.range(12.) / 10, [2, 3, 2])
    options = dict(kernel_initializer="ones", recurrent_initializer="ones")
    return dict(simple=L.SimpleRNN(2, **options)(x), lstm=L.LSTM(2, **options)(x), gru=L.GRU(2, reset_after=False, **options)(x),
                sequence=L.LSTM(2, return_sequences=True, **options)(x))


def program_states():
    x = tf.reshape(tf.range(6.) / 10, [1, 3, 2])
    y, h, c = L.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones", return_state=True)(x)
    return dict(y=y, h=h, c=c)


def program_bidirectional_and_distributed():
    x = tf.reshape(tf.range(6.) / 10, [1, 3, 2])
    return dict(both=L.Bidirectional(L.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones"))(x),
                each=L.TimeDistributed(L.Dense(1, **ONES))(x))


def program_masking():
    x = tf.constant([[[1., 1.], [0., 0.]], [[2., 2.], [3., 3.]]])
    masked = L.Masking()(x)
    return dict(masked=masked, mask=masked._keras_mask, rnn=L.SimpleRNN(1, kernel_initializer="ones", recurrent_initializer="ones")(masked))


def program_lambda_layer():
    return dict(y=L.Lambda(lambda x: x * 2 + 1)(tf.constant([1., 2.])))


def program_sequential_call():
    model = K.Sequential([L.Dense(3, activation="relu", **ONES), L.Dense(1, **ONES)])
    return dict(y=model(tf.ones([2, 4])), weights=len(model.weights), parameters=model.count_params())


def program_sequential_with_a_shape():
    model = K.Sequential([L.Dense(3, input_shape=[4], **ONES)])
    return dict(built=model.built, y=model(tf.ones([1, 4])), shape=list(model.output_shape))


def program_functional_call():
    x = K.Input([4])
    model = K.Model(x, [L.Dense(2, **ONES)(x), L.Dense(1, **ONES)(x)])
    a, b = model(tf.ones([1, 4]))
    return dict(a=a, b=b)


class Net(K.Model):
    """A model by subclassing."""

    def __init__(self):
        super().__init__()
        self.hidden, self.out = fixed(8, activation="tanh"), fixed(1)

    def call(self, x, training=None):
        return self.out(self.hidden(x))


def program_subclass_call():
    net = Net()
    y = net(tf.constant(X[:2]))
    return dict(y=y, variables=len(net.trainable_variables), layers=len(net.layers))


def program_own_layer():
    class Scale(L.Layer):
        def build(self, shape):
            self.scale = self.add_weight("scale", [int(shape[-1])], initializer="ones")

        def call(self, x):
            return x * self.scale * 3.
    layer = Scale()
    return dict(y=layer(tf.constant([[1., 2.]])), count=len(layer.trainable_weights))


def program_own_layer_with_losses():
    class Penalty(L.Layer):
        def call(self, x):
            self.add_loss(tf.reduce_sum(x))
            return x
    layer = Penalty()
    layer(tf.constant([1., 2.]))
    return dict(losses=layer.losses)


def program_regularizers():
    layer = L.Dense(2, kernel_regularizer=K.regularizers.l2(.5), activity_regularizer=K.regularizers.l1(.1), **ONES)
    layer(tf.ones([1, 3]))
    return dict(losses=layer.losses)


def program_constraints():
    layer = L.Dense(2, kernel_constraint=K.constraints.MaxNorm(1.), **ONES)
    model = K.Sequential([layer])
    model.compile(K.optimizers.SGD(.1), "mse")
    model.fit(X, np.zeros([16, 2]), epochs=1, verbose=0, shuffle=False)
    return dict(norm=bool((np.linalg.norm(layer.kernel.numpy(), axis=0) < 1.001).all()))


def fitted(model, loss="mse", optimizer="sgd", x=X, y=Y, **options):
    """The losses of a training."""
    model.compile(optimizer, loss, **options)
    return model.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0).history


def program_fit_sequential():
    history = fitted(K.Sequential([fixed(8, activation="tanh"), fixed(1)]))
    return dict(loss=history["loss"])


def program_fit_functional():
    x = K.Input([4])
    return dict(loss=fitted(K.Model(x, fixed(1)(fixed(8, activation="relu")(x))))["loss"])


def program_fit_subclass():
    return dict(loss=fitted(Net())["loss"])


def program_fit_eagerly():
    return dict(loss=fitted(Net(), run_eagerly=True)["loss"])


def program_fit_optimizers():
    return {name: fitted(K.Sequential([fixed(4, activation="tanh"), fixed(1)]), optimizer=name)["loss"]
            for name in ("sgd", "adam", "rmsprop", "adagrad", "adadelta", "adamax", "nadam")}


def program_fit_classes():
    model = K.Sequential([fixed(8, activation="tanh"), L.Dense(2, activation="softmax", kernel_initializer="zeros")])
    history = fitted(model, "sparse_categorical_crossentropy", y=CLASSES, metrics=["accuracy"])
    return dict(loss=history["loss"], accuracy=history.get("accuracy", history.get("acc")))


def program_fit_weights():
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse")
    history = model.fit(X, Y, sample_weight=np.linspace(0, 1, 16), batch_size=8, epochs=2, shuffle=False, verbose=0)
    return dict(loss=history.history["loss"])


def program_fit_dataset():
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(4)
    return dict(loss=model.fit(data, epochs=2, verbose=0).history["loss"])


def program_fit_validation():
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse")
    history = model.fit(X, Y, batch_size=4, epochs=2, shuffle=False, verbose=0, validation_data=(X[:4], Y[:4])).history
    return dict(loss=history["loss"], val=history["val_loss"])


def program_evaluate_and_predict():
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse", metrics=["mae"])
    return dict(scores=[float(score) for score in model.evaluate(X, Y, verbose=0)], predicted=model.predict(X[:3]), batch=model.predict_on_batch(X[:2]))


def program_train_on_batch():
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse")
    return dict(losses=[float(model.train_on_batch(X, Y)) for _ in range(3)], test=float(model.test_on_batch(X, Y)))


def program_callbacks():
    seen = []

    class Watch(K.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            seen.append(epoch)

        def on_train_batch_begin(self, batch, logs=None):
            seen.append(100 + batch)
    model = K.Sequential([fixed(1)])
    model.compile("sgd", "mse")
    model.fit(X, Y, batch_size=8, epochs=2, verbose=0, callbacks=[Watch()])
    return dict(seen=seen)


def program_early_stopping():
    model = K.Sequential([fixed(1)])
    model.compile(K.optimizers.SGD(0.), "mse")
    history = model.fit(X, Y, epochs=5, shuffle=False, verbose=0, callbacks=[K.callbacks.EarlyStopping("loss", patience=1)])
    return dict(epochs=len(history.history["loss"]))


def program_schedules():
    model = K.Sequential([fixed(1)])
    model.compile(K.optimizers.SGD(.1), "mse")
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[K.callbacks.LearningRateScheduler(lambda epoch: .1 / (epoch + 1))])
    return dict(rate=float(K.backend.get_value(model.optimizer.lr)))


def program_weights_in_and_out():
    model = K.Sequential([L.Dense(2, input_shape=[3], **ONES)])
    model.set_weights([w * 2 for w in model.get_weights()])
    return dict(weights=model.get_weights(), y=model(tf.ones([1, 3])))


def program_frozen_layers():
    model = K.Sequential([L.Dense(2, trainable=False, **ONES), L.Dense(1, **ONES)])
    model(tf.ones([1, 3]))
    return dict(trained=len(model.trainable_variables), all=len(model.variables))


def program_tape_of_a_model():
    model = K.Sequential([fixed(4, activation="tanh"), fixed(1)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(tf.constant(X)) - Y) ** 2)
    return dict(zip("abcd", tape.gradient(loss, model.trainable_variables)))


def program_own_training_loop():
    model, optimizer, losses = Net(), tf.train.AdamOptimizer(.01), []
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(tf.constant(X)) - Y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        losses.append(loss.numpy())
    return dict(losses=losses)


def program_losses():
    y, p = tf.constant([[0., 1.], [1., 0.]]), tf.constant([[.2, .8], [.6, .4]])
    names = ["MeanSquaredError", "MeanAbsoluteError", "BinaryCrossentropy", "CategoricalCrossentropy", "Hinge", "SquaredHinge",
             "KLDivergence", "Poisson", "LogCosh", "Huber", "MeanSquaredLogarithmicError"]
    return {name: getattr(K.losses, name)()(y, p) for name in names}


def program_metrics():
    y, p = tf.constant([[0., 1.], [1., 0.]]), tf.constant([[.2, .8], [.6, .4]])
    found = {}
    for name in ("BinaryAccuracy", "CategoricalAccuracy", "AUC", "Precision", "Recall", "MeanSquaredError", "MeanAbsoluteError",
                 "TruePositives", "FalseNegatives", "CategoricalCrossentropy", "KLDivergence", "RootMeanSquaredError"):
        metric = getattr(K.metrics, name)()
        metric.update_state(y, p)
        found[name] = metric.result()
    return found


def program_metric_states():
    mean = K.metrics.Mean()
    mean.update_state([1., 2.])
    mean.update_state(6., sample_weight=2.)
    first = mean.result().numpy()
    mean.reset_states()
    return dict(first=first, reset=mean.result(), called=mean([4.]), sum=K.metrics.Sum()([1., 2.]))


def program_backend():
    B = K.backend
    x = B.constant([[1., 2.], [3., 4.]])
    return dict(dot=B.dot(x, x), mean=B.mean(x), eval=B.eval(x), value=B.get_value(B.variable(3.)), shape=list(B.int_shape(x)),
                sum=B.sum(x, axis=1), clip=B.clip(x, 2., 3.), concatenate=B.concatenate([x, x]), softmax=B.softmax(x))


def program_initializers():
    made = {}
    for name in ("zeros", "ones", "identity"):
        made[name] = K.initializers.get(name)([2, 2])
    made["constant"] = K.initializers.Constant(2.)([2])
    return made


def program_models_refused():
    model = K.Sequential([L.Dense(1)])
    return dict(summary=raised(lambda: model.summary()), fit=raised(lambda: model.fit(X, Y)))


def program_configurations():
    config = L.Dense(3, activation="relu", name="d").get_config()
    return dict(units=config["units"], activation=config["activation"], again=L.Dense.from_config(config).units)


def program_nested_models():
    inner = K.Sequential([L.Dense(2, **ONES)])
    outer = K.Sequential([inner, L.Dense(1, **ONES)])
    return dict(y=outer(tf.ones([1, 3])), weights=len(outer.weights))


def program_shared_layers():
    layer, x, y = L.Dense(2, **ONES), K.Input([3]), K.Input([3])
    model = K.Model([x, y], L.Add()([layer(x), layer(y)]))
    return dict(z=model([tf.ones([1, 3]), tf.zeros([1, 3])]), weights=len(model.weights))
