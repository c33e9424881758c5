#include "rill/api/summary/recorded.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/summary.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/global_step.h"
#include "rill/base/log.h"

namespace rill::summaries {
namespace {

constexpr const char* kInitializers = "_SUMMARY_WRITER_V2";
constexpr const char* kWrites = "_SUMMARY_V2";
constexpr const char* kDevice = "cpu:0";

Output writer_resource() { return recording_state().writer.resource(); }

Input step_of(const OptionalInput& step) {
  if (!step) return train::get_or_create_global_step();
  return as_tensor(*step, "Const", DType::i64);
}

// Whether to record: as a tensor, and what is known of it.
struct Wish {
  Output tensor;
  std::optional<bool> known;
};
Wish wish() {
  const RecordingState& state = recording_state();
  if (!state.writer) return {constant(false), false};
  const Input condition = state.condition ? state.condition() : Input(false);
  const std::optional<bool> known = smart_constant_value(condition);
  if (state.condition && !known.value_or(true)) return {constant(false), false};
  return {raw::LogicalAnd(true, condition), known};
}

using Write = std::function<Node&(const SummaryBlock& in)>;

// In the scope around, wherever the branch of a cond stands.
Output write_in(const std::string& scope, const std::string& name, const std::string& family,
                const Write& write, std::source_location at) {
  const NameScope around(scope.empty() ? "" : scope + "/");
  const SummaryBlock in(name, family, "", at);
  Node* const written = &write(in);
  const ControlDependencies after(std::span(&written, 1));
  return constant(true);
}

Node& record(const std::string& name, const std::string& family, const Write& write,
             std::source_location at) {
  const MadeAt place(at);
  if (!recording_state().writer) return no_op();
  const std::string scope = current_scope().name();
  const DeviceScope device(kDevice);
  const auto yes = [&] { return write_in(scope, name, family, write, at); };
  const auto no = [] { return constant(false); };
  const Wish wished = wish();
  const Output done = !wished.known   ? cond_one(wished.tensor, yes, no, {.name = ""})
                      : *wished.known ? yes()
                                      : no();
  add_to_collection(kWrites, done);
  return *done.node;
}

}  // namespace

Node& SummaryWriter::flush(const std::string& name) const {
  const DeviceScope device(kDevice);
  return raw::FlushSummaryWriter(resource_, {.name = name});
}

Node& SummaryWriter::close() const {
  Node* const flushed = &flush();
  const ControlDependencies after(std::span(&flushed, 1));
  const DeviceScope device(kDevice);
  return raw::CloseSummaryWriter(resource_);
}

SummaryWriter create_file_writer(const std::string& logdir, const CreateFileWriterOptions& options,
                                 std::source_location at) {
  const MadeAt place(at);
  const DeviceScope device(kDevice);
  const auto given = [](const OptionalInput& value, const Input& otherwise) {
    return value ? *value : Input(constant(otherwise));
  };
  const Input max_queue = given(options.max_queue, 10);
  const Input flush_millis = given(options.flush_millis, 2 * 60 * 1000);
  const Input suffix = given(options.filename_suffix, ".v2");
  const std::string name = options.name.empty() ? "logdir:" + logdir : options.name;
  const Output resource = raw::SummaryWriter({.shared_name = name});
  const SummaryWriter writer(resource, [=]() -> Node& {
    return raw::CreateSummaryFileWriter(resource, logdir, max_queue, flush_millis, suffix);
  });
  add_to_collection(kInitializers, &writer.init());
  return writer;
}

std::vector<Node*> summary_writer_initializer_op() {
  std::vector<Node*> nodes;
  for (const CollectionItem& item : get_collection(kInitializers))
    if (Node* const* node = std::get_if<Node*>(&item)) nodes.push_back(*node);
  return nodes;
}

std::vector<Output> all_summary_ops() { return get_tensor_collection(kWrites); }

RecordingState& recording_state() {
  thread_local RecordingState state;
  return state;
}

AsDefaultWriter::AsDefaultWriter(SummaryWriter writer)
    : outer_(std::exchange(recording_state().writer, std::move(writer))) {}

AsDefaultWriter::~AsDefaultWriter() {
  try {
    if (recording_state().writer) recording_state().writer.flush();
  } catch (const Error& error) {
    log(LogLevel::kWarning, "no flush for a summary writer: ", error.message());
  }
  recording_state().writer = std::move(outer_);
}

RecordSummaries::RecordSummaries(RecordCondition condition)
    : outer_(std::exchange(recording_state().condition, std::move(condition))) {}
RecordSummaries::~RecordSummaries() { recording_state().condition = std::move(outer_); }

Output should_record_summaries(std::source_location at) {
  const MadeAt place(at);
  return wish().tensor;
}

Node& record_scalar(const std::string& name, const Input& tensor, const RecordOptions& options,
                    std::source_location at) {
  const auto write = [&](const SummaryBlock& in) -> Node& {
    const Input step = step_of(options.step);
    return raw::WriteScalarSummary(writer_resource(), step, in.tag(), raw::Identity(tensor),
                                   {.name = in.own_name()});
  };
  return record(name, options.family, write, at);
}

Node& record_histogram(const std::string& name, const Input& tensor, const RecordOptions& options,
                       std::source_location at) {
  const auto write = [&](const SummaryBlock& in) -> Node& {
    const Input step = step_of(options.step);
    return raw::WriteHistogramSummary(writer_resource(), step, in.tag(), raw::Identity(tensor),
                                      {.name = in.own_name()});
  };
  return record(name, options.family, write, at);
}

Node& record_tensor(const std::string& name, const Input& tensor, const OptionalInput& metadata,
                    const RecordOptions& options, std::source_location at) {
  const auto write = [&](const SummaryBlock& in) -> Node& {
    const Output said = constant(metadata ? *metadata : Input(""));
    const Input step = step_of(options.step);
    return raw::WriteSummary(writer_resource(), step, raw::Identity(tensor), in.tag(), said,
                             {.name = in.own_name()});
  };
  return record(name, options.family, write, at);
}

Node& record_image(const std::string& name, const Input& tensor, const RecordImageOptions& options,
                   std::source_location at) {
  const auto write = [&](const SummaryBlock& in) -> Node& {
    const Input bad_color = options.bad_color
                                ? *options.bad_color
                                : Input(constant(Tensor::vector<std::uint8_t>({255, 0, 0, 255})));
    const Input step = step_of(options.step);
    return raw::WriteImageSummary(writer_resource(), step, in.tag(), raw::Identity(tensor),
                                  bad_color,
                                  {.max_images = options.max_images, .name = in.own_name()});
  };
  return record(name, options.family, write, at);
}

Node& record_audio(const std::string& name, const Input& tensor, const Input& sample_rate,
                   std::int64_t max_outputs, const RecordOptions& options,
                   std::source_location at) {
  const auto write = [&](const SummaryBlock& in) -> Node& {
    const Input step = step_of(options.step);
    return raw::WriteAudioSummary(writer_resource(), step, in.tag(), raw::Identity(tensor),
                                  sample_rate, {.max_outputs = max_outputs, .name = in.own_name()});
  };
  return record(name, options.family, write, at);
}

Node& record_graph(const Input& param, const OptionalInput& step, const std::string& name,
                   std::source_location at) {
  const MadeAt place(at);
  if (!recording_state().writer) return no_op();
  const DeviceScope device(kDevice);
  const Output graph = raw::Identity(param);
  return raw::WriteGraphSummary(writer_resource(), step_of(step), graph, {.name = name});
}

Node& import_event(const Input& tensor, const std::string& name, std::source_location at) {
  require(bool(recording_state().writer), "there is no default summary writer");
  return raw::ImportEvent(writer_resource(), tensor, {.name = name}, at);
}

Node& flush(const std::string& name, std::source_location at) {
  const MadeAt place(at);
  const SummaryWriter& writer = recording_state().writer;
  return writer ? writer.flush(name) : no_op();
}

}  // namespace rill::summaries
