#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/summary/recorded.h"
#include "rill/base/files.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::summaries {
namespace {

class EventOps : public EventSink {
 public:
  EventOps(const std::string& logdir, const FileWriterOptions& options, RunEvent run)
      : run_(std::move(run)) {
    const NameScope named("filewriter");
    CreateFileWriterOptions how{
        .max_queue = options.max_queue,
        .flush_millis = static_cast<std::int64_t>(options.flush_secs * 1000)};
    if (!options.filename_suffix.empty()) how.filename_suffix = options.filename_suffix;
    const SummaryWriter writer = create_file_writer(logdir, how);
    {
      const RecordSummaries always(true);
      const AsDefaultWriter as_default(writer);
      event_ = raw::PlaceholderWithDefault(constant("unused"), PartialShape::scalar());
      add_ = &import_event(event_);
    }
    init_ = &writer.init();
    flush_ = &writer.flush();
    close_ = &writer.close();
    run_(*init_, {}, {});
  }

  void add(const tensorflow::Event& event) override {
    if (is_open_) run_(*add_, event_, event.SerializeAsString());
  }
  void flush() override { run_(*flush_, {}, {}); }
  void close() override {
    if (!is_open_) return;
    flush();
    run_(*close_, {}, {});
    is_open_ = false;
  }
  void reopen() override {
    if (is_open_) return;
    is_open_ = true;
    run_(*init_, {}, {});
  }

 private:
  const RunEvent run_;
  Output event_;
  Node *add_ = nullptr, *init_ = nullptr, *flush_ = nullptr, *close_ = nullptr;
  bool is_open_ = true;
};

}  // namespace

std::unique_ptr<EventSink> event_ops(const std::string& logdir, const FileWriterOptions& options,
                                     RunEvent run) {
  make_directories(logdir);
  return std::make_unique<EventOps>(logdir, options, std::move(run));
}

}  // namespace rill::summaries
