#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

// tf.contrib.summary: summaries that the step itself writes, through the writer that is the default
// one of the thread, where they are to be recorded.
namespace rill::summaries {

// A writer of event files, as a resource of the graph. Each method makes an operation.
class SummaryWriter {
 public:
  SummaryWriter() = default;  // writes nothing
  SummaryWriter(Output resource, std::function<Node&()> init)
      : resource_(resource), init_(std::move(init)) {}

  explicit operator bool() const { return bool(init_); }
  Output resource() const { return resource_; }
  // Opens the file; create_file_writer has made one such operation already, for
  // summary_writer_initializer_op(). A default-made writer must not be asked.
  Node& init() const { return init_(); }
  Node& flush(const std::string& name = {}) const;
  Node& close() const;

 private:
  Output resource_;
  std::function<Node&()> init_;
};

struct CreateFileWriterOptions {
  OptionalInput max_queue{}, flush_millis{}, filename_suffix{};  // 10, 120000, ".v2"
  std::string name{};  // writers of one name share a file; "logdir:LOGDIR"
};
// The file is made when the initializer runs.
//
//   auto writer = summaries::create_file_writer("logs");
//   const AsDefaultWriter in(writer);
//   const RecordSummaries always(true);
//   record_scalar("loss", loss);  // runs with all_summary_ops()
SummaryWriter create_file_writer(const std::string& logdir,
                                 const CreateFileWriterOptions& options = {},
                                 std::source_location at = std::source_location::current());

// The operations that all writers of the default graph begin with, and those that write.
std::vector<Node*> summary_writer_initializer_op();
std::vector<Output> all_summary_ops();

// Whether summaries are recorded: nothing said is no.
using RecordCondition = std::function<Input()>;

// The thread's writer and condition; the classes below change them while they live.
struct RecordingState {
  SummaryWriter writer = {};
  RecordCondition condition = {};
};
RecordingState& recording_state();

// Makes a writer the thread's default while it lives.
class AsDefaultWriter {
 public:
  explicit AsDefaultWriter(SummaryWriter writer);
  ~AsDefaultWriter();  // makes an operation that flushes, as TensorFlow does
  AsDefaultWriter(const AsDefaultWriter&) = delete;
  AsDefaultWriter& operator=(const AsDefaultWriter&) = delete;

 private:
  SummaryWriter outer_;
};
// Says whether to record while it lives; a condition that is a tensor is asked in every step.
class RecordSummaries {
 public:
  explicit RecordSummaries(RecordCondition condition);
  explicit RecordSummaries(bool always) : RecordSummaries([always] { return Input(always); }) {}
  ~RecordSummaries();
  RecordSummaries(const RecordSummaries&) = delete;
  RecordSummaries& operator=(const RecordSummaries&) = delete;

 private:
  RecordCondition outer_;
};
// As a tensor.
Output should_record_summaries(std::source_location at = std::source_location::current());

struct RecordOptions {
  std::string family{};
  OptionalInput step{};  // the global step
};
// Each returns the operation that writes, if at all: a NoOp without a writer. It is in
// all_summary_ops(). Without a step the graph's global step is used, and made where there is none.
Node& record_scalar(const std::string& name, const Input& tensor, const RecordOptions& options = {},
                    std::source_location at = std::source_location::current());
Node& record_histogram(const std::string& name, const Input& tensor,
                       const RecordOptions& options = {},
                       std::source_location at = std::source_location::current());
Node& record_tensor(const std::string& name, const Input& tensor,
                    const OptionalInput& metadata = {}, const RecordOptions& options = {},
                    std::source_location at = std::source_location::current());
struct RecordImageOptions {
  OptionalInput bad_color{};  // red
  std::int64_t max_images = 3;
  std::string family{};
  OptionalInput step{};
};
Node& record_image(const std::string& name, const Input& tensor,
                   const RecordImageOptions& options = {},
                   std::source_location at = std::source_location::current());
Node& record_audio(const std::string& name, const Input& tensor, const Input& sample_rate,
                   std::int64_t max_outputs, const RecordOptions& options = {},
                   std::source_location at = std::source_location::current());
// A serialised GraphDef.
Node& record_graph(const Input& param, const OptionalInput& step = {}, const std::string& name = {},
                   std::source_location at = std::source_location::current());
// A serialised Event, as it is.
Node& import_event(const Input& tensor, const std::string& name = {},
                   std::source_location at = std::source_location::current());
// Of the default writer.
Node& flush(const std::string& name = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::summaries
