"""SavedModels and checkpoints of Keras models, as programs of TensorFlow 2 write them."""
import numpy as np
import tensorflow as tf

from model_cases.parts import call, step, waves
from model_cases.tf2_models import question, save, spec

layers = tf.keras.layers


def set_weights(model):
    """The same in every run."""
    model.set_weights([waves(*weight.shape) * 0.3 + (1.0 if "variance" in variable.name else 0.0)
                       for weight, variable in zip(model.get_weights(), model.weights)])


def serve(folder, model, shape, dtype=tf.float32, **feeds):
    """The model's function behind a signature, without what Keras itself would like to find again."""
    set_weights(model)
    function = tf.function(lambda x: {"y": model(x, training=False)}, input_signature=[spec(shape, dtype)])
    module = tf.Module()
    module.variables_of_model = model.variables
    save(folder, module, function)
    return question(call(**feeds))


def case_dense(folder):
    model = tf.keras.Sequential([layers.Dense(4, "relu", input_shape=(3,)), layers.Dense(2, "softmax")])
    return serve(folder, model, [None, 3], x=waves(2, 3))


def case_dense_whole(folder):
    """All that Keras writes: layers, losses, metrics, an optimizer's state."""
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,), name="only")])
    model.compile("sgd", "mse")
    set_weights(model)
    model.save(str(folder / "model"), save_format="tf")
    for name in ("fingerprint.pb", "keras_metadata.pb"):
        (folder / "model" / name).unlink()
    return question(call(only_input=waves(2, 3)))


def case_pictures(folder):
    model = tf.keras.Sequential([
        layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 3)), layers.BatchNormalization(),
        layers.MaxPooling2D(), layers.SeparableConv2D(3, 2), layers.GlobalAveragePooling2D(), layers.Dense(2)])
    return serve(folder, model, [None, 8, 8, 3], x=waves(2, 8, 8, 3))


def case_two_branches(folder):
    x = tf.keras.Input([4])
    left, right = layers.Dense(3, "tanh")(x), layers.Dense(3, "sigmoid")(x)
    y = layers.Concatenate()([layers.Add()([left, right]), layers.LayerNormalization()(left), x])
    return serve(folder, tf.keras.Model(x, layers.Dense(2)(y)), [None, 4], x=waves(2, 4))


def case_lstm(folder):
    model = tf.keras.Sequential([layers.LSTM(3, return_sequences=True, input_shape=(None, 2)), layers.LSTM(2)])
    return serve(folder, model, [None, None, 2], x=waves(2, 5, 2))


def case_gru_both_ways(folder):
    model = tf.keras.Sequential([layers.Bidirectional(layers.GRU(3), input_shape=(None, 2)), layers.Dense(1)])
    return serve(folder, model, [None, None, 2], x=waves(2, 4, 2))


def case_words(folder):
    model = tf.keras.Sequential([layers.Embedding(10, 4, input_shape=(5,)), layers.Conv1D(3, 2), layers.Flatten(),
                                 layers.Dense(2)])
    return serve(folder, model, [None, 5], tf.int32, x=np.array([[1, 2, 9, 0, 0]], np.int32))


def case_attention(folder):
    x = tf.keras.Input([4, 6])
    y = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 3)(x, x))
    return serve(folder, tf.keras.Model(x, y), [None, 4, 6], x=waves(2, 4, 6))


def case_vocabulary(folder):
    """Texts become numbers inside of the model."""
    lookup = layers.StringLookup(vocabulary=["red", "green"])
    vectors = layers.Embedding(3, 2)
    vectors.build([None])
    vectors.set_weights([waves(3, 2)])
    module = tf.Module()
    module.parts = [lookup, vectors]
    function = tf.function(lambda x: {"ids": lookup(x), "vectors": vectors(lookup(x))},
                           input_signature=[spec([None], tf.string)])
    save(folder, module, function)
    return question(call(x=np.array([b"green", b"blue"], object)))


def listed(prefix="model"):
    """Of the checkpoint; what tells how objects hang together is written differently by everyone."""
    return {"kind": "checkpoint", "prefix": prefix, "slices": [], "opaque": ["_CHECKPOINTABLE_OBJECT_GRAPH"]}


def case_checkpoint(folder):
    """Objects and their parts, by how they are reached."""
    root = tf.Module()
    root.a = tf.Variable(waves(2, 2))
    root.list = [tf.Variable(1), tf.Variable(b"text")]
    root.map = {"x": tf.Variable(2.5), "y/z": tf.Variable([True, False])}
    tf.train.Checkpoint(root=root, step=tf.Variable(7, dtype=tf.int64)).write(str(folder / "model"))
    return listed()


def case_checkpoint_of_a_model(folder):
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,)), layers.BatchNormalization()])
    set_weights(model)
    optimizer = tf.keras.optimizers.legacy.Adam(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(tf.constant(waves(2, 3)))))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    tf.train.Checkpoint(model=model, optimizer=optimizer).write(str(folder / "model"))
    return listed()


def case_checkpoint_of_weights(folder):
    model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,)), layers.Dense(1)])
    set_weights(model)
    model.save_weights(str(folder / "model"))
    (folder / "checkpoint").unlink()
    return listed()


def case_checkpoint_managed(folder):
    """The state file of a CheckpointManager."""
    value = tf.Variable(0.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(value=value), str(folder), max_to_keep=2)
    for i in range(3):
        value.assign(float(i))
        manager.save()
    return {"kind": "state"}


def case_frozen(folder):
    """Keras models frozen by TensorFlow 2: functions inlined, loops as ops of their own."""
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    model = tf.keras.Sequential([layers.LSTM(3, input_shape=(4, 2)), layers.Dense(2)])
    set_weights(model)
    function = tf.function(lambda x: model(x)).get_concrete_function(spec([None, 4, 2]))
    graph_def = convert_variables_to_constants_v2(function, lower_control_flow=False).graph.as_graph_def()
    (folder / "graph.pb").write_bytes(graph_def.SerializeToString())
    return {"kind": "graph", "file": "graph.pb", "steps": [step(["Identity:0"], x=waves(2, 4, 2))]}
