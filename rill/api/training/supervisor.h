#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/summary/file_writer.h"
#include "rill/api/training/session_manager.h"

namespace rill::train {

struct SupervisorOptions {
  std::shared_ptr<Graph> graph = {};  // none: the default one
  bool is_chief = true;
  // Nothing: found in the graph's collections, else made. An empty one: there is none.
  std::optional<Runnable> ready_op = {}, ready_for_local_init_op = {}, init_op = {},
                          local_init_op = {};
  std::optional<Output> summary_op = {}, global_step = {};
  std::string global_step_name = {};  // in summaries; "": that of its node
  std::optional<std::shared_ptr<Saver>> saver = {};
  std::optional<std::shared_ptr<summaries::FileWriter>> summary_writer = {};

  std::vector<Feed> init_feed_dict = {};
  std::function<void(Session&)> init_fn = {};
  RunOptions local_init_run_options = {};
  std::string logdir = {};                                  // "": nothing is saved or written
  double save_summaries_secs = 120, save_model_secs = 600;  // 0: never
  double recovery_wait_secs = 30, stop_grace_secs = 120;
  std::string checkpoint_basename = "model.ckpt";
  CoordinatorRef coord = {};  // made where there is none

  // What another language has for a Saver; none: the saver itself.
  Restorer restorer = {};
  std::function<void(Session&, const std::string& path, std::optional<std::int64_t> step)> save =
      {};
};

// start_standard_services: the threads that save and write summaries. wait_for_checkpoint: for
// a first one to come, at most max_wait_secs.
struct ManagedSessionOptions {
  std::string master = {};
  SessionOptions config = {};
  bool start_standard_services = true;
  bool close_summary_writer = true;
  bool wait_for_checkpoint = false;
  double max_wait_secs = 7200;
};

// ignore_live_threads: threads that do not end within stop_grace_secs are left alone instead of
// being an error.
struct StopOptions {
  bool close_summary_writer = true;
  bool ignore_live_threads = false;
};

// tf.train.Supervisor, the older way to train: opens a session as its role demands, and saves
// checkpoints and summaries in threads of its own.
//
//   tf::train::Supervisor sv({.logdir = "/tmp/logs"});
//   sv.managed_session([&](tf::Session& sess) {
//     while (!sv.should_stop()) sess.run(train_op);
//   });
class Supervisor {
 public:
  // Completes the parts and finalises the graph. Throws InvalidArgument where a variable of a
  // worker has no device.
  explicit Supervisor(SupervisorOptions options = {},
                      std::source_location at = std::source_location::current());
  ~Supervisor();  // stops the threads that it started

  const SupervisorOptions& parts() const { return parts_; }
  bool is_chief() const { return parts_.is_chief; }
  Coordinator& coord() const { return *parts_.coord; }
  SessionManager& session_manager() { return *manager_; }
  summaries::FileWriter* summary_writer() const { return parts_.summary_writer->get(); }
  Output summary_op() const { return *parts_.summary_op; }
  Output global_step() const { return *parts_.global_step; }
  const std::string& save_path() const { return save_path_; }  // "": nothing is saved

  // The chief initialises or restores; others wait for that. Then the threads start.
  std::shared_ptr<Session> prepare_or_wait_for_session(const ManagedSessionOptions& options = {});
  // Saves and writes in threads. Throws Misuse for others than the chief.
  std::vector<ThreadRef> start_standard_services(std::shared_ptr<Session> session);
  std::vector<ThreadRef> start_queue_runners(std::shared_ptr<Session> session);
  std::shared_ptr<LooperThread> loop(std::optional<double> interval_secs,
                                     std::function<void()> work);
  // Calls `body` with a session, and stops: what Python's `with sv.managed_session()` is. Throws
  // what the body or a thread failed with, but the end of the input.
  void managed_session(const std::function<void(Session&)>& body,
                       const ManagedSessionOptions& options = {});

  void stop(const std::vector<ThreadRef>& threads = {}, const StopOptions& options = {});
  void request_stop(std::exception_ptr error = nullptr) { coord().request_stop(std::move(error)); }
  bool should_stop() const { return coord().should_stop(); }
  void stop_on_exception(const std::function<void()>& work) { coord().stop_on_exception(work); }
  void wait_for_stop() { coord().wait_for_stop(); }
  // Writes a serialised Summary. Throws Misuse where there is no writer.
  void summary_computed(Session& session, const std::string& summary,
                        std::optional<std::int64_t> global_step = {});

  // What prepare_or_wait_for_session is made of, for faces of other languages.
  void before_session();  // clears an old stop, opens the writer again
  PrepareSessionOptions how_to_prepare(const ManagedSessionOptions& options) const;
  void write_graph();  // graph.pbtxt and the writer's graph, once
  enum class Service { kSummaries, kStepCounter, kCheckpoints };
  // What start_standard_services starts; writes that the session starts.
  std::vector<Service> begin_services(Session& session);
  // One round of each. The counter begins with what `started` says.
  struct StepCount {
    double time = 0;
    std::int64_t step = 0;
  };
  StepCount count_steps(Session& session) const;
  void write_summaries(Session& session);
  void write_steps_per_second(Session& session, StepCount& last);
  void save_checkpoint(Session& session);
  void close_summary_writer();

 private:
  void complete_parts();
  void check_devices() const;
  std::int64_t step_of(Session& session) const;
  ThreadRef start(Service service, const std::shared_ptr<Session>& session);

  SupervisorOptions parts_;
  std::string save_path_;
  BoxedMessage<tensorflow::MetaGraphDef> meta_graph_;
  bool graph_is_written_ = false;
  std::optional<SessionManager> manager_;
  std::vector<ThreadRef> started_;
};

}  // namespace rill::train
