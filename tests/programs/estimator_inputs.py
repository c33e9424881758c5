"""tf.estimator.inputs: what the functions build, and what comes out of the queues."""
import numpy as np
import pandas as pd
import tensorflow as tf

numpy_input_fn = tf.estimator.inputs.numpy_input_fn
pandas_input_fn = tf.estimator.inputs.pandas_input_fn


def batches(input_fn, most=10):
    """What the function gives, batch by batch, to the end."""
    with tf.Graph().as_default():
        parts = input_fn()
        with tf.Session() as session:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coord)
            found = []
            while len(found) < most:
                try:
                    found.append([np.asarray(part) for part in tf.nest.flatten(session.run(parts))])
                except tf.errors.OutOfRangeError:
                    found.append("END")
                    break
            coord.request_stop()
            coord.join(threads)
    return found


def error(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e).split("\n")[0][:60]
    return "none"


def built(input_fn):
    """Builds in the graph of the program; tells shapes and types."""
    parts = tf.nest.flatten(input_fn())
    return {"names": [part.name for part in parts], "shapes": [part.shape.as_list() for part in parts],
            "types": [part.dtype.name for part in parts],
            "runners": [(type(r).__name__.lstrip("_"), r.name, [op.name for op in r.enqueue_ops], r.close_op.name,
                         r.cancel_op.name) for r in tf.get_collection("queue_runners")],
            "summaries": [s.name for s in tf.get_collection("summaries")]}


X = {"b": np.arange(10.0), "a": np.arange(20).reshape(10, 2)}
Y = np.arange(100, 110)


def program_numpy_graph():
    return built(numpy_input_fn(X, Y, batch_size=4, shuffle=False))


def program_numpy_graph_shuffled():
    tf.set_random_seed(5)
    return built(numpy_input_fn(X, Y, batch_size=4, shuffle=True, num_epochs=None, queue_capacity=50))


def program_numpy_graph_threads():
    return built(numpy_input_fn(X, None, batch_size=4, shuffle=True, num_epochs=None, num_threads=3))


def program_numpy_graph_lone():
    return built(numpy_input_fn(np.zeros((6, 3), np.float32), np.zeros([6], np.int32), batch_size=2, shuffle=False))


def program_numpy_graph_labels_by_name():
    return built(numpy_input_fn(X, {"t": Y, "s": Y * 2.0}, batch_size=2, shuffle=False))


def program_numpy_graph_in_scope():
    with tf.name_scope("feeding"):
        first = built(numpy_input_fn(X, Y, shuffle=False))
    with tf.name_scope("feeding"):
        return {"first": first, "second": built(numpy_input_fn(X, shuffle=False))}


def program_numpy_graph_capacity():
    return built(numpy_input_fn(X, Y, batch_size=4, shuffle=True, queue_capacity=10))


def program_numpy_one_epoch():
    return {"all": batches(numpy_input_fn(X, Y, batch_size=4, shuffle=False))}


def program_numpy_epochs():
    return {"two": batches(numpy_input_fn(X, Y, batch_size=4, shuffle=False, num_epochs=2)),
            "three": batches(numpy_input_fn(X, Y, batch_size=7, shuffle=False, num_epochs=3)),
            "even": batches(numpy_input_fn(X, Y, batch_size=5, shuffle=False, num_epochs=2))}


def program_numpy_without_end():
    return {"some": batches(numpy_input_fn(X, Y, batch_size=4, shuffle=False, num_epochs=None), most=6)}


def program_numpy_large_batch():
    return {"one": batches(numpy_input_fn(X, Y, batch_size=25, shuffle=False)),
            "three": batches(numpy_input_fn(X, Y, batch_size=25, shuffle=False, num_epochs=3))}


def program_numpy_types():
    x = {"f16": np.arange(3, dtype=np.float16), "u8": np.arange(3, dtype=np.uint8), "bool": np.array([True, False, True]),
         "text": np.array(["a", "bc", ""]), "bytes": np.array([b"x", b"y", b"zz"]),
         "object": np.array(["p", b"q", "r"], dtype=object), "c64": np.arange(3, dtype=np.complex64)}
    return {"rows": batches(numpy_input_fn(x, batch_size=2, shuffle=False, num_epochs=2))}


def program_numpy_no_labels():
    return {"dict": batches(numpy_input_fn(X, batch_size=6, shuffle=False)),
            "lone": batches(numpy_input_fn(np.arange(4), batch_size=3, shuffle=False))}


def program_numpy_shuffled_rows():
    """Shuffled, but whole: features stay beside their labels, and all rows come."""
    found = batches(numpy_input_fn({"x": np.arange(10), "y": np.arange(10) * 10}, np.arange(10) * 100, batch_size=4,
                                   shuffle=True))
    rows = np.concatenate([np.stack(batch, 1) for batch in found if batch != "END"])
    return {"all": np.sort(rows, 0), "beside": (rows[:, 0] * 100 == rows[:, 2]).all(), "end": found[-1]}


def program_numpy_threads():
    """Each thread goes through all epochs."""
    found = batches(numpy_input_fn({"x": np.arange(6)}, batch_size=6, shuffle=True, num_threads=3), most=20)
    rows = np.concatenate([batch[0] for batch in found if batch != "END"])
    return {"count": np.bincount(rows), "end": found[-1]}


def program_numpy_errors():
    fn = numpy_input_fn
    return {"shuffle": error(lambda: fn(X, Y)), "shuffle_text": error(lambda: fn(X, Y, shuffle="yes")),
            "kind": error(fn([1, 2], shuffle=False)), "empty": error(fn({}, shuffle=False)),
            "empty_array": error(fn(np.zeros([0]), shuffle=False)),
            "empty_labels": error(fn(X, {}, shuffle=False)),
            "twice": error(fn(X, {"a": Y, "c": Y}, shuffle=False)),
            "lengths": error(fn(X, Y[:5], shuffle=False)),
            "feature_lengths": error(fn({"a": np.zeros(3), "b": np.zeros(4)}, shuffle=False))}


def frame():
    return pd.DataFrame({"b": [1.5, 2.5, 3.5, 4.5], "a": [1, 2, 3, 4], "word": ["w", "x", "y", "z"]}, index=[7, 8, 9, 5])


def program_pandas_graph():
    return built(pandas_input_fn(frame(), pd.Series([0, 1, 0, 1], index=[7, 8, 9, 5]), batch_size=2, shuffle=False))


def program_pandas_graph_shuffled():
    return built(pandas_input_fn(frame(), batch_size=2, shuffle=True, num_epochs=None, queue_capacity=8))


def program_pandas_rows():
    y = pd.Series([0, 1, 0, 1], index=[7, 8, 9, 5])
    return {"labels": batches(pandas_input_fn(frame(), y, batch_size=3, shuffle=False, num_epochs=2)),
            "none": batches(pandas_input_fn(frame(), batch_size=3, shuffle=False)),
            "capacity": batches(pandas_input_fn(frame(), y, batch_size=4, shuffle=False, queue_capacity=None))}


def program_pandas_label_frame():
    y = pd.DataFrame({"b": [0, 1, 0, 1], "t": [1.0, 2.0, 3.0, 4.0]}, index=[7, 8, 9, 5])
    with tf.Graph().as_default():
        features, labels = pandas_input_fn(frame(), y, batch_size=3, shuffle=False)()
    return {"features": sorted(features), "labels": sorted(labels),
            "rows": batches(pandas_input_fn(frame(), y, batch_size=3, shuffle=False))}


def program_pandas_errors():
    y = pd.Series([0, 1, 0, 1])
    return {"shuffle": error(lambda: pandas_input_fn(frame(), y)),
            "index": error(lambda: pandas_input_fn(frame(), y, shuffle=False)),
            "name": error(lambda: pandas_input_fn(frame(), y, shuffle=False, target_column="a")),
            "target": error(lambda: pandas_input_fn(frame(), y, shuffle=False, target_column=3))}
