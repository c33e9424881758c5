"""What programs with heads and premade estimators show of themselves."""
import functools
import zlib

import tensorflow as tf

try:
    from tensorflow_estimator.python.estimator.canned import head as canned_heads
except ImportError:
    from tensorflow.python.estimator.canned import head as canned_heads

def alone(function):
    """Runs `function` in a graph of its own, which is not compared node by node."""
    @functools.wraps(function)
    def run(*args, **kwargs):
        with tf.Graph().as_default():
            return function(*args, **kwargs)
    return run


TRAIN, EVAL, PREDICT = (getattr(tf.estimator.ModeKeys, key) for key in ("TRAIN", "EVAL", "PREDICT"))
binary = canned_heads._binary_logistic_head_with_sigmoid_cross_entropy_loss
multi_class = alone(canned_heads._multi_class_head_with_softmax_cross_entropy_loss)
regression = canned_heads._regression_head


def initialised():
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
    return session


def names(inside=""):
    """A number for the names of all nodes of the default graph in their order.

    Without gradients and lookups of sparse ids, for which TensorFlow 2 makes other nodes.
    """
    found = [op.name for op in tf.get_default_graph().get_operations() if op.name.startswith(inside)
             and not any(part in op.name for part in ("gradients", "lookup_sparse/", "SparseReshape/"))]
    return [len(found), zlib.crc32("\n".join(found).encode())]


def exported(outputs):
    """What the outputs of a served model are, by key."""
    def parts(output):
        if hasattr(output, "outputs"):
            return sorted(output.outputs)
        return [type(output).__name__] + [getattr(output, name).dtype.name for name in ("scores", "classes", "value")
                                          if getattr(output, name, None) is not None]
    return {key: parts(output) for key, output in sorted(outputs.items())}


@alone
def predicted(head, logits, features=None):
    """The predictions and export outputs of a head."""
    spec = head.create_estimator_spec(features or {}, PREDICT, tf.constant(logits))
    with initialised() as session:
        values = session.run(spec.predictions)
    return dict(keys=list(spec.predictions), values=values, types=[t.dtype.name for t in spec.predictions.values()],
                exported=str(exported(spec.export_outputs)), names=names())


@alone
def evaluated(head, batches, weights=None, regularization=None, name_nodes=True):
    """The metrics of a head over batches of logits and labels."""
    logits = tf.placeholder(tf.float32, [None, len(batches[0][0][0])], name="logits_in")
    labels = tf.placeholder(tf.as_dtype(tf.constant(batches[0][1]).dtype), [None, len(batches[0][1][0])], name="labels_in")
    fed = tf.placeholder(tf.float32, [None, 1], name="weights_in")
    losses = [tf.constant(value) for value in regularization] if regularization else None
    spec = head.create_estimator_spec({"x": logits, "w": fed}, EVAL, logits, labels, regularization_losses=losses)
    ops = {key: value for key, value in spec.eval_metric_ops.items()}
    found = []
    with initialised() as session:
        for i, (one, truth) in enumerate(batches):
            feed = {logits: one, labels: truth, fed: weights[i] if weights else [[1.0]] * len(one)}
            found.append(session.run([spec.loss] + [ops[key][1] for key in sorted(ops)], feed)[0])
        values = session.run({key: value[0] for key, value in ops.items()})
    shown = dict(losses=found, metrics=values, keys=sorted(ops), locals=[v.name for v in tf.local_variables()])
    if name_nodes:
        shown["names"] = names()
    return shown


@alone
def gathered(head, batches, weights=None, regularization=None):
    """The same for heads that gather metrics of tf.keras: values only."""
    logits = tf.placeholder(tf.float32, [None, len(batches[0][0][0])])
    labels = tf.placeholder(tf.as_dtype(tf.constant(batches[0][1]).dtype), [None, len(batches[0][1][0])])
    fed = tf.placeholder(tf.float32, [None, 1])
    losses = [tf.constant(value) for value in regularization] if regularization else None
    features = {"x": logits, "w": fed}
    metrics = head.metrics(regularization_losses=losses)
    updated = head.update_metrics(metrics, features, logits, labels, regularization_losses=losses)
    loss = head.loss(labels, logits, features=features, regularization_losses=losses)
    results = {key: metric.result() for key, metric in updated.items()}
    updates = [metric.updates for metric in updated.values()]
    variables = [v for metric in updated.values() for v in metric.variables if hasattr(v, "initializer")]
    found = []
    with tf.Session() as session:
        session.run([tf.tables_initializer(), *[v.initializer for v in variables]])
        for i, (one, truth) in enumerate(batches):
            feed = {logits: one, labels: truth, fed: weights[i] if weights else [[1.0]] * len(one)}
            found.append(session.run([loss, updates], feed)[0])
        values = session.run(results)
    return dict(losses=found, metrics=values, keys=sorted(updated))


def constants(labels):
    if not isinstance(labels, dict):
        return tf.constant(labels)
    return {key: tf.constant(value) for key, value in labels.items()}


@alone
def trained(head, logits, labels, features=None, steps=3, optimizer=None, regularization=None, rate=0.1, **more):
    """Losses and the variable of a model whose logits are a variable."""
    tf.train.get_or_create_global_step()
    variable = tf.Variable(tf.constant(logits), name="net")
    losses = [tf.constant(value) for value in regularization] if regularization else None
    features = {key: tf.constant(value) for key, value in (features or {}).items()}
    labels = constants(labels)
    if not more:
        more["optimizer"] = optimizer or tf.train.GradientDescentOptimizer(rate)
    spec = head.create_estimator_spec(features, TRAIN, variable * 1.0, labels, regularization_losses=losses, **more)
    merged, summaries = tf.summary.merge_all(), tf.Summary()
    with initialised() as session:
        found = [session.run([spec.loss, spec.train_op])[0] for _ in range(steps)]
        net, step = session.run([variable, tf.train.get_global_step()])
        if merged is not None:
            summaries.ParseFromString(session.run(merged))
    return dict(losses=found, net=net, step=step, summaries=[value.tag for value in summaries.value],
                shown=[value.simple_value for value in summaries.value], names=names())


def refused(function):
    """The class and the text of what `function` raises."""
    try:
        function()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["", ""]
