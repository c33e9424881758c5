#include "tests/simulation/training.h"

#include <algorithm>
#include <cstdlib>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/host_function.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/variables/variable.h"
#include "rill/base/clock.h"
#include "rill/base/simulated_disk.h"

namespace rill {
namespace {

constexpr const char* kFolder = "simulated://run";
constexpr double kSecond = 1e9;
// A step that a fault hits is over by then: twice twenty seconds until a silent task is given up,
// and five until the master is told that the session is not wanted any more.
constexpr std::int64_t kStepBound = 50'000'000'000;
// From the last repair to the end of the training: sessions are found to be lost, opened anew, and
// workers look every thirty seconds whether the chief has done its part.
constexpr std::int64_t kEndBound = 400'000'000'000;
// Sessions that nobody uses any more are forgotten by then.
constexpr std::int64_t kForgottenBound = 2 * 3'600'000'000'000;

class KeptGraphs final : public SimulatedThreads::Local {
 public:
  void swap() override { defaults_.swap(); }

 private:
  KeptDefaults defaults_;
};

cluster::Weather weather(SimulatedThreads& threads) {
  cluster::Weather weather;
  weather.slow = threads.happens(0.3) ? 0.05 : 0.005;
  weather.broken = threads.happens(0.2) ? 0.002 : 0;
  return weather;
}

// Functions of a graph are kept for good, so they find what runs now.
struct Applied {
  Ledger* ledger = nullptr;
  std::function<bool()> counts;  // the process that asks lives
};
Applied& applied() {
  static Applied now;
  return now;
}

}  // namespace

struct Training::Model {
  std::vector<Output> values;  // of both servers
  Output step, run;
  Node* train = nullptr;
};

// Writes down when runs begin and end, in which session.
class Training::Recorder final : public train::SessionRunHook, public train::SessionCreator {
 public:
  Recorder(Training& training, std::string task, train::SessionCreatorRef creator, Model model)
      : training_(training),
        task_(std::move(task)),
        creator_(std::move(creator)),
        model_(std::move(model)) {}

  std::shared_ptr<Session> create_session() override {
    if (training_.has_died()) raise(Code::kCancelled, "The process has ended");
    check_time();
    began_ = 0;
    if (++sessions_ > 1) ++training_.outcome_.recoveries;
    return creator_->create_session();
  }

  // The checkpoint that it goes on from is the last one.
  void after_create_session(Session& session, train::Coordinator&) override {
    if (training_.plan_.workers > 1 || task_ != "worker0") return;
    const auto step =
        session.run(std::vector<Fetch>{model_.step}).at(0).scalar_value<std::int64_t>();
    if (step < training_.saved_step_)
      training_.problem(
          str_cat("restored step ", step, " where ", training_.saved_step_, " was saved"));
  }

  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override {
    began_ = monotonic_nanos();
    run_ = training_.ledger_.begin();
    train::SessionRunArgs args;
    args.feed_dict.push_back({model_.run, Tensor::scalar<std::int64_t>(run_)});
    return args;
  }

  void after_run(train::SessionRunContext&, const train::SessionRunValues&) override {
    check_time();
    began_ = 0;
    training_.ledger_.succeeded(run_);
  }

 private:
  void check_time() {
    if (began_ == 0 || training_.has_died()) return;
    const std::int64_t took = monotonic_nanos() - began_;
    // While the process itself stood still no clock of its own did anything.
    if (training_.busy_until_[task_] > began_) return;
    if (took > kStepBound)
      training_.problem(str_cat("a step of ", task_, " took ", took / 1e9, " s"));
  }

  Training& training_;
  const std::string task_;
  const train::SessionCreatorRef creator_;
  const Model model_;
  std::int64_t began_ = 0, run_ = 0;
  int sessions_ = 0;
};

// Saves as CheckpointSaverHook does, without the threads that write summaries.
class Training::Saving final : public train::SessionRunHook {
 public:
  Saving(Training& training, train::ScaffoldRef scaffold, Output step)
      : training_(training), scaffold_(std::move(scaffold)), step_(step) {}

  void after_create_session(Session& session, train::Coordinator&) override { save(session); }
  void after_run(train::SessionRunContext& context, const train::SessionRunValues&) override {
    const std::int64_t step = read(context.session());
    if (step >= saved_ + training_.plan_.save_every) save(context.session());
  }
  void end(Session& session) override { save(session); }

 private:
  std::int64_t read(Session& session) {
    return session.run(std::vector<Fetch>{step_}).at(0).scalar_value<std::int64_t>();
  }
  void save(Session& session) {
    saved_ = read(session);
    scaffold_->saver()->save(session, str_cat(kFolder, "/model"),
                             {.global_step = saved_, .write_meta_graph = false});
    if (!training_.has_died()) training_.saved_step_ = saved_;
  }

  Training& training_;
  const train::ScaffoldRef scaffold_;
  const Output step_;
  std::int64_t saved_ = 0;
};

Training::Training(std::uint64_t seed, const TrainingPlan& plan)
    : plan_(plan),
      threads_(seed),
      network_(threads_, weather(threads_)),
      cluster_(network_, {{"ps", plan.parameter_servers}, {"worker", plan.workers}}) {
  threads_.give_each_thread([] { return std::make_unique<KeptGraphs>(); });
  SimulatedDisk& disk = SimulatedDisk::at("simulated");
  disk.format();
  disk.make_directory("simulated://");
  disk.make_directory(kFolder);
  applied() = {&ledger_, [this] { return !has_died(); }};
  if (plan_.plant) plan_.plant(network_.planted);
}

bool Training::has_died() const { return network_.has_ended(threads_.process()); }

void Training::problem(const std::string& what) {
  if (!outcome_.problem.empty()) return;
  outcome_.problem = str_cat("at ", threads_.now_nanos() / kSecond, " s: ", what);
}

void Training::tell(const std::string& what) {
  outcome_.story += str_cat(threads_.now_nanos() / kSecond, " s: ", what, "\n");
}

// --- the programs --------------------------------------------------------------------------------

void Training::start_task(const std::string& task) {
  if (is_over_) return;
  const auto process = cluster_.start(task);
  busy_until_[task] = threads_.now_nanos();
  if (task.starts_with("worker") && !finished_.contains(task))
    threads_.start_in(process, [this, task] { program(task); });
}

void Training::program(const std::string& task) {
  pause_for(std::chrono::milliseconds(1));  // the server starts
  try {
    train(task);
    if (has_died()) return;
    tell(task + " has finished");
    finished_.insert(task);
  } catch (const Error& error) {
    if (has_died() || is_over_) return;
    // What hooks fail with at the end is the program's end; whoever started it starts it again.
    if (error.code() != Code::kAborted && error.code() != Code::kUnavailable)
      return problem(str_cat("the program of ", task, " failed: ", error.message()));
    tell(str_cat("the program of ", task, " is started again: ", error.message()));
    ++outcome_.recoveries;
    ++restarts_;
    threads_.start_in(threads_.process(), [this, task] { program(task); });
  }
}

Training::Model Training::build() {
  Model model;
  model.run = placeholder(DType::i64, {}, {.name = "run"});
  Dependencies applied_parts;
  for (int i = 0; i < plan_.parameter_servers; ++i) {
    const std::string server = str_cat("ps", i);
    const DeviceScope on_server(str_cat("/job:ps/task:", i));
    const Variable value(constant(0.0f), {.name = str_cat("value", i)});
    Node& more = value.assign_add_op(1.0f, {.use_locking = true});
    const ControlDependencies after({more});
    const auto note = [server](const std::vector<Tensor>& run) -> std::vector<Tensor> {
      if (applied().counts())
        applied().ledger->applied(server, run.at(0).scalar_value<std::int64_t>());
      return {run.at(0)};
    };
    applied_parts.push_back(host_function(note, {model.run}, {DType::i64}).at(0).node);
    model.values.push_back(value.value());
  }
  const DeviceScope on_server("/job:ps/task:0");
  const Variable step = train::get_or_create_global_step();
  const ControlDependencies after(applied_parts);
  model.train = &step.assign_add_op(Tensor::scalar<std::int64_t>(1), {.use_locking = true});
  model.step = step.value();
  return model;
}

void Training::train(const std::string& task) {
  const AsDefault graph(make_graph());
  const Model model = build();
  const auto scaffold = std::make_shared<train::Scaffold>();
  const bool is_chief = task == "worker0";
  auto parts =
      train::training_session_parts({.master = cluster::SimulatedCluster::target(task),
                                     .is_chief = is_chief,
                                     .checkpoint_dir = plan_.forgets_to_restore ? "" : kFolder,
                                     .scaffold = scaffold,
                                     .save_checkpoint_steps = 0,
                                     .save_summaries_steps = 0,
                                     .log_step_count_steps = 0});
  const auto recorder = std::make_shared<Recorder>(*this, task, parts.session_creator, model);
  parts.session_creator = recorder;
  parts.hooks.insert(parts.hooks.begin(), recorder);
  if (is_chief) parts.hooks.push_back(std::make_shared<Saving>(*this, scaffold, model.step));
  parts.hooks.push_back(train::make_hook<train::StopAtStepHook>({.last_step = plan_.last_step}));
  train::MonitoredSession session(parts);
  std::vector<Tensor> last;
  session.run_until_stop([&](train::MonitoredSession& running) {
    pause_for(std::chrono::nanoseconds(nanos(0.01, 1)));
    last = running.run_fetches({*model.train}, {});
  });
}

// --- chance --------------------------------------------------------------------------------------

std::int64_t Training::nanos(double least_seconds, double most_seconds) {
  const double part = static_cast<double>(threads_.below(1'000'000)) / 1e6;
  return static_cast<std::int64_t>((least_seconds + part * (most_seconds - least_seconds)) *
                                   kSecond);
}

// How long something is out of order: mostly shorter than a step takes to notice.
std::int64_t Training::trouble() { return threads_.happens(0.3) ? nanos(40, 100) : nanos(0.1, 40); }

std::string Training::any_task() {
  const auto all = cluster_.tasks();
  return all[threads_.below(all.size())];
}

void Training::happen() {
  const int count = plan_.faults == 0 ? 0 : static_cast<int>(threads_.below(plan_.faults + 1));
  for (int i = 0; i < count; ++i) {
    pause_for(std::chrono::nanoseconds(nanos(0, 6)));
    if (!finished_.empty()) break;  // servers are not needed any more
    one_fault();
    ++outcome_.faults;
  }
  pause_for(std::chrono::seconds(105));
  repair();
}

void Training::one_fault() {
  switch (threads_.below(plan_.with_visitors ? 8 : 7)) {
    case 0:
    case 1:
    case 2:
      return crash_one();
    case 3:
      return pause_one();
    case 4:
    case 5:
      return cut_two();
    case 6:
      return break_two();
    default:
      return visit();
  }
}

void Training::crash_one() {
  const std::string task = any_task();
  if (!cluster_.is_up(task)) return;
  const bool silently = threads_.happens(0.3);
  tell(str_cat(task, silently ? " vanishes" : " is killed"));
  cluster_.crash(task, silently);
  threads_.start_at(threads_.now_nanos() + trouble(), 0, [this, task] {
    if (cluster_.is_up(task)) return;
    tell(task + " is started again");
    start_task(task);
  });
}

void Training::pause_one() {
  const std::string task = any_task();
  if (!cluster_.is_up(task)) return;
  const auto process = cluster_.process(task);
  const std::int64_t time = trouble();
  tell(str_cat(task, " stands still for ", time / kSecond, " s"));
  threads_.pause(process);
  busy_until_[task] = threads_.now_nanos() + time;
  threads_.start_at(threads_.now_nanos() + time, 0, [this, process] { threads_.resume(process); });
}

void Training::cut_two() {
  const std::string from = any_task(), to = any_task();
  if (from == to) return;
  const bool both = threads_.happens(0.5);
  const std::int64_t time = trouble();
  tell(str_cat(from, both ? " and " : " to ", to, " are cut for ", time / kSecond, " s"));
  network_.cut(from, to);
  if (both) network_.cut(to, from);
  threads_.start_at(threads_.now_nanos() + time, 0, [this] { network_.heal(); });
}

void Training::break_two() {
  const std::string from = any_task(), to = any_task();
  tell(str_cat("connections of ", from, " and ", to, " break"));
  network_.break_connections(from, to);
}

Output Training::what_never_comes() {
  const DeviceScope on_server("/job:ps/task:0");
  const AttrValue types = std::vector<DType>{DType::f32};
  Node& queue = current_scope().add(
      "FIFOQueueV2", {},
      {{"component_types", types}, {"shared_name", std::string("nobody fills this")}});
  return current_scope()
      .add("QueueDequeueV2", {InputArg(Input(queue.output()))}, {{"component_types", types}})
      .output();
}

// A client from elsewhere opens a session and waits for what nobody puts into a queue; then its
// machine is gone.
void Training::visit() {
  const std::string task = any_task();
  if (!cluster_.is_up(task)) return;
  tell("a visitor comes to " + task);
  const auto process = cluster_.start_client(str_cat("visitor", outcome_.faults));
  const std::int64_t leaves = threads_.now_nanos() + nanos(0.5, 20);
  const bool silently = threads_.happens(0.5);
  threads_.start_at(leaves, 0, [this, process, silently] { network_.end(process, silently); });
  threads_.start_in(process, [task] {
    const AsDefault in_graph(make_graph());
    const Output never = what_never_comes();
    try {
      Session session({.target = cluster::SimulatedCluster::target(task)});
      session.run(std::vector<Fetch>{never});
    } catch (const Error&) {  // it has left, or what it wanted was lost
    }
  });
}

void Training::repair() {
  tell("all is repaired");
  network_.heal();
  for (const std::string& task : cluster_.tasks()) {
    if (!cluster_.is_up(task)) {
      start_task(task);
      continue;
    }
    threads_.resume(cluster_.process(task));
  }
  is_repaired_ = true;
  repaired_nanos_ = threads_.now_nanos();
}

// --- the run -------------------------------------------------------------------------------------

TrainingOutcome Training::run() {
  setenv("RILL_CLUSTER_IDLE_SECONDS", "3600", 1);
  for (const std::string& task : cluster_.tasks()) start_task(task);
  threads_.start_at(1'000'000'000, 0, [this] { happen(); });
  const auto all_finished = [&] {
    return static_cast<int>(finished_.size()) == plan_.workers && is_repaired_;
  };
  while (outcome_.problem.empty() && !all_finished()) {
    threads_.run(threads_.now_nanos() + 1'000'000'000);
    threads_.start_at(threads_.now_nanos() + 1'000'000'000, 0, [] {});  // time goes on
    if (is_repaired_ && threads_.now_nanos() > repaired_nanos_ + kEndBound)
      problem(
          str_cat("the training has not ended ", kEndBound / kSecond, " s after all was repaired"));
  }
  if (outcome_.problem.empty()) check_end();
  is_over_ = true;
  if (!outcome_.problem.empty()) {  // objects end in their own processes
    cluster_.stop_all();
    threads_.run(threads_.now_nanos() + kForgottenBound);
  }
  outcome_.trace = threads_.trace();
  outcome_.runs = ledger_.runs();
  outcome_.turns = threads_.turns();
  outcome_.messages = network_.messages();
  outcome_.simulated_seconds = threads_.now_nanos() / kSecond;
  return std::move(outcome_);
}

// After a while nothing is left of it but the tasks, and when those end, nothing at all.
void Training::check_end() {
  std::set<std::string> servers;
  for (int i = 0; i < plan_.parameter_servers; ++i) servers.insert(str_cat("ps", i));
  if (const std::string wrong = ledger_.check(servers); !wrong.empty()) return problem(wrong);
  if (plan_.workers == 1) {
    const auto process = cluster_.start_client("checker");
    threads_.start_in(process, [this] { read_values(); });
  }
  threads_.run(threads_.now_nanos() + kForgottenBound);
  if (const std::string kept = cluster_.kept(); !kept.empty()) problem("what is left: " + kept);
  if (network_.calls_under_way() > 0)
    problem(str_cat(network_.calls_under_way(), " calls are left"));
  cluster_.stop_all();
  threads_.run(threads_.now_nanos() + kForgottenBound);
  if (threads_.thread_count() > 0) problem(str_cat(threads_.thread_count(), " threads are left"));
}

// The network may still lose something.
void Training::read_values() {
  const AsDefault in_graph(make_graph());
  const Model model = build();
  std::vector<Fetch> wanted(model.values.begin(), model.values.end());
  wanted.emplace_back(model.step);
  std::string why;
  for (int attempt = 0; attempt < 10; ++attempt) {
    try {
      Session session({.target = cluster::SimulatedCluster::target("ps0")});
      return check_values(session.run_fetches(wanted, {}));
    } catch (const Error& error) {
      why = error.message();
    }
  }
  problem(str_cat("the values cannot be read: ", why));
}

void Training::check_values(const std::vector<Tensor>& values) {
  const auto step = values.back().scalar_value<std::int64_t>();
  // A program that is started again at its end takes one step more, as StopAtStepHook has it.
  if (step < plan_.last_step || step > plan_.last_step + restarts_)
    problem(str_cat("the training ended at step ", step));
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    if (const float value = values[i].scalar_value<float>(); value != static_cast<float>(step))
      problem(str_cat("value", i, " is ", value, " after ", step, " steps"));
}

TrainingOutcome simulate_training(std::uint64_t seed, const TrainingPlan& plan) {
  return Training(seed, plan).run();
}

}  // namespace rill
