"""tf.estimator's heads, which gather metrics of tf.keras."""
import tensorflow as tf

from helpers.head_runs import EVAL, PREDICT, TRAIN, alone, constants, exported, gathered, initialised, refused

E = tf.estimator
several_classes = alone(E.MultiClassHead)
LOGITS, LABELS = [[1.5], [-0.5], [0.25]], [[1], [0], [1]]
CLASSES, CLASS_LABELS = [[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]], [[1], [0]]
MANY = [[1, 0, 1], [0, 1, 1]]


@alone
def shown(head, logits):
    """Predictions, their keys and what is exported."""
    spec = head.create_estimator_spec({}, PREDICT, tf.constant(logits))
    with initialised() as session:
        values = session.run({str(key): value for key, value in spec.predictions.items()})
    return dict(keys=sorted(map(str, spec.predictions)), values=values, exported=str(exported(spec.export_outputs)))


@alone
def trained(head, logits, labels, regularization=None):
    tf.train.get_or_create_global_step()
    net = tf.Variable(logits, name="net")

    def train(loss):
        return tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())

    features = {"w": tf.constant([[1.0]] * len(logits))}
    labels = constants(labels)
    spec = head.create_estimator_spec(features, TRAIN, net * 1.0, labels, train_op_fn=train,
                                      regularization_losses=regularization and [tf.constant(regularization)])
    merged, summaries = tf.summary.merge_all(), tf.Summary()
    with initialised() as session:
        losses = [session.run([spec.loss, spec.train_op])[0] for _ in range(3)]
        summaries.ParseFromString(session.run(merged))
        return dict(losses=losses, net=session.run(net), tags=[value.tag for value in summaries.value])


def value(tensor):
    with initialised() as session:
        return session.run(tensor)


def program_two_classes():
    return shown(E.BinaryClassHead(), LOGITS)


def program_two_classes_metrics():
    return gathered(E.BinaryClassHead(), [(LOGITS, LABELS), ([[2.0], [-3.0]], [[0], [0]])])


def program_two_classes_weighted():
    return gathered(E.BinaryClassHead(weight_column="w", thresholds=[0.4, 0.8], name="t"),
                    [(LOGITS, LABELS)], weights=[[[1.0], [2.0], [0.5]]], regularization=[1.0, 2.0])


def program_two_classes_training():
    return trained(E.BinaryClassHead(), LOGITS, LABELS)


def program_two_classes_sum():
    return trained(E.BinaryClassHead(loss_reduction="sum", name="s"), LOGITS, [1, 0, 1], regularization=2.0)


def program_several_classes():
    return shown(several_classes(3, label_vocabulary=["a", "b", "c"]), CLASSES)


def program_several_classes_metrics():
    return gathered(several_classes(3, weight_column="w"), [(CLASSES, CLASS_LABELS)], weights=[[[1.0], [3.0]]])


def program_several_classes_training():
    return trained(several_classes(3), CLASSES, CLASS_LABELS)


def program_many_labels():
    return shown(E.MultiLabelHead(3), CLASSES)


def program_many_labels_metrics():
    head = E.MultiLabelHead(3, thresholds=[0.5], classes_for_class_based_metrics=[0, 2])
    return gathered(head, [(CLASSES, MANY)])


def program_many_labels_by_name():
    head = E.MultiLabelHead(3, label_vocabulary=["a", "b", "c"], classes_for_class_based_metrics=["b"], name="m",
                            weight_column="w")
    return gathered(head, [(CLASSES, MANY)], weights=[[[1.0], [2.0]]])


@alone
def program_many_sparse_labels():
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([0, 2, 1], tf.int64), [2, 2])
    head = E.MultiLabelHead(3)
    return dict(loss=value(head.loss(labels, tf.constant(CLASSES), features={})))


@alone
def program_many_sparse_words():
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant(["a", "c", "b"]), [2, 2])
    loss = E.MultiLabelHead(3, label_vocabulary=["a", "b", "c"]).loss(labels, tf.constant(CLASSES), features={})
    with initialised() as session:
        return dict(loss=session.run(loss))


def program_many_labels_training():
    return trained(E.MultiLabelHead(3), CLASSES, MANY)


def program_numbers():
    return shown(E.RegressionHead(label_dimension=2, inverse_link_fn=tf.exp), [[1.0, 2.0]])


def program_numbers_metrics():
    return gathered(E.RegressionHead(weight_column="w"), [([[1.0], [2.0]], [[1.5], [0.5]])], weights=[[[1.0], [3.0]]])


def program_numbers_training():
    return trained(E.RegressionHead(), [[1.0], [2.0]], [[1.5], [0.5]])


@alone
def program_counts():
    head = E.PoissonRegressionHead(compute_full_loss=False)
    loss = value(head.loss(tf.constant([[1.0], [4.0]]), tf.constant([[1.0], [2.0]]), {}))
    return dict(shown(head, [[1.0], [2.0]]), loss=loss)


@alone
def program_counts_full_loss():
    head = E.PoissonRegressionHead()
    return dict(loss=value(head.loss(tf.constant([[1.0], [4.0]]), tf.constant([[1.0], [2.0]]), {})))


@alone
def program_probabilities():
    head = E.LogisticRegressionHead()
    loss = value(head.loss(tf.constant([[1.0], [0.5]]), tf.constant([[1.0], [2.0]]), {}))
    return dict(shown(head, [[1.0], [2.0]]), loss=loss)


def program_several_heads():
    head = E.MultiHead([E.MultiLabelHead(3, name="m"), E.RegressionHead(name="r")])
    return dict(shown(head, [[1.0, 2.0, -1.0, 0.5], [0.0, 1.0, 1.0, 2.0]]), name=head.name,
                dimension=head.logits_dimension)


def program_several_heads_training():
    head = E.MultiHead([E.BinaryClassHead(name="b"), E.RegressionHead(name="r")], head_weights=[1.0, 2.0])
    return trained(head, [[1.0, 2.0], [0.0, 1.0]], {"b": [[1], [0]], "r": [[1.5], [0.5]]})


@alone
def program_several_heads_metrics():
    head = E.MultiHead([several_classes(3, name="c"), E.RegressionHead(name="r")], head_weights=[0.5, 1.0])
    logits = tf.constant([[1.0, 2.0, -1.0, 0.5], [0.0, 1.0, 1.0, 2.0]])
    labels = {"c": tf.constant([[1], [0]]), "r": tf.constant([[1.0], [3.0]])}
    spec = head.create_estimator_spec({}, EVAL, logits, labels)

    def result(metric):
        return metric.result() if hasattr(metric, "result") else metric[0]

    def update(metric):
        return metric.updates if hasattr(metric, "result") else metric[1]

    values = {key: result(metric) for key, metric in spec.eval_metric_ops.items()}
    updates = [update(metric) for metric in spec.eval_metric_ops.values()]
    with initialised() as session:
        session.run(updates)
        return dict(loss=session.run(spec.loss), values=session.run(values), keys=sorted(values))


@alone
def program_some_predictions():
    head = E.BinaryClassHead()
    found = head.predictions(tf.constant(LOGITS), keys=["logistic", "class_ids"])
    return dict(value(found), wrong=refused(lambda: head.predictions(tf.constant(LOGITS), keys=["nothing"]))[0])


@alone
def program_loss_functions():
    def loss(labels, logits, features):
        return tf.abs(labels - logits) * features["scale"]
    features = {"scale": tf.constant([[1.0], [2.0], [3.0]])}
    head = E.BinaryClassHead(loss_fn=loss)
    loss = head.loss(tf.constant(LABELS), tf.constant(LOGITS), features=features,
                     regularization_losses=[tf.constant(1.0)])
    return dict(loss=value(loss))


def program_refused_options():
    return dict(few=refused(lambda: several_classes(2)), none=refused(lambda: several_classes(None)),
                labels=refused(lambda: E.MultiLabelHead(1)),
                vocabulary=refused(lambda: several_classes(3, label_vocabulary=["a"]))[0],
                size=refused(lambda: E.MultiLabelHead(3, label_vocabulary=["a"])),
                threshold=refused(lambda: E.BinaryClassHead(thresholds=[0.0]))[0],
                reduction=refused(lambda: E.BinaryClassHead(loss_reduction="weighted")),
                dimension=refused(lambda: E.RegressionHead(label_dimension=0)),
                classes=refused(lambda: E.MultiLabelHead(3, classes_for_class_based_metrics=[5])),
                heads=refused(lambda: E.MultiHead([])),
                names=refused(lambda: E.MultiHead([E.RegressionHead()]))[0],
                weights=refused(lambda: E.MultiHead([E.RegressionHead(name="a")], head_weights=[1.0, 2.0])),
                abstract=refused(lambda: E.Head())[0])
