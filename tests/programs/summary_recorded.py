"""tf.contrib.summary, which TensorFlow 2 keeps in tensorflow.python.ops.summary_ops_v2."""
import tensorflow as tf
from tensorflow.python.ops import summary_ops_v2 as summary


def told():
    return dict(writes=",".join(item.name for item in tf.summary.all_v2_summary_ops()),
                inits=",".join(item.name for item in summary.summary_writer_initializer_op()))


def writer(**options):
    return summary.create_file_writer("/nowhere", **options)


def program_scalar():
    with writer().as_default(), summary.always_record_summaries():
        summary.scalar("loss", tf.constant(1.0), step=3)
    return told()


def program_scalar_at_global_step():
    step = tf.train.get_or_create_global_step()
    with writer(name="shared").as_default(), summary.always_record_summaries():
        summary.scalar("loss", tf.constant(1.0), family="losses")
    return dict(told(), step=step.name)


def program_scalar_in_scope():
    with writer(max_queue=5, flush_millis=100, filename_suffix=".mine").as_default():
        with summary.always_record_summaries(), tf.name_scope("outer"):
            summary.scalar("loss", 1.0, step=tf.constant(3, tf.int64))
    return told()


def program_not_recorded():
    with writer().as_default():
        summary.scalar("loss", tf.constant(1.0), step=1)
        with summary.never_record_summaries():
            summary.scalar("loss", tf.constant(1.0), step=1)
    return told()


def program_no_writer():
    op = summary.scalar("loss", tf.constant(1.0), step=1)
    return dict(told(), op=op.name)


def program_every_n_steps():
    tf.train.get_or_create_global_step()
    with writer().as_default(), summary.record_summaries_every_n_global_steps(2):
        summary.scalar("loss", tf.constant(1.0))
    return told()


def program_kinds():
    with writer().as_default(), summary.always_record_summaries():
        summary.histogram("h", tf.constant([1.0, 2.0]), step=1)
        summary.image("i", tf.zeros([1, 2, 2, 3]), step=1)
        summary.audio("a", tf.zeros([1, 8, 1]), 8000.0, 2, step=1)
        summary.generic("g", tf.constant([1, 2]), step=1)
        summary.generic("m", tf.constant([1, 2]), metadata=tf.SummaryMetadata(display_name="x"), step=1)
    return told()


def program_events_and_flushes():
    made = writer()
    with made.as_default():
        summary.import_event(tf.constant(b""))
        summary.flush()
    made.init()
    made.close()
    return told()
