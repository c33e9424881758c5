"""tf.contrib.summary: summaries that steps write themselves."""

from rill._recorded_summaries import (SummaryWriter, always_record_summaries,  # noqa: F401
                                      create_db_writer, create_file_writer, eval_dir, flush, initialize,
                                      never_record_summaries, record_if,
                                      record_summaries_every_n_global_steps)
from rill._rill.functions.contrib.summary import (audio, generic, graph, histogram, image,  # noqa: F401
                                                  import_event, scalar, should_record_summaries,
                                                  summary_writer_initializer_op)
from rill._rill.functions.summary import all_v2_summary_ops as all_summary_ops  # noqa: F401

create_summary_file_writer = create_file_writer
