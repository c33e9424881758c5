"""What belongs to graphs is refused, and how; what fails says which class of error it is."""
import tensorflow as tf

from program import raised

X = tf.constant([1., 2.])


def said(function):
    """The class and the message of what `function` raises."""
    try:
        function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def program_placeholders():
    return dict(plain=said(lambda: tf.placeholder(tf.float32)), default=said(lambda: tf.placeholder_with_default(1., [])),
                sparse=said(lambda: tf.sparse_placeholder(tf.float32)))


def program_sessions():
    return dict(empty=said(lambda: tf.Session().run(X)))


def program_interactive_sessions():
    def run():
        session = tf.InteractiveSession()
        try:
            session.run([])
        finally:
            session.close()
    return dict(made=raised(run))


def program_gradients():
    return dict(gradients=said(lambda: tf.gradients(X, X)), hessians=said(lambda: tf.hessians(X, X)))


def program_collections():
    return dict(get=raised(lambda: tf.get_collection("x")), add=raised(lambda: tf.add_to_collection("x", 1)),
                losses=raised(tf.losses.get_losses), summaries=raised(tf.summary.merge_all))


def program_default_graphs():
    return dict(graph=raised(tf.get_default_graph), session=tf.get_default_session() is None)


def program_savers():
    v = tf.Variable(1.)
    return dict(none=said(tf.train.Saver), empty=raised(lambda: tf.train.Saver([])), fine=raised(lambda: tf.train.Saver([v])))


def program_queues():
    return dict(fifo=raised(lambda: tf.queue.FIFOQueue(2, tf.float32)), runners=said(tf.train.start_queue_runners))


def program_input_pipelines():
    return dict(batch=said(lambda: tf.train.batch([X], 2)), slices=said(lambda: tf.train.slice_input_producer([X])),
                strings=said(lambda: tf.train.string_input_producer(["a"])), epochs=said(lambda: tf.train.limit_epochs(X, 1)))


def program_readers():
    return dict(text=said(tf.TextLineReader), records=said(tf.TFRecordReader), whole=said(tf.WholeFileReader))


def program_supervisors():
    return dict(supervisor=said(tf.train.Supervisor))


def program_summaries():
    return dict(scalar=raised(lambda: tf.summary.scalar("a", 1.)), histogram=raised(lambda: tf.summary.histogram("a", X)))


def program_regularization():
    return dict(loss=tf.losses.mean_squared_error([1.], [3.]), total=raised(tf.losses.get_total_loss))


def program_make_iterators():
    return dict(initializable=raised(lambda: tf.data.make_initializable_iterator(tf.data.Dataset.range(1))))


def program_control_of_graphs():
    return dict(graph=raised(lambda: tf.get_default_graph().get_operations()))


def program_metrics():
    return dict(mean=raised(lambda: tf.metrics.mean(X)), accuracy=raised(lambda: tf.metrics.accuracy([1], [1])), auc=raised(lambda: tf.metrics.auc([1], [.5])))


def program_replicas():
    return dict(sync=raised(lambda: tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.1), 1).minimize(lambda: X)))


def program_partitioned_variables():
    return dict(v=said(lambda: tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2))))


def program_old_variables():
    return dict(ref=raised(lambda: tf.get_variable("r", [1], use_resource=False)))


def program_invalid_arguments():
    return dict(axis=raised(lambda: tf.reduce_sum(X, 5)), split=raised(lambda: tf.split(X, 3)), tile=raised(lambda: tf.tile(X, [1, 2])),
                one_hot=raised(lambda: tf.one_hot([0], -1)), gather=raised(lambda: tf.gather(X, 9)), range_=raised(lambda: tf.range(0, 5, 0)),
                concat=raised(lambda: tf.concat([X, [[1.]]], 0)), conv=raised(lambda: tf.nn.conv2d(X, X, [1, 1, 1, 1], "SAME")),
                fill=raised(lambda: tf.fill([-1], 0)), matmul=raised(lambda: tf.matmul(X, X)))


def program_wrong_types():
    return dict(sqrt=raised(lambda: tf.sqrt(tf.constant(1))), cast=raised(lambda: tf.cast("a", tf.int32)), join=raised(lambda: tf.strings.join([X])),
                add=raised(lambda: tf.add("a", 1)), bool_=raised(lambda: tf.logical_not(X)), where=raised(lambda: tf.where(X, X, X)))


def program_missing_arguments():
    return dict(none=raised(lambda: tf.add(None, 1)), add_n=raised(lambda: tf.add_n([])), stack=raised(lambda: tf.stack([])),
                text=raised(lambda: tf.reshape(X, "a")))


def program_values_refused():
    return dict(inverse=raised(lambda: tf.linalg.inv([[0., 0.], [0., 0.]])), number=raised(lambda: tf.strings.to_number("a")), json=raised(lambda: tf.io.decode_json_example("x")),
                base64=raised(lambda: tf.io.decode_base64("%")), divide=raised(lambda: tf.constant(1) // 0), image=raised(lambda: tf.image.decode_png(b"x")))


def program_files():
    return dict(read=raised(lambda: tf.io.read_file("/no/such/file")), records=raised(lambda: list(tf.data.TFRecordDataset("/no/such/file"))))


def program_errors_have_codes():
    try:
        tf.gather(X, 9)
    except tf.errors.OpError as error:
        return dict(code=error.error_code, kind=isinstance(error, tf.errors.InvalidArgumentError), node=error.node_def is None, op=error.op is None)


def program_turning_on_again():
    tf.enable_eager_execution()
    return dict(eagerly=tf.executing_eagerly())


def program_sessions_in_graphs():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        return dict(y=session.run(x * 2, {x: 3.}))


def program_feeding_values():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        with tf.init_scope():
            value = tf.constant(2.)
        return dict(y=session.run(x * 2, {x: value.numpy()}))
