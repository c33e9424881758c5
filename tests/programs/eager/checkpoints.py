"""Values that are saved and come back."""
import os
import tempfile

import tensorflow as tf

from program import raised


def folder():
    return tempfile.mkdtemp()


def program_checkpoint():
    v, path = tf.Variable([1., 2.]), folder()
    saved = tf.train.Checkpoint(v=v).save(os.path.join(path, "ckpt"))
    v.assign([0., 0.])
    tf.train.Checkpoint(v=v).restore(saved).assert_consumed()
    return dict(v=v, name=os.path.basename(saved), latest=os.path.basename(tf.train.latest_checkpoint(path)))


def program_restored_on_creation():
    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

        def call(self, x):
            return self.dense(x)
    net, path = Net(), os.path.join(folder(), "c")
    net(tf.ones([1, 2]))
    net.dense.kernel.assign([[5., 6.], [7., 8.]])
    saved, later = tf.train.Checkpoint(net=net).save(path), Net()
    tf.train.Checkpoint(net=later).restore(saved)
    return dict(y=later(tf.ones([1, 2])))


def program_optimizers():
    v, path = tf.Variable([1., 2.]), os.path.join(folder(), "c")

    def trained(optimizer, steps):
        for _ in range(steps):
            optimizer.minimize(lambda: tf.reduce_sum(v * v))
    optimizer = tf.train.AdamOptimizer(.1)
    trained(optimizer, 2)
    saved = tf.train.Checkpoint(v=v, o=optimizer).save(path)
    trained(optimizer, 2)
    went_on = v.numpy()
    other = tf.train.AdamOptimizer(.1)
    tf.train.Checkpoint(v=v, o=other).restore(saved)
    trained(other, 2)
    return dict(went_on=went_on, again=v)


def program_nothing_there():
    status = tf.train.Checkpoint(v=tf.Variable(1.)).restore(None)
    return dict(none=raised(status.assert_consumed) != "", latest=tf.train.latest_checkpoint(folder()) is None)


def program_parts_that_are_missing():
    saved = tf.train.Checkpoint(a=tf.Variable(1.)).save(os.path.join(folder(), "c"))
    status = tf.train.Checkpoint(a=tf.Variable(0.), b=tf.Variable(0.)).restore(saved)
    return dict(consumed=raised(status.assert_consumed), existing=raised(status.assert_existing_objects_matched))


def program_lists_and_dicts():
    path = os.path.join(folder(), "c")
    saved = tf.train.Checkpoint(l=[tf.Variable(1.), tf.Variable(2.)], d={"x": tf.Variable(3.)}).save(path)
    again = tf.train.Checkpoint(l=[tf.Variable(0.), tf.Variable(0.)], d={"x": tf.Variable(0.)})
    again.restore(saved)
    return dict(a=again.l[0], b=again.l[1], x=again.d["x"])


def program_names_of_variables():
    path = os.path.join(folder(), "c")
    saved = tf.train.Checkpoint(v=tf.Variable([1, 2])).save(path)
    return dict(listed=sorted((name, list(shape)) for name, shape in tf.train.list_variables(saved) if "OBJECT" not in name and "counter" not in name) ==
                [("v/.ATTRIBUTES/VARIABLE_VALUE", [2])], value=tf.train.load_variable(saved, "v/.ATTRIBUTES/VARIABLE_VALUE"))


def program_counters():
    checkpoint, path = tf.train.Checkpoint(v=tf.Variable(1.)), os.path.join(folder(), "c")
    names = [os.path.basename(checkpoint.save(path)) for _ in range(3)]
    return dict(names=names, counter=checkpoint.save_counter)


def program_managers():
    path = folder()
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.)), path, max_to_keep=2)
    for _ in range(4):
        manager.save()
    return dict(kept=[os.path.basename(name) for name in manager.checkpoints], latest=os.path.basename(manager.latest_checkpoint))


def program_savers():
    v, path = tf.Variable([1., 2.], name="v"), os.path.join(folder(), "s")
    saver = tf.train.Saver([v])
    saved = saver.save(None, path, global_step=3)
    v.assign([0., 0.])
    saver.restore(None, saved)
    return dict(v=v, name=os.path.basename(saved), names=[name for name, _ in tf.train.list_variables(saved)])


def program_savers_by_name():
    v, path = tf.Variable(1., name="v"), os.path.join(folder(), "s")
    saved = tf.train.Saver({"other": v}).save(None, path)
    v.assign(0.)
    missing = raised(lambda: tf.train.Saver({"third": v}).restore(None, saved))
    tf.train.Saver({"other": v}).restore(None, saved)
    return dict(v=v, missing=missing)


def program_weights_of_models():
    path = os.path.join(folder(), "w")
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones", input_shape=[2])])
    model.save_weights(path)
    model.set_weights([w * 0 for w in model.get_weights()])
    model.load_weights(path)
    return dict(y=model(tf.ones([1, 2])))


def program_models_in_files():
    path = os.path.join(folder(), "m.h5")
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, kernel_initializer="ones", input_shape=[2])])
    model.compile("sgd", "mse")
    model.save(path)
    return dict(y=tf.keras.models.load_model(path)(tf.ones([1, 2])))


def program_wrong_shapes():
    saved = tf.train.Checkpoint(v=tf.Variable([1., 2.])).save(os.path.join(folder(), "c"))
    return dict(error=raised(lambda: tf.train.Checkpoint(v=tf.Variable([1., 2., 3.])).restore(saved)))


def program_positions_of_iterators():
    path, data = os.path.join(folder(), "c"), tf.data.Dataset.range(5)
    iterator = iter(data)
    next(iterator)
    saved = tf.train.Checkpoint(i=iterator).save(path)
    first = next(iterator)
    tf.train.Checkpoint(i=iterator).restore(saved)
    return dict(first=first, again=next(iterator))
