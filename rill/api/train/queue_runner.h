#pragma once

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/queue/queues.h"
#include "rill/api/train/coordinator.h"
#include "rill/runtime/session/session.h"

namespace tensorflow {
class QueueRunnerDef;
}  // namespace tensorflow

namespace rill::train {

// What a session can be asked to do: run an operation, or compute a tensor for its effects.
class Runnable {
 public:
  Runnable() = default;
  Runnable(Node& operation) : output_{&operation, kNoOutput} {}
  Runnable(Output tensor) : output_(tensor) {}

  explicit operator bool() const { return output_.node != nullptr; }
  bool is_operation() const { return output_.index == kNoOutput; }
  Node& node() const { return *output_.node; }
  Output tensor() const { return output_; }
  std::string name() const;  // "op" or "op:0"
  void run(Session& session) const;

 private:
  static constexpr int kNoOutput = -1;
  Output output_;
};

struct QueueRunnerOptions {
  Runnable close_op = {}, cancel_op = {};  // made where there are none
  // Errors of an enqueuing operation that mean that the queue, or one before it, was closed.
  std::vector<Code> queue_closed_codes = {Code::kOutOfRange};
};
struct CreateThreadsOptions {
  bool start = false;
};

// A queue and the operations that fill it, each in a thread of its own. Lives in the graph's
// collection of queue runners.
//
//   add_queue_runner(std::make_shared<QueueRunner>(queue, std::vector<Runnable>{enqueue}));
//   auto threads = start_queue_runners(session, &coord);
//
// A thread repeats its operation until the coordinator stops or the operation fails. With one of
// queue_closed_codes that is the end of the input: the last such thread closes the queue, and
// readers get what is left. Any other error stops the coordinator.
class QueueRunner : public Collectable {
 public:
  // Throws InvalidArgument where there is nothing to run.
  QueueRunner(queue::QueueBase queue, std::vector<Runnable> enqueue_ops,
              QueueRunnerOptions options = {},
              std::source_location at = std::source_location::current());
  // Of the default graph, whose names are those of the message behind "import_scope/".
  explicit QueueRunner(const tensorflow::QueueRunnerDef& def, std::string_view import_scope = {});

  std::string name() const { return queue_name_; }
  std::string collected_name() const override { return queue_name_; }
  const std::optional<queue::QueueBase>& queue() const { return queue_; }  // none from a message
  Runnable queue_node() const { return queue_node_; }
  const std::vector<Runnable>& enqueue_ops() const { return enqueue_ops_; }
  Runnable close_op() const { return options_.close_op; }
  Runnable cancel_op() const { return options_.cancel_op; }
  const std::vector<Code>& queue_closed_codes() const { return options_.queue_closed_codes; }

  // Nothing where the queue is not in `export_scope`.
  std::optional<tensorflow::QueueRunnerDef> to_proto(std::string_view export_scope = {}) const;

  // One for every enqueuing operation and, with a coordinator, one that cancels what waits for the
  // queue when a stop is requested. None while those of an earlier call run in that session. The
  // coordinator and the session must live until the threads have ended.
  std::vector<std::shared_ptr<WorkThread>> create_threads(Session& session,
                                                          Coordinator* coord = nullptr,
                                                          const CreateThreadsOptions& options = {});
  // What threads without a coordinator failed with.
  std::vector<std::exception_ptr> exceptions_raised() const;

  // What create_threads is made of, for threads of other languages.
  // Counts the threads of a session in; false while earlier ones run there.
  bool begin(const void* session);
  // Counts one out; true for the last one.
  bool end(const void* session);
  void add_exception(std::exception_ptr error);
  // Runs enqueue_ops()[op] once.
  virtual void enqueue(Session& session, std::size_t op) { enqueue_ops_[op].run(session); }

 private:
  void enqueue_until_closed(Session& session, std::size_t op, Coordinator* coord);
  bool is_closed(Code code) const;
  void close(Session& session) const;

  std::optional<queue::QueueBase> queue_;
  Runnable queue_node_;
  std::string queue_name_;
  std::vector<Runnable> enqueue_ops_;
  QueueRunnerOptions options_;

  mutable std::mutex mutex_;
  std::map<const void*, std::size_t> running_;  // threads by session
  std::vector<std::exception_ptr> exceptions_;
};

// Adds it to a collection of the default graph, where start_queue_runners finds it.
void add_queue_runner(std::shared_ptr<QueueRunner> runner,
                      std::string_view collection = GraphKeys::QUEUE_RUNNERS);

struct StartQueueRunnersOptions {
  bool start = true;
  std::string collection = GraphKeys::QUEUE_RUNNERS;
};
// The threads of all queue runners of the session's graph, already running unless `start` is false.
// A null coordinator means that they run until their queues close or fail.
std::vector<std::shared_ptr<WorkThread>> start_queue_runners(
    Session& session, Coordinator* coord = nullptr, const StartQueueRunnersOptions& options = {});

}  // namespace rill::train
