"""Models of tf.keras trained for a few steps on fixed data with fixed initial weights."""
import functools

import numpy as np
import tensorflow as tf

K = tf.keras.layers


def values(*shape):
    return (np.arange(np.prod(shape), dtype="float32").reshape(shape) % 7 - 3) / 4


def fixed(weights):
    return [np.cos(np.arange(w.size) + i).reshape(w.shape).astype("float32") / 2 for i, w in enumerate(weights)]


def two_layers(classes=2, last="softmax"):
    model = tf.keras.Sequential([K.Dense(4, activation="relu", input_shape=(3,)), K.Dense(classes, activation=last)])
    model.set_weights(fixed(model.get_weights()))
    return model


X, Y = values(10, 3), (np.arange(10) % 2).astype("int64")


def trained(model, x, y, **kwargs):
    history = model.fit(x, y, epochs=3, batch_size=4, verbose=0, shuffle=False, **kwargs)
    names = sorted(history.history)
    return {"names": names, "history": [history.history[name] for name in names], "weights": model.get_weights()}


OPTIMIZERS = {
    "sgd": lambda o: o.SGD(0.1), "sgd_momentum": lambda o: o.SGD(0.1, momentum=0.9),
    "sgd_nesterov": lambda o: o.SGD(0.1, momentum=0.9, nesterov=True),
    "sgd_decay": lambda o: o.SGD(0.1, decay=0.5), "sgd_clipped": lambda o: o.SGD(0.5, clipvalue=0.05),
    "sgd_clipnorm": lambda o: o.SGD(0.5, clipnorm=0.1),
    "rmsprop": lambda o: o.RMSprop(0.01), "rmsprop_momentum": lambda o: o.RMSprop(0.01, momentum=0.5),
    "rmsprop_centered": lambda o: o.RMSprop(0.01, centered=True),
    "adagrad": lambda o: o.Adagrad(0.1), "adadelta": lambda o: o.Adadelta(1.0), "adam": lambda o: o.Adam(0.01),
    "adam_amsgrad": lambda o: o.Adam(0.01, amsgrad=True), "adamax": lambda o: o.Adamax(0.01),
    "nadam": lambda o: o.Nadam(0.01), "by_name": lambda o: "adam",
    "exponential": lambda o: o.SGD(o.schedules.ExponentialDecay(0.5, 2, 0.5)),
    "piecewise": lambda o: o.SGD(o.schedules.PiecewiseConstantDecay([2, 4], [0.5, 0.1, 0.01])),
    "inverse": lambda o: o.SGD(o.schedules.InverseTimeDecay(0.5, 1, 0.5)),
    "polynomial": lambda o: o.SGD(o.schedules.PolynomialDecay(0.5, 6)),
    "train_optimizer": lambda o: tf.train.GradientDescentOptimizer(0.1),
    "train_adam": lambda o: tf.train.AdamOptimizer(0.01),
}


def optimized(make):
    model = two_layers()
    model.compile(make(tf.keras.optimizers), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return trained(model, X, Y)


for _name, _make in OPTIMIZERS.items():
    globals()[f"program_optimizer_{_name}"] = functools.partial(optimized, _make)


def program_optimizer_ftrl():
    model = two_layers()
    model.compile(tf.keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01), "sparse_categorical_crossentropy")
    return trained(model, X, Y)


def program_optimizer_variables():
    model = two_layers()
    model.compile("adam", "mse")
    model.train_on_batch(X, values(10, 2))
    return {"names": sorted(v.name for v in tf.global_variables()), "weights": len(model.optimizer.get_weights()),
            "iterations": int(tf.keras.backend.get_value(model.optimizer.iterations)),
            "config": str(sorted(k for k in model.optimizer.get_config() if k != "jit_compile"))}


LOSSES = ["mse", "mae", "mape", "msle", "squared_hinge", "hinge", "categorical_hinge", "logcosh", "kld", "poisson",
          "categorical_crossentropy", "binary_crossentropy", "cosine_similarity", "mean_squared_error"]


# The loss that 1.15 calls by this name has the other sign in 2.15.
SIGN = -1.0 if tf.__version__.startswith("2") else 1.0


def cosine(t, p):
    return SIGN * tf.keras.losses.cosine_similarity(t, p)


def lost(loss):
    loss = cosine if loss == "cosine_similarity" else loss
    model = two_layers(3, "softmax" if loss == "categorical_crossentropy" else "sigmoid")
    model.compile(tf.keras.optimizers.SGD(0.05), loss)
    return trained(model, X, np.eye(3, dtype="float32")[np.arange(10) % 3])


for _loss in LOSSES:
    globals()[f"program_loss_{_loss}"] = functools.partial(lost, _loss)


def program_loss_classes():
    made = {}
    t, p = values(4, 3) / 2 + 0.5, tf.nn.softmax(values(4, 3) * 2)
    for name in ("MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError",
                 "BinaryCrossentropy", "CategoricalCrossentropy", "Hinge", "SquaredHinge", "CategoricalHinge",
                 "Poisson", "LogCosh", "KLDivergence", "Huber", "CosineSimilarity"):
        made[name] = getattr(tf.keras.losses, name)()(t, p)
        made[name + "_weighted"] = getattr(tf.keras.losses, name)()(t, p, sample_weight=[1.0, 0.0, 2.0, 0.5])
    for name in ("CosineSimilarity", "CosineSimilarity_weighted"):
        made[name] = SIGN * made[name]
    made["sum"] = tf.keras.losses.MeanSquaredError(reduction="sum")(t, p)
    made["none"] = tf.keras.losses.MeanSquaredError(reduction="none")(t, p)
    made["logits"] = tf.keras.losses.BinaryCrossentropy(from_logits=True, label_smoothing=0.1)(t, p)
    made["sparse"] = tf.keras.losses.SparseCategoricalCrossentropy()(np.array([0, 1, 2, 1]), p)
    made["smooth"] = tf.keras.losses.CategoricalCrossentropy(label_smoothing=0.2)(np.eye(3, dtype="float32")[[0, 1, 2, 1]], p)
    made["huber"] = tf.keras.losses.Huber(delta=0.2)(t, p)
    return made


def measured(metric, classes=2, y=None, **kwargs):
    model = two_layers(classes, "sigmoid")
    model.compile("sgd", "mse", metrics=[metric() if callable(metric) else metric], **kwargs)
    truth = np.eye(classes, dtype="float32")[np.arange(10) % classes] if y is None else y
    made = model.evaluate(X, truth, batch_size=4, verbose=0)
    return {"made": made, "names": model.metrics_names}


METRICS = {
    "accuracy": "accuracy", "acc": "acc", "mse": "mse", "mae": "mae", "categorical": "categorical_accuracy",
    "binary": "binary_accuracy", "cosine": "cosine_similarity",
    "auc": lambda: tf.keras.metrics.AUC(name="auc"), "auc_pr": lambda: tf.keras.metrics.AUC(curve="PR", name="auc"),
    "precision": lambda: tf.keras.metrics.Precision(name="p"), "recall": lambda: tf.keras.metrics.Recall(name="r"),
    "precision_top": lambda: tf.keras.metrics.Precision(top_k=1, name="p"),
    "recall_class": lambda: tf.keras.metrics.Recall(class_id=1, name="p"),
    "thresholds": lambda: tf.keras.metrics.TruePositives(thresholds=0.6, name="t"),
    "true_negatives": lambda: tf.keras.metrics.TrueNegatives(name="t"),
    "false_positives": lambda: tf.keras.metrics.FalsePositives(name="t"),
    "false_negatives": lambda: tf.keras.metrics.FalseNegatives(name="t"),
    "rmse": lambda: tf.keras.metrics.RootMeanSquaredError(), "mean_iou": lambda: tf.keras.metrics.MeanIoU(2, name="m"),
    "kld": lambda: tf.keras.metrics.KLDivergence(), "logcosh": lambda: tf.keras.metrics.LogCoshError(),
    "hinge": lambda: tf.keras.metrics.Hinge(), "poisson": lambda: tf.keras.metrics.Poisson(),
    "top_k": lambda: tf.keras.metrics.TopKCategoricalAccuracy(k=1),
    "sensitivity": lambda: tf.keras.metrics.SensitivityAtSpecificity(0.5, name="s"),
    "binary_crossentropy": lambda: tf.keras.metrics.BinaryCrossentropy(),
}
for _name, _metric in METRICS.items():
    globals()[f"program_metric_{_name}"] = functools.partial(measured, _metric)


def program_metric_objects():
    mean, total = tf.keras.metrics.Mean(), tf.keras.metrics.Sum()
    updates = [mean.update_state([1.0, 2.0, 6.0], sample_weight=[1.0, 1.0, 0.0]), total.update_state([1.0, 2.0])]
    with tf.control_dependencies(updates):
        results = [mean.result(), total.result()]
    session = tf.keras.backend.get_session()
    return {"first": session.run(results), "second": session.run(results),
            "names": [v.name for v in mean.variables + total.variables]}


def program_metric_custom():
    def half(y_true, y_pred):
        return tf.reduce_mean(y_pred, axis=-1) / 2
    model = two_layers()
    model.compile("sgd", "mse", metrics=[half])
    return {"made": model.evaluate(X, values(10, 2), verbose=0), "names": model.metrics_names}


def program_custom_loss():
    def loss(y_true, y_pred):
        return tf.keras.backend.mean(tf.keras.backend.abs(y_true - y_pred) ** 3)
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), loss)
    return trained(model, X, values(10, 2))


def program_validation():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["acc"])
    return trained(model, X, Y, validation_split=0.3)


def program_validation_data():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["acc"])
    return trained(model, X, Y, validation_data=(X[:4] + 1, Y[:4]))


def program_shuffled():
    np.random.seed(3)
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    history = model.fit(X, Y, epochs=2, batch_size=3, verbose=0)
    return {"loss": history.history["loss"], "weights": model.get_weights()}


def program_class_weight():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["acc"],
                  weighted_metrics=["acc"])
    return trained(model, X, Y, class_weight={0: 1.0, 1: 3.0})


def program_sample_weight():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    return trained(model, X, Y, sample_weight=np.arange(10) / 5.0)


def program_several_outputs():
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((2,), name="b")
    x = K.concatenate([K.Dense(3, name="first")(a), b])
    out1, out2 = K.Dense(1, name="one")(x), K.Dense(2, activation="softmax", name="two")(x)
    model = tf.keras.Model([a, b], [out1, out2])
    model.set_weights(fixed(model.get_weights()))
    model.compile(tf.keras.optimizers.SGD(0.1), {"one": "mse", "two": "sparse_categorical_crossentropy"},
                  loss_weights={"one": 0.5, "two": 2.0}, metrics={"two": ["acc"]})
    made = trained(model, {"a": X, "b": values(10, 2)}, {"one": values(10, 1), "two": Y})
    made["metrics"] = model.metrics_names
    made["layers"] = [layer.name for layer in model.layers]
    return made


def program_batch_normalization():
    model = tf.keras.Sequential([K.Dense(3, input_shape=(3,)), K.BatchNormalization(momentum=0.5), K.Dense(1)])
    first = model.get_weights()
    model.set_weights(fixed(first[:2]) + first[2:6] + fixed(first[6:]))
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return trained(model, X, values(10, 1))


def program_convolution():
    model = tf.keras.Sequential([K.Conv2D(2, 3, activation="relu", input_shape=(6, 6, 1)), K.MaxPooling2D(),
                                 K.Flatten(), K.Dense(3, activation="softmax")])
    model.set_weights(fixed(model.get_weights()))
    model.compile(tf.keras.optimizers.RMSprop(0.01), "categorical_crossentropy", metrics=["accuracy"])
    return trained(model, values(10, 6, 6, 1), tf.keras.utils.to_categorical(np.arange(10) % 3))


def program_frozen():
    model = two_layers()
    model.layers[0].trainable = False
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    made = trained(model, X, Y)
    made["trainable"] = [w.name for w in model.trainable_weights]
    return made


def program_constraint():
    model = tf.keras.Sequential([K.Dense(3, input_shape=(3,), kernel_constraint=tf.keras.constraints.MaxNorm(0.5),
                                         bias_constraint="non_neg"),
                                 K.Dense(2, kernel_constraint=tf.keras.constraints.UnitNorm(axis=1))])
    model.set_weights(fixed(model.get_weights()))
    model.compile(tf.keras.optimizers.SGD(0.2), "mse")
    return trained(model, X, values(10, 2))


def program_on_batch():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["acc"])
    return {"train": [model.train_on_batch(X, Y) for _ in range(3)], "test": model.test_on_batch(X, Y),
            "predict": model.predict_on_batch(X), "classes": np.argmax(model.predict(X), -1)}


def program_subclassed():
    class Net(tf.keras.Model):
        def __init__(self):
            super(Net, self).__init__()
            self.first = K.Dense(4, activation="relu")
            self.second = K.Dense(2, activation="softmax")

        def call(self, inputs):
            return self.second(self.first(inputs))

    model = Net()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    model.predict(X)
    model.set_weights(fixed(model.get_weights()))
    history = model.fit(X, Y, epochs=2, batch_size=4, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "weights": model.get_weights()}


def program_nested_model():
    inner = two_layers(3, "relu")
    model = tf.keras.Sequential([inner, K.Dense(2, activation="softmax")])
    model.layers[1].set_weights(fixed(model.layers[1].get_weights()))
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    made = trained(model, X, Y)
    made["names"] = [layer.name for layer in model.layers]
    return made


def program_called_again():
    model = two_layers()
    x = tf.placeholder("float32", [None, 3])
    y = model(x)
    session = tf.keras.backend.get_session()
    return {"made": session.run(y, {x: X}), "name": y.name}


def program_early_stopping():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.0), "sparse_categorical_crossentropy")
    history = model.fit(X, Y, epochs=9, verbose=0, shuffle=False,
                        callbacks=[tf.keras.callbacks.EarlyStopping("loss", patience=2)])
    return {"epochs": history.epoch}


def program_rates():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.5), "sparse_categorical_crossentropy")
    rates = []
    tell = tf.keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: rates.append(float(tf.keras.backend.get_value(model.optimizer.lr))))
    model.fit(X, Y, epochs=4, verbose=0, callbacks=[
        tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.5 / (epoch + 1)), tell])
    plateau = tf.keras.callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=10)
    model.fit(X, Y, epochs=4, verbose=0, callbacks=[plateau, tell], shuffle=False)
    return {"rates": np.float32(rates)}


def program_generator():
    def batches():
        while True:
            for i in range(0, 9, 3):
                yield X[i:i + 3], Y[i:i + 3]
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["acc"])
    history = model.fit_generator(batches(), steps_per_epoch=3, epochs=2, verbose=0)
    return {"loss": history.history["loss"], "evaluated": model.evaluate_generator(batches(), steps=3),
            "predicted": model.predict_generator(batches(), steps=2)}


def program_config():
    model = two_layers()
    again = tf.keras.Sequential.from_config(model.get_config())
    again.set_weights(model.get_weights())
    third = tf.keras.models.model_from_json(model.to_json())
    third.set_weights(model.get_weights())
    return {"made": [m.predict(X) for m in (model, again, third)], "layers": [l.name for l in third.layers]}


def program_functional_config():
    a = tf.keras.Input((3,), name="a")
    shared = K.Dense(3, name="shared")
    x = shared(shared(a))
    model = tf.keras.Model(a, K.Add(name="sum")([x, a]), name="net")
    model.set_weights(fixed(model.get_weights()))
    again = tf.keras.Model.from_config(model.get_config())
    again.set_weights(model.get_weights())
    return {"made": [m.predict(X) for m in (model, again)], "layers": [l.name for l in again.layers], "name": again.name}


def program_deferred():
    model = tf.keras.Sequential([K.Dense(3, activation="relu"), K.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.build((None, 3))
    model.set_weights(fixed(model.get_weights()))
    made = trained(model, X, values(10, 1))
    made["variables"] = [w.name for w in model.weights]
    return made


def program_add_loss():
    x = tf.keras.Input((3,))
    y = K.Dense(2)(x)
    model = tf.keras.Model(x, y)
    model.add_loss(0.1 * tf.reduce_mean(tf.square(y)))
    model.set_weights(fixed(model.get_weights()))
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return trained(model, X, values(10, 2))


def program_minimize_outside():
    w = tf.Variable([1.0, 2.0], use_resource=True, name="w")
    optimizer = tf.keras.optimizers.Adam(0.1)
    step = optimizer.get_updates(tf.reduce_sum(tf.square(w)), [w])[0]
    session = tf.keras.backend.get_session()
    for v in tf.global_variables():
        session.run(v.initializer)
    for _ in range(3):
        session.run(step)
    return {"w": session.run(w), "names": sorted(v.name for v in tf.global_variables())}


SPARSE = ["sgd", "sgd_momentum", "rmsprop", "rmsprop_momentum", "adagrad", "adadelta", "adam", "adam_amsgrad", "adamax", "nadam"]


def optimized_rows(make):
    model = tf.keras.Sequential([K.Embedding(8, 3, input_length=4), K.Flatten(), K.Dense(1)])
    model.set_weights(fixed(model.get_weights()))
    model.compile(make(tf.keras.optimizers), "mse")
    return trained(model, np.arange(40).reshape(10, 4) % 7, values(10, 1))


for _name in SPARSE:
    globals()[f"program_rows_{_name}"] = functools.partial(optimized_rows, OPTIMIZERS[_name])


def program_rows_ftrl():
    return optimized_rows(lambda o: o.Ftrl(0.1, l1_regularization_strength=0.01))


def program_verbose_metrics():
    model = two_layers()
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(), metrics=[
        tf.keras.metrics.SparseCategoricalAccuracy(), tf.keras.metrics.SparseCategoricalCrossentropy(name="again"),
        tf.keras.metrics.SparseTopKCategoricalAccuracy(k=1)])
    return trained(model, X, Y)


def program_freed():
    model = two_layers()
    model.trainable = False
    model.trainable = True
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    return trained(model, X, Y)


def program_validation_frequency():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    history = model.fit(X, Y, epochs=4, verbose=0, shuffle=False, validation_data=(X, Y), validation_freq=2)
    return {"loss": history.history["loss"], "val": history.history["val_loss"]}


def program_initial_epoch():
    model = two_layers()
    model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
    return {"epochs": model.fit(X, Y, epochs=5, initial_epoch=3, verbose=0).epoch}


def program_lists_and_numbers():
    model = two_layers(1, "linear")
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    history = model.fit(np.array([[1, 2, 3], [4, 5, 6]]), np.array([1, 0]), epochs=2, verbose=0, shuffle=False)
    return {"loss": history.history["loss"], "made": model.predict(np.array([[1.0, 2.0, 3.0]]))}


def program_float64():
    tf.keras.backend.set_floatx("float64")
    try:
        model = two_layers()
        model.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
        made = model.fit(X, Y, epochs=2, batch_size=4, verbose=0, shuffle=False).history["loss"]
    finally:
        tf.keras.backend.set_floatx("float32")
    return {"loss": made, "dtype": model.weights[0].dtype.base_dtype.name}


def program_pop_and_add():
    model = two_layers()
    model.pop()
    model.add(K.Dense(1, kernel_initializer="ones"))
    return {"made": model.predict(X), "layers": [layer.name for layer in model.layers], "shape": str(model.output_shape)}


def program_class_weight_one_hot():
    model = two_layers(3)
    model.compile(tf.keras.optimizers.SGD(0.1), "categorical_crossentropy")
    return trained(model, X, np.eye(3, dtype="float32")[np.arange(10) % 3], class_weight={0: 0.5, 1: 1.0, 2: 2.0})


def program_add_metric():
    x = tf.keras.Input((3,))
    y = K.Dense(2, kernel_initializer="ones")(x)
    model = tf.keras.Model(x, y)
    model.add_metric(tf.reduce_sum(y), name="total", aggregation="mean")
    model.compile("sgd", "mse")
    return {"made": model.evaluate(X, values(10, 2), batch_size=5, verbose=0), "names": model.metrics_names}


def program_metric_of_a_layer():
    class Watched(K.Layer):
        def call(self, inputs):
            self.add_metric(tf.reduce_sum(inputs), name="seen", aggregation="mean")
            return inputs * 2.0

    model = tf.keras.Sequential([Watched(input_shape=(3,)), K.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse", metrics=["mae"])
    return {"made": model.evaluate(X, values(10, 1), batch_size=5, verbose=0), "names": model.metrics_names}
