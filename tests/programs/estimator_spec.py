"""EstimatorSpec: what it fills in, and what it refuses."""
import tensorflow as tf

from helpers.estimator_runs import refused

TRAIN, EVAL, PREDICT = tf.estimator.ModeKeys.TRAIN, tf.estimator.ModeKeys.EVAL, tf.estimator.ModeKeys.PREDICT
Spec = tf.estimator.EstimatorSpec


def program_mode_keys():
    return dict(keys=[TRAIN, EVAL, PREDICT])


def program_fields():
    loss, train = tf.constant(1.0), tf.no_op()
    spec = Spec(TRAIN, loss=loss, train_op=train)
    return dict(fields=list(spec._fields), loss=spec.loss is loss, train=spec.train_op is train,
                predictions=str(spec.predictions), metrics=str(spec.eval_metric_ops), hooks=str(spec.training_hooks),
                chief=str(spec.training_chief_hooks), scaffold=type(spec.scaffold).__name__,
                outputs=str(spec.export_outputs), shape=str(tuple(spec)[0]))


def program_loss_is_reshaped():
    shapes = []
    for value in (1.0, [1.0], [[1.0]]):
        loss = Spec(EVAL, loss=tf.constant(value)).loss
        shapes.append([loss.shape.ndims, loss.op.type])
    unknown = tf.placeholder(tf.float32)
    return dict(shapes=str(shapes), unknown=Spec(EVAL, loss=unknown).loss is unknown)


def program_missing():
    return dict(train_op=refused(lambda: Spec(TRAIN, loss=tf.constant(1.0))),
                loss=refused(lambda: Spec(TRAIN, train_op=tf.no_op())),
                eval_loss=refused(lambda: Spec(EVAL)),
                predictions=refused(lambda: Spec(PREDICT)))


def program_wrong_kinds():
    loss = tf.constant(1.0)
    return dict(loss=refused(lambda: Spec(EVAL, loss=1.0)),
                train_op=refused(lambda: Spec(TRAIN, loss=loss, train_op=3)),
                vector=refused(lambda: Spec(EVAL, loss=tf.constant([1.0, 2.0]))),
                prediction=refused(lambda: Spec(PREDICT, predictions={"y": 1})),
                predictions=refused(lambda: Spec(PREDICT, predictions=[1])),
                metrics=refused(lambda: Spec(EVAL, loss=loss, eval_metric_ops=[1])),
                metric=refused(lambda: Spec(EVAL, loss=loss, eval_metric_ops={"a": 1})),
                hooks=refused(lambda: Spec(EVAL, loss=loss, evaluation_hooks=["x"])),
                scaffold=refused(lambda: Spec(EVAL, loss=loss, scaffold="x")))


def program_other_graphs():
    with tf.Graph().as_default():
        loss, op = tf.constant(1.0, name="there"), tf.no_op(name="op_there")
    here = tf.constant(2.0)
    return dict(loss=refused(lambda: Spec(EVAL, loss=loss)),
                train_op=refused(lambda: Spec(TRAIN, loss=here, train_op=op)),
                predictions=refused(lambda: Spec(PREDICT, predictions={"y": loss})),
                lone=refused(lambda: Spec(PREDICT, predictions=loss)),
                metrics=refused(lambda: Spec(EVAL, loss=here, eval_metric_ops={"a": (loss, op)})))


def program_replace():
    spec = Spec(EVAL, loss=tf.constant(1.0))
    metrics = {"a": (tf.constant(1.0), tf.no_op())}
    return dict(metrics=list(spec._replace(eval_metric_ops=metrics).eval_metric_ops),
                same=spec._replace(mode=EVAL).mode, mode=refused(lambda: spec._replace(mode=TRAIN)))


def program_variable_as_train_op():
    v = tf.get_variable("v", initializer=1.0)
    step = tf.assign_add(v, 1.0)
    return dict(kind=Spec(TRAIN, loss=v + 0.0, train_op=step).train_op.name)


def program_export_outputs():
    y = tf.constant([1.0])
    spec = Spec(PREDICT, predictions={"y": y})
    export = tf.estimator.export
    named = Spec(PREDICT, predictions={"y": y}, export_outputs={"mine": export.RegressionOutput(y)})
    two = {"a": export.PredictOutput(y), "b": export.PredictOutput(y)}
    both = Spec(PREDICT, predictions=y, export_outputs={**two, "serving_default": two["a"]})
    return dict(default=sorted(spec.export_outputs), kind=type(spec.export_outputs["serving_default"]).__name__,
                named=sorted(named.export_outputs),
                two=refused(lambda: Spec(PREDICT, predictions=y, export_outputs=two))[:19],
                both=sorted(both.export_outputs),
                wrong=refused(lambda: Spec(PREDICT, predictions=y, export_outputs=["x"]))[:9])
