"""tf.contrib.summary: summaries that steps write themselves."""

from rill import _rill
from rill._recorded_summaries import (SummaryWriter, always_record_summaries,  # noqa: F401
                                      create_db_writer, create_file_writer, eval_dir, flush, initialize,
                                      never_record_summaries, record_if,
                                      record_summaries_every_n_global_steps)

create_summary_file_writer = create_file_writer
all_summary_ops = _rill.function("summary.all_v2_summary_ops")
for _name in ("audio", "generic", "graph", "histogram", "image", "import_event", "scalar",
              "should_record_summaries", "summary_writer_initializer_op"):
    globals()[_name] = _rill.function(f"contrib.summary.{_name}")
