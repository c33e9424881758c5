"""Estimators that begin with what others have learned; checkpoints read and written by hand."""
import os

import tensorflow as tf

from helpers.estimator_runs import checkpoint, directory, estimator, linear, logged, pairs, refused


def trained():
    model = estimator()
    model.train(pairs(), steps=3)
    return model


def renamed(features, labels, mode, params):
    y = tf.layers.dense(features["x"], 1, name="other", kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(labels, y)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y})
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.01).minimize(
        loss, tf.train.get_global_step()))


def program_from_a_directory():
    first = trained()
    second = estimator(warm_start_from=first.model_dir)
    with logged() as lines:
        second.train(pairs(), steps=1)
    return dict(first=checkpoint(first.model_dir), second=checkpoint(second.model_dir),
                lines=[line for line in lines if "Warm" in line or "warm" in line])


def program_only_before_the_first_checkpoint():
    first = trained()
    second = estimator(warm_start_from=first.model_dir)
    second.train(pairs(), steps=1)
    with logged() as lines:
        second.train(pairs(), steps=1)
    return dict(second=checkpoint(second.model_dir), lines=[line for line in lines if "arm-start" in line])


def program_some_variables():
    first = trained()
    settings = tf.estimator.WarmStartSettings(first.model_dir, vars_to_warm_start="linear/bias")
    second = estimator(warm_start_from=settings)
    second.train(pairs(), steps=1)
    return checkpoint(second.model_dir)


def program_other_names():
    first = trained()
    settings = tf.estimator.WarmStartSettings(
        first.model_dir, var_name_to_prev_var_name={"other/kernel": "linear/kernel", "other/bias": "linear/bias"})
    second = estimator(renamed, warm_start_from=settings)
    second.train(pairs(), steps=1)
    return checkpoint(second.model_dir)


def program_evaluate_and_predict():
    first = trained()
    second = estimator(warm_start_from=first.model_dir)
    return dict(evaluated=second.evaluate(pairs(epochs=1)),
                predicted=[row["y"] for row in second.predict(pairs(epochs=1))],
                first=[row["y"] for row in first.predict(pairs(epochs=1))])


def program_vocabularies():
    path = directory()
    for name, words in (("old", "a b c"), ("new", "c x a")):
        with open(os.path.join(path, name), "w") as file:
            file.write("\n".join(words.split()) + "\n")

    def model_fn(features, labels, mode):
        table = tf.get_variable("table", [3, 1], initializer=tf.constant_initializer([[1.0], [2.0], [3.0]]))
        loss = tf.reduce_sum(tf.gather(table, [0]))
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.train.GradientDescentOptimizer(0.5).minimize(
            loss, tf.train.get_global_step()))
    first = tf.estimator.Estimator(model_fn, directory())
    first.train(pairs(), steps=1)
    info = tf.estimator.VocabInfo(new_vocab=os.path.join(path, "new"), new_vocab_size=3, num_oov_buckets=0,
                                  old_vocab=os.path.join(path, "old"), backup_initializer=tf.zeros_initializer())
    settings = tf.estimator.WarmStartSettings(first.model_dir, var_name_to_vocab_info={"table": info})
    second = tf.estimator.Estimator(model_fn, directory(), warm_start_from=settings)
    second.train(pairs(), steps=1)
    return dict(first=checkpoint(first.model_dir), second=checkpoint(second.model_dir))


def program_settings():
    settings = tf.estimator.WarmStartSettings("/a/b")
    return dict(text=str(settings), fields=list(settings._fields),
                empty=refused(lambda: tf.estimator.WarmStartSettings("")))


def program_variables_by_name():
    model = trained()
    empty = estimator()
    return dict(names=model.get_variable_names(), kernel=model.get_variable_value("linear/kernel"),
                latest=os.path.basename(model.latest_checkpoint()), none=str(empty.latest_checkpoint()),
                values=refused(lambda: empty.get_variable_value("w")), no_names=refused(empty.get_variable_names))


def program_checkpoint_of_a_session():
    path = directory()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.create_global_step()
        kernel = tf.get_variable("linear/kernel", initializer=[[2.0], [1.0]])
        bias = tf.get_variable("linear/bias", initializer=[0.5])
        session.run(tf.global_variables_initializer())
        session.run(tf.train.get_global_step().assign(41))
        tf.train.Saver([kernel, bias, tf.train.get_global_step()]).save(session, path + "/model.ckpt", 41)
    model = estimator(model_dir=path)
    found = [row["y"] for row in model.predict(pairs(epochs=1))]
    model.train(pairs(), steps=2)
    return dict(found=found, checkpoint=checkpoint(path))
