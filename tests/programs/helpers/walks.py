"""For programs about input pipelines."""
import tensorflow as tf


def walk(dataset, limit=60):
    """What a dataset gives, in a session of its own: values, errors by their class, "end"."""
    iterator = tf.data.make_initializable_iterator(dataset)
    following = iterator.get_next()
    found = []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(iterator.initializer)
        while len(found) < limit:
            try:
                found.append(session.run(following))
            except tf.errors.OutOfRangeError:
                return found + ["end"]
            except tf.errors.OpError as error:
                found.append(type(error).__name__)
    return found
