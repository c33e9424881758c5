#include "rill/api/summary/file_writer.h"

#include <map>
#include <mutex>

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/base/clock.h"
#include "rill/base/files.h"
#include "rill/base/log.h"
#include "rill/graph/graph_def.h"
#include "rill/io/event_queue.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::summaries {
namespace {

class EventFile : public EventSink {
 public:
  EventFile(const std::string& logdir, const FileWriterOptions& options)
      : queue_(join_path(logdir, "events"), options.filename_suffix,
               {.max_waiting = room(options.max_queue), .flush_seconds = options.flush_secs}) {}

  void add(const tensorflow::Event& event) override { queue_.add(event); }
  void flush() override { queue_.flush(); }
  void close() override { queue_.close(); }
  void reopen() override { queue_.reopen(); }

 private:
  // As in Python's queues, none stands for as many as come.
  static std::size_t room(std::int64_t max_queue) {
    return max_queue > 0 ? static_cast<std::size_t>(max_queue) : SIZE_MAX;
  }
  EventQueue queue_;
};

RunEvent run_in(Session& session) {
  return [&session](Node& operation, Output fed, const std::string& event) {
    std::vector<Feed> feeds;
    if (fed.node) feeds.push_back({fed, Tensor::scalar<std::string>(event)});
    session.run(operation, feeds);
  };
}

struct Cache {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<FileWriter>> writers;
};
Cache& cache() {
  static Cache& writers = *new Cache;  // outlives everything that may write
  return writers;
}

}  // namespace

std::unique_ptr<EventSink> event_file(const std::string& logdir, const FileWriterOptions& options) {
  make_directories(logdir);
  return std::make_unique<EventFile>(logdir, options);
}

FileWriter::FileWriter(std::string logdir, const FileWriterOptions& options)
    : FileWriter(logdir, event_file(logdir, options)) {
  begin_with(options.graph);
}

FileWriter::FileWriter(std::string logdir, Session& session, const FileWriterOptions& options)
    : FileWriter(logdir, event_ops(logdir, options, run_in(session))) {
  begin_with(options.graph);
}

FileWriter::FileWriter(std::string logdir, std::unique_ptr<EventSink> sink)
    : logdir_(std::move(logdir)), sink_(std::move(sink)) {}

void FileWriter::add_now(tensorflow::Event& event, GlobalStep global_step) {
  event.set_wall_time(static_cast<double>(wall_micros()) / 1e6);
  if (global_step) event.set_step(*global_step);
  sink_->add(event);
}

void FileWriter::add_summary(const std::string& serialized, GlobalStep global_step) {
  tensorflow::Summary summary;
  require(summary.ParseFromString(serialized), "the summary is no serialised Summary message");
  add_summary(std::move(summary), global_step);
}

void FileWriter::add_summary(tensorflow::Summary summary, GlobalStep global_step) {
  {
    // Readers keep the metadata of a tag from its first value on.
    const std::lock_guard lock(mutex_);
    for (tensorflow::Summary::Value& value : *summary.mutable_value())
      if (!seen_tags_.insert(value.tag()).second) value.clear_metadata();
  }
  tensorflow::Event event;
  *event.mutable_summary() = std::move(summary);
  add_now(event, global_step);
}

void FileWriter::begin_with(const Graph* graph) {
  if (graph == nullptr) return;
  const tensorflow::GraphDef def = export_graph_def(*graph, {.add_shapes = true});
  add_graph(def);
  add_meta_graph(train::export_meta_graph({.graph_def = def}));
}

void FileWriter::add_graph(const Graph& graph, GlobalStep global_step) {
  add_graph(export_graph_def(graph, {.add_shapes = true}), global_step);
}

void FileWriter::add_graph(const tensorflow::GraphDef& graph_def, GlobalStep global_step) {
  tensorflow::Event event;
  event.set_graph_def(graph_def.SerializeAsString());
  add_now(event, global_step);
}

void FileWriter::add_meta_graph(const tensorflow::MetaGraphDef& meta_graph_def,
                                GlobalStep global_step) {
  tensorflow::Event event;
  event.set_meta_graph_def(meta_graph_def.SerializeAsString());
  add_now(event, global_step);
}

void FileWriter::add_run_metadata(const tensorflow::RunMetadata& run_metadata,
                                  const std::string& tag, GlobalStep global_step) {
  {
    const std::lock_guard lock(mutex_);
    require(session_run_tags_.insert(tag).second,
            "The provided tag was already used for this event type");
  }
  tensorflow::Event event;
  event.mutable_tagged_run_metadata()->set_tag(tag);
  event.mutable_tagged_run_metadata()->set_run_metadata(run_metadata.SerializeAsString());
  add_now(event, global_step);
}

void FileWriter::add_session_log(const tensorflow::SessionLog& session_log,
                                 GlobalStep global_step) {
  tensorflow::Event event;
  *event.mutable_session_log() = session_log;
  add_now(event, global_step);
}

void FileWriter::add_event(const tensorflow::Event& event) { sink_->add(event); }
void FileWriter::flush() { sink_->flush(); }
void FileWriter::close() { sink_->close(); }
void FileWriter::reopen() { sink_->reopen(); }

std::shared_ptr<FileWriter> FileWriterCache::get(const std::string& logdir) {
  const std::lock_guard lock(cache().mutex);
  std::shared_ptr<FileWriter>& writer = cache().writers[logdir];
  if (!writer)
    writer =
        std::make_shared<FileWriter>(logdir, FileWriterOptions{.graph = default_graph().get()});
  return writer;
}

void FileWriterCache::clear() {
  std::map<std::string, std::shared_ptr<FileWriter>> writers;
  {
    const std::lock_guard lock(cache().mutex);
    writers.swap(cache().writers);
  }
  for (const auto& [logdir, writer] : writers) try {
      writer->close();
    } catch (const Error& error) {  // its directory may be gone; the others are closed all the same
      log(LogLevel::kWarning, error.what());
    }
}

}  // namespace rill::summaries
