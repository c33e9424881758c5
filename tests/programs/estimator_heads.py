"""Heads of the premade estimators: predictions, losses, metrics, training."""
import tensorflow as tf

from helpers.head_runs import (EVAL, PREDICT, TRAIN, alone, binary, canned_heads, evaluated, initialised, multi_class,
                               predicted, refused, regression, trained)

LOGITS, LABELS = [[1.5], [-0.5], [0.25]], [[1], [0], [1]]
CLASSES, CLASS_LABELS = [[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]], [[1], [0]]


def program_binary_predictions():
    return predicted(binary(), LOGITS)


def program_binary_named():
    return predicted(binary(name="clicks", thresholds=[0.3]), LOGITS)


def program_binary_vocabulary():
    return predicted(binary(label_vocabulary=["no", "yes"]), LOGITS)


def program_binary_metrics():
    return evaluated(binary(), [(LOGITS, LABELS), ([[2.0], [-3.0]], [[0], [0]])])


def program_binary_weighted_metrics():
    return evaluated(binary(weight_column="w"), [(LOGITS, LABELS), ([[2.0], [-3.0]], [[0], [1]])],
                     weights=[[[1.0], [2.0], [0.5]], [[3.0], [0.0]]])


def program_binary_thresholds():
    return evaluated(binary(thresholds=[0.25, 0.5, 0.9]), [(LOGITS, LABELS)])


def program_binary_regularized_metrics():
    return evaluated(binary(name="a"), [(LOGITS, LABELS)], regularization=[1.5, 0.5])


def program_binary_training():
    return trained(binary(), LOGITS, LABELS)


def program_binary_weighted_training():
    return trained(binary(weight_column="w"), LOGITS, LABELS, features={"w": [[1.0], [0.0], [3.0]]})


def program_binary_mean_loss():
    return trained(binary(loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE), LOGITS, LABELS)


def program_binary_vector_labels():
    return trained(binary(), LOGITS, [1, 0, 1])


def program_binary_words():
    return trained(binary(label_vocabulary=["no", "yes"]), LOGITS, [["yes"], ["no"], ["no"]])


def program_binary_float_labels():
    return trained(binary(), LOGITS, [[0.9], [0.1], [0.5]], regularization=[2.0])


def program_binary_loss_function():
    def loss(labels, logits):
        return tf.square(labels - tf.sigmoid(logits))
    return trained(binary(loss_fn=loss), LOGITS, LABELS)


def program_binary_loss_of_features():
    def loss(labels, logits, features):
        return tf.abs(labels - logits) * features["scale"]
    return trained(binary(loss_fn=loss, name="h"), LOGITS, LABELS, features={"scale": [[1.0], [2.0], [3.0]]})


def program_binary_create_loss():
    head = binary(weight_column="w")
    spec = head.create_loss({"w": tf.constant([1.0, 2.0, 3.0])}, EVAL, tf.constant(LOGITS), tf.constant(LABELS))
    return dict(training=spec.training_loss, unreduced=spec.unreduced_loss, weights=spec.weights,
                labels=spec.processed_labels)


@alone
def program_binary_unknown_shapes():
    logits, labels = tf.placeholder(tf.float32), tf.placeholder(tf.int64)
    spec = binary().create_loss({}, EVAL, logits, labels)
    with tf.Session() as session:
        def loss(truth):
            return session.run(spec.training_loss, {logits: LOGITS, labels: truth})
        return dict(loss=loss(LABELS), bad=refused(lambda: loss([[1], [0]]))[0],
                    range=refused(lambda: loss([[1], [0], [2]]))[0])


def program_train_op_function():
    def train(loss):
        step = tf.train.get_global_step()
        return tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=step)
    return trained(binary(), LOGITS, LABELS, train_op_fn=train)


@alone
def program_update_operations():
    counter = tf.Variable(0.0, name="counter")
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, counter.assign_add(1.0).op)
    tf.train.get_or_create_global_step()
    net = tf.Variable(LOGITS, name="net")
    spec = binary().create_estimator_spec({}, TRAIN, net * 1.0, tf.constant(LABELS),
                                          optimizer=tf.train.GradientDescentOptimizer(0.1))
    with initialised() as session:
        for _ in range(3):
            session.run(spec.train_op)
        return dict(counter=session.run(counter), name=spec.train_op.name)


def program_classes_predictions():
    return predicted(multi_class(3), CLASSES)


def program_classes_vocabulary():
    return predicted(multi_class(3, label_vocabulary=["a", "b", "c"], name="kind"), CLASSES)


def program_classes_metrics():
    return evaluated(multi_class(3), [(CLASSES, CLASS_LABELS), ([[1.0, 0.0, 0.0]], [[0]])])


def program_classes_weighted_metrics():
    return evaluated(multi_class(3, weight_column="w", name="n"), [(CLASSES, CLASS_LABELS)],
                     weights=[[[0.25], [2.0]]], regularization=[1.0])


def program_classes_training():
    return trained(multi_class(3), CLASSES, CLASS_LABELS)


def program_classes_words():
    return trained(multi_class(3, label_vocabulary=["a", "b", "c"]), CLASSES, [["c"], ["a"]])


def program_classes_loss_function():
    def loss(labels, logits):
        return tf.reduce_sum(logits * tf.cast(labels, tf.float32), axis=-1, keepdims=True)
    return trained(multi_class(3, loss_fn=loss, weight_column="w"), CLASSES, CLASS_LABELS, features={"w": [2.0, 1.0]})


def program_classes_sequences():
    logits = [[[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]], [[2.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]
    return trained(multi_class(3), logits, [[[0], [1]], [[2], [0]]])


def program_numbers_predictions():
    return predicted(regression(label_dimension=2), [[1.0, 2.0], [3.0, 4.0]])


def program_numbers_inverse_link():
    return predicted(regression(inverse_link_fn=tf.exp, name="rate"), [[1.0], [-1.0]])


def program_numbers_metrics():
    return evaluated(regression(), [([[1.0], [2.0]], [[1.5], [0.5]]), ([[0.0]], [[1.0]])])


def program_numbers_weighted_metrics():
    return evaluated(regression(weight_column="w", label_dimension=2, name="r"),
                     [([[1.0, 0.0], [2.0, 1.0]], [[1.5, 1.0], [0.5, 1.0]])], weights=[[[1.0], [3.0]]],
                     regularization=[0.5], name_nodes=False)


def program_numbers_training():
    return trained(regression(), [[1.0], [2.0]], [[1.5], [0.5]])


def program_numbers_weighted_training():
    return trained(regression(weight_column="w"), [[1.0], [2.0]], [1.5, 0.5], features={"w": [[2.0], [0.5]]})


def program_numbers_weights_of_each():
    return trained(regression(weight_column=tf.feature_column.numeric_column("w", shape=(2,)), label_dimension=2),
                   [[1.0, 2.0]], [[0.0, 0.0]], features={"w": [[2.0, 0.5]]})


def program_numbers_loss_function():
    def loss(labels, logits):
        return tf.abs(labels - logits)
    return trained(regression(loss_fn=loss, loss_reduction=tf.losses.Reduction.MEAN), [[1.0], [2.0]], [[1.5], [0.5]])


def program_weights_of_integers():
    return trained(binary(weight_column=tf.feature_column.numeric_column("w", dtype=tf.int64)), LOGITS, LABELS,
                   features={"w": [[1], [2], [0]]})


def program_refused_options():
    return dict(threshold=refused(lambda: binary(thresholds=[0.5, 1.0]))[0],
                vocabulary=refused(lambda: binary(label_vocabulary="ab"))[0],
                few=refused(lambda: multi_class(2)),
                none=refused(lambda: multi_class(None)),
                dimension=refused(lambda: regression(label_dimension=0)),
                reduction=refused(lambda: regression(loss_reduction=tf.losses.Reduction.NONE))[0],
                other=refused(lambda: binary(loss_reduction="mean"))[0],
                arguments=refused(lambda: binary(loss_fn=lambda labels: labels)),
                unexpected=refused(lambda: binary(loss_fn=lambda labels, logits, x: labels)))


@alone
def program_refused_calls():
    logits, labels = tf.constant(LOGITS), tf.constant(LABELS)
    head, optimizer = binary(), tf.train.GradientDescentOptimizer(0.1)
    classes = tf.constant(CLASSES)

    def spec(head, logits, labels, mode=TRAIN, **more):
        return refused(lambda: head.create_estimator_spec({}, mode, logits, labels, **more))

    return dict(none=spec(head, logits, None),
                wide=spec(head, classes, labels),
                labels=spec(multi_class(3), classes, tf.constant([[1, 2], [0, 1]])),
                floats=spec(multi_class(3), classes, tf.constant([[1.0], [0.0]])),
                words=spec(multi_class(3, label_vocabulary=["a", "b", "c"]), classes, tf.constant([[1], [0]])),
                neither=spec(head, logits, labels),
                both=spec(head, logits, labels, optimizer=optimizer, train_op_fn=lambda loss: tf.no_op()),
                sparse=spec(head, logits, tf.SparseTensor([[0, 0]], [1], [3, 1]))[0],
                weights=refused(lambda: binary(weight_column=3).create_loss({}, TRAIN, logits, labels))[0],
                missing=refused(lambda: binary(weight_column="w").create_loss({}, TRAIN, logits, labels))[0])


def program_properties():
    heads = [binary(), binary(name="b"), multi_class(4, name="c"), regression(label_dimension=3)]
    return dict(names=[str(head.name) for head in heads], dimensions=[head.logits_dimension for head in heads])


def program_binary_or_classes():
    make = alone(canned_heads._binary_logistic_or_multi_class_head)
    return dict(two=make(2, None, None, tf.losses.Reduction.SUM).logits_dimension,
                three=make(3, "w", ["a", "b", "c"], tf.losses.Reduction.SUM).logits_dimension)


def program_half_logits():
    spec = binary().create_estimator_spec({}, PREDICT, tf.constant(LOGITS, tf.float16))
    return dict(logits=spec.predictions["logits"], probabilities=spec.predictions["probabilities"])
