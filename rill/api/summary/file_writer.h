#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "rill/runtime/session/session.h"

namespace tensorflow {
class Event;
class GraphDef;
class MetaGraphDef;
class RunMetadata;
class SessionLog;
class Summary;
}  // namespace tensorflow

namespace rill::summaries {

// Where the events of a FileWriter go.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void add(const tensorflow::Event& event) = 0;
  virtual void flush() = 0;
  virtual void close() = 0;
  virtual void reopen() = 0;
};

// max_queue of 0 or less is no limit. flush_secs: how long an event may stay in memory.
struct FileWriterOptions {
  const Graph* graph = nullptr;  // written first, with the default graph's collections
  std::int64_t max_queue = 10;   // events that wait for the disk; more make their writers wait
  double flush_secs = 120;
  std::string filename_suffix{};
};
// A thread that writes event files below `logdir`.
std::unique_ptr<EventSink> event_file(const std::string& logdir, const FileWriterOptions& options);

// Runs an operation of the session's graph; `event` is to be fed to the tensor, where there is one.
using RunEvent = std::function<void(Node& operation, Output fed, const std::string& event)>;
// Ops of the default graph that write, so that writers of one directory share a file.
std::unique_ptr<EventSink> event_ops(const std::string& logdir, const FileWriterOptions& options,
                                     RunEvent run);

// Writes summaries, graphs and what else TensorBoard shows. Safe from several threads. After
// close() nothing is written until reopen().
//
//   summaries::FileWriter writer("logs", {.graph = &session.graph()});
//   writer.add_summary(session.run(merged).scalar_value<std::string>(), step);
//
// Events get the time at which they are added. The metadata of a tag is written with its first
// value only, since readers keep it.
class FileWriter {
 public:
  using GlobalStep = std::optional<std::int64_t>;

  explicit FileWriter(std::string logdir, const FileWriterOptions& options = {});
  // The graph is the first that is written.
  FileWriter(std::string logdir, const Graph& graph, const FileWriterOptions& options = {})
      : FileWriter(std::move(logdir), options) {
    add_graph(graph);
  }
  // Through ops of the session's graph, which must be the default one.
  FileWriter(std::string logdir, Session& session, const FileWriterOptions& options = {});
  FileWriter(std::string logdir, std::unique_ptr<EventSink> sink);

  const std::string& get_logdir() const { return logdir_; }

  // `summary` is a serialised Summary, as runs return it; throws InvalidArgument when it is none.
  void add_summary(const std::string& summary, GlobalStep global_step = {});
  void add_summary(tensorflow::Summary summary, GlobalStep global_step = {});
  void add_summary(const Tensor& summary, GlobalStep global_step = {}) {
    add_summary(summary.scalar_value<std::string>(), global_step);
  }
  void add_graph(const Graph& graph, GlobalStep global_step = {});
  void add_graph(const tensorflow::GraphDef& graph_def, GlobalStep global_step = {});
  void add_meta_graph(const tensorflow::MetaGraphDef& meta_graph_def, GlobalStep global_step = {});
  // Throws InvalidArgument when the tag was used before.
  void add_run_metadata(const tensorflow::RunMetadata& run_metadata, const std::string& tag,
                        GlobalStep global_step = {});
  void add_session_log(const tensorflow::SessionLog& session_log, GlobalStep global_step = {});
  void add_event(const tensorflow::Event& event);  // as it is

  // Waits until what was added is in the file. So does close.
  void flush();
  void close();
  void reopen();

 private:
  void begin_with(const Graph* graph);
  void add_now(tensorflow::Event& event, GlobalStep global_step);

  const std::string logdir_;
  std::unique_ptr<EventSink> sink_;
  std::mutex mutex_;  // of the sets
  std::set<std::string> seen_tags_, session_run_tags_;
};

// One writer for each directory of the process, with the default graph written first.
class FileWriterCache {
 public:
  // Safe from several threads; the writer lives until clear().
  static std::shared_ptr<FileWriter> get(const std::string& logdir);
  static void clear();  // closes them
};

}  // namespace rill::summaries
