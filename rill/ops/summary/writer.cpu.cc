#include <unistd.h>

#include <atomic>
#include <mutex>

#include "rill/base/clock.h"
#include "rill/base/files.h"
#include "rill/io/event_writer.h"
#include "rill/kernel/kernel_entries.h"
#include "rill/ops/logging/summary_parts.h"
#include "rill/ops/summary/event_message.h"
#include "rill/ops/summary/summary_events.h"

namespace rill {

extern const OpDecl kSummaryWriter, kCreateSummaryFileWriter, kFlushSummaryWriter,
    kCloseSummaryWriter, kWriteSummary, kWriteRawProtoSummary, kImportEvent, kWriteScalarSummary,
    kWriteHistogramSummary, kWriteImageSummary, kWriteAudioSummary, kWriteGraphSummary;

namespace {

// Flushes when there are more than `max_queue` events since the last time, or that was more than
// `flush_millis` ago.
class Writer final : public SummaryEvents {
 public:
  Writer(const std::string& directory, int max_queue, int flush_millis, const std::string& suffix)
      : directory_(directory),
        max_queue_(max_queue),
        flush_nanos_(static_cast<std::int64_t>(flush_millis) * 1'000'000),
        events_(join_path(directory, "events"), suffix) {
    (void)events_.path();  // the file is there from now on
  }

  void write(const std::string& event) override {
    const std::lock_guard lock(mutex_);
    events_.write_serialized(event);
    ++waiting_;
    if (waiting_ > max_queue_ || monotonic_nanos() - flushed_at_ > flush_nanos_) flush_now();
  }
  void flush() {
    const std::lock_guard lock(mutex_);
    flush_now();
  }
  std::string describe() const override { return "writer of events below " + directory_; }

 private:
  void flush_now() {
    events_.flush();
    waiting_ = 0;
    flushed_at_ = monotonic_nanos();
  }

  const std::string directory_;
  const int max_queue_;
  const std::int64_t flush_nanos_;
  std::mutex mutex_;
  EventWriter events_;
  int waiting_ = 0;
  std::int64_t flushed_at_ = monotonic_nanos();
};

template <class T>
const T& scalar_input(const KernelCall& call, int i) {
  const Tensor& value = call.input_tensor(i);
  require(value.element_count() == 1, "input ", i, " of ", call.node().op->name,
          " must be a scalar, but has shape ", value.shape());
  return *value.data<T>();
}
const std::string& text_input(const KernelCall& call, int i) {
  return scalar_input<std::string>(call, i);
}

// --- the writer's life -------------------------------------------------------------------------

// The handle says where the writer will be; nobody makes it yet.
void summary_writer(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto &shared = node.attr<std::string>("shared_name"),
             &container = node.attr<std::string>("container");
  call.set_output(0, Tensor::scalar(ResourceHandle{
                         .device = call.device().name(),
                         .container = container.empty() ? call.step().resources->default_container()
                                                        : container,
                         .name = shared.empty() ? node.name : shared,
                         .type_name = Writer::kTypeName}));
}

void create_file_writer(KernelCall& call) {
  static std::atomic<int> count = 0;
  const auto& handle = scalar_input<ResourceHandle>(call, 0);
  const std::string& directory = text_input(call, 1);
  const int max_queue = scalar_input<std::int32_t>(call, 2);
  const int flush_millis = scalar_input<std::int32_t>(call, 3);
  const std::string& suffix = text_input(call, 4);
  (void)call.step().resources->find_or_make<Writer>(handle.container, handle.name, [&] {
    return std::make_shared<Writer>(directory, max_queue, flush_millis,
                                    str_cat(".", getpid(), ".", count++, suffix));
  });
}

std::shared_ptr<Writer> writer_input(const KernelCall& call) {
  const auto& handle = scalar_input<ResourceHandle>(call, 0);
  auto writer = call.step().resources->find_as<Writer>(handle.container, handle.name);
  if (writer == nullptr)
    raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/", Writer::kTypeName,
          " does not exist.");
  return writer;
}

void flush_writer(KernelCall& call) { writer_input(call)->flush(); }

void close_writer(KernelCall& call) {
  const auto& handle = scalar_input<ResourceHandle>(call, 0);
  writer_input(call)->flush();
  call.step().resources->remove(handle.container, Writer::kTypeName, handle.name);
}

// --- what is written ---------------------------------------------------------------------------

void write(const KernelCall& call, const SummaryMessage& message) {
  writer_input(call)->write(
      summary_event(scalar_input<std::int64_t>(call, 1), message.serialized()));
}

void write_tensor(KernelCall& call) {
  SummaryMessage message;
  const std::string& metadata = text_input(call, 4);
  message.add_tensor(text_input(call, 3), call.input_tensor(2),
                     metadata.empty() ? nullptr : &metadata);
  write(call, message);
}

void write_raw(KernelCall& call) {
  const auto writer = writer_input(call);
  const auto step = scalar_input<std::int64_t>(call, 1);
  const auto summaries = call.input<std::string>(2);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    try {
      writer->write(summary_event(step, summaries[i]));
    } catch (const Error& error) {
      throw Error(error.code(), str_cat(error.message(), " at index ", i));
    }
  }
}

void import_event(KernelCall& call) {
  const std::string& event = text_input(call, 1);
  check_event(event);
  writer_input(call)->write(event);
}

void write_scalar(KernelCall& call) {
  SummaryMessage message;
  message.add_scalar(text_input(call, 2), number_as_float(call.input_tensor(3)));
  write(call, message);
}

void write_histogram(KernelCall& call) {
  SummaryMessage message;
  add_histogram(call, text_input(call, 2), call.input_tensor(3), message);
  write(call, message);
}

void write_image(KernelCall& call) {
  SummaryMessage message;
  add_pictures(call, text_input(call, 2), call.input_tensor(3), call.input_tensor(4), message);
  write(call, message);
}

void write_audio(KernelCall& call) {
  SummaryMessage message;
  add_sounds(call, text_input(call, 2), call.input_tensor(3), scalar_input<float>(call, 4),
             message);
  write(call, message);
}

void write_graph(KernelCall& call) {
  const auto writer = writer_input(call);
  writer->write(graph_event(scalar_input<std::int64_t>(call, 1), text_input(call, 2)));
}

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kSummaryWriter, summary_writer),
    allocating_kernel(kCreateSummaryFileWriter, create_file_writer),
    allocating_kernel(kFlushSummaryWriter, flush_writer),
    allocating_kernel(kCloseSummaryWriter, close_writer),
    allocating_kernel(kWriteSummary, write_tensor),
    allocating_kernel(kWriteRawProtoSummary, write_raw),
    allocating_kernel(kImportEvent, import_event),
    allocating_kernel(kWriteScalarSummary, write_scalar),
    allocating_kernel(kWriteHistogramSummary, write_histogram),
    allocating_kernel(kWriteImageSummary, write_image),
    allocating_kernel(kWriteAudioSummary, write_audio),
    allocating_kernel(kWriteGraphSummary, write_graph),
};

}  // namespace

extern const KernelTable kWriterCpu{kEntries};

}  // namespace rill
