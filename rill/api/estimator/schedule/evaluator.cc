#include "rill/api/estimator/schedule/evaluator.h"

#include <charconv>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/train/misuse.h"
#include "rill/api/train/server.h"
#include "rill/base/blocking.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::estimator {
namespace {

constexpr double kWarnEverySecs = 600;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Of "model.ckpt-17"; 0 for other names.
std::int64_t step_of_path(std::string_view path) {
  const std::string_view digits = path.substr(path.rfind('-') + 1);
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  return error == std::errc() && end == digits.data() + digits.size() ? step : 0;
}

void sleep_here(double secs) {
  const Blocking waiting;
  std::this_thread::sleep_for(std::chrono::duration<double>(secs));
}

}  // namespace

bool Evaluator::is_at_end() const {
  return step_ && evaluation_.max_steps && *step_ >= *evaluation_.max_steps;
}

void Evaluator::warn(const char* text) {
  if (warned_at_ != 0 && now() - warned_at_ <= kWarnEverySecs) return;
  logging::warning(text);
  warned_at_ = now();
}

EvalStatus Evaluator::evaluate_and_export() {
  const auto latest = evaluation_.latest_checkpoint();
  if (!latest) {
    warn("Estimator is not trained yet. Will start an evaluation when a checkpoint is ready.");
    return EvalStatus::kMissingCheckpoint;
  }
  if (*latest == previous_) {
    warn(
        "No new checkpoint ready for evaluation. Skip the current evaluation pass as evaluation "
        "results are expected to be same for the same checkpoint.");
    return EvalStatus::kNoNewCheckpoint;
  }
  step_ = evaluation_.evaluate(*latest);
  evaluation_.export_models(*latest, is_at_end());
  if (evaluation_.unfinished) evaluation_.unfinished->set_evaluated_step(*step_);
  warned_at_ = 0;
  previous_ = *latest;
  return EvalStatus::kEvaluated;
}

void Evaluator::make_up_for(std::int64_t step) {
  const auto& unfinished = evaluation_.unfinished;
  if (!unfinished || !unfinished->is_resumed() || step == 0) return;
  if (unfinished->evaluated_step().value_or(0) >= step) return;
  begin_again(step);
  evaluate_and_export();
}

void Evaluator::make_up_for_latest() {
  const auto& unfinished = evaluation_.unfinished;
  if (!unfinished || !unfinished->is_resumed() || step_) return;
  const auto latest = evaluation_.latest_checkpoint();
  if (!latest) return;
  const std::int64_t step = step_of_path(*latest);
  if (unfinished->evaluated_step().value_or(-1) < step) return make_up_for(step);
  begin_again(step);  // whoever was killed took the result along
  step_ = evaluation_.evaluate(*latest);
}

void Evaluator::begin_again(std::int64_t step) {
  if (evaluation_.begin_again) evaluation_.begin_again(step);
}

void mark_restart(const std::string& directory, std::int64_t step) {
  tensorflow::SessionLog start;
  start.set_status(tensorflow::SessionLog::START);
  summaries::FileWriterCache::get(directory)->add_session_log(start, step);
}

void NewCheckpointListener::begin() {
  timer_ = std::make_shared<train::SecondOrStepTimer>(
      train::SecondOrStepTimerOptions{.every_secs = throttle_secs_});
  is_first_ = true;
}

void NewCheckpointListener::evaluate(std::int64_t global_step) {
  timer_->update_last_triggered_step(global_step);
  if (evaluator_->evaluate_and_export() != EvalStatus::kEvaluated)
    train::misuse(Code::kFailedPrecondition, "There was no new checkpoint after the training.");
}

bool NewCheckpointListener::after_saved(std::int64_t global_step) {
  if (std::exchange(is_first_, false)) {
    evaluator_->make_up_for(global_step);
    return false;
  }
  if (timer_->should_trigger_for_step(global_step))
    evaluate(global_step);
  else
    logging::info("Skip the current checkpoint eval due to throttle secs (", throttle_secs_,
                  " secs).");
  return false;
}

void NewCheckpointListener::ended(std::int64_t global_step) {
  if (timer_->last_triggered_step() != global_step) evaluate(global_step);
}

void evaluate_continuously(Evaluator& evaluator, const ContinuousOptions& options) {
  const auto sleep = options.sleep ? options.sleep : sleep_here;
  if (options.start_delay_secs > 0) {
    logging::info("Waiting ", options.start_delay_secs, " secs before starting eval.");
    sleep(options.start_delay_secs);
  }
  while (!evaluator.is_at_end()) {
    const double began = now();
    const EvalStatus status = evaluator.evaluate_and_export();
    const double left = options.throttle_secs - (now() - began);
    if (left > 0) {
      logging::info("Waiting ", left, " secs before starting next eval run.");
      sleep(left);
    } else if (options.throttle_secs == 0 && status != EvalStatus::kEvaluated) {
      logging::warning(
          "EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) "
          "new checkpoint. Please consider to increase it.");
    }
  }
  logging::info("Exiting evaluation: the last checkpoint of training was evaluated.");
}

Role role_of(const TaskConfig& config) {
  const std::string& task = config.task_type;
  if (config.cluster_spec.empty() && task != TaskType::EVALUATOR) return Role::kLocal;
  require(!task.empty(),
          "`estimator.config` must have task_type set. This usually means TF_CONFIG environment is "
          "not set correctly.");
  require(task != "local",
          "`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and `task` properties in "
          "TF_CONFIG absent triggers train and evaluate `Estimator` locally (non-distributed).");
  if (task == TaskType::EVALUATOR) {
    require(config.task_id == 0,
            "For distributed training, there can only be one `evaluator` task (with task id 0).  "
            "Given task id ",
            config.task_id);
    return Role::kEvaluator;
  }
  constexpr std::pair<const char*, Role> kRoles[] = {{TaskType::CHIEF, Role::kChief},
                                                     {TaskType::MASTER, Role::kMaster},
                                                     {TaskType::WORKER, Role::kWorker},
                                                     {TaskType::PS, Role::kPs}};
  for (const auto& [name, role] : kRoles)
    if (task == name) return role;
  raise(Code::kInvalidArgument, "Task type ", task,
        " is not supported. Supported task types are ['chief', 'evaluator', 'master', 'ps', "
        "'worker']");
}

void start_server(const TaskConfig& config) {
  const bool trains = config.task_type != TaskType::PS;
  const bool alone =
      config.cluster_spec.size() == 1 && config.cluster_spec.begin()->second.size() == 1;
  if (trains && alone) {
    logging::info("Skip starting Tensorflow server as there is only one node in the cluster.");
    return;
  }
  // Other tasks may ask for what it holds as long as the process lives.
  static auto& servers = *new std::vector<std::unique_ptr<train::Server>>;
  static auto& mutex = *new std::mutex;
  auto server = std::make_unique<train::Server>(
      config.cluster_spec, train::ServerOptions{.job_name = config.task_type,
                                                .task_index = static_cast<int>(config.task_id)});
  train::Server& running = *server;
  {
    const std::lock_guard lock(mutex);
    servers.push_back(std::move(server));
  }
  if (!trains) running.join();
}

}  // namespace rill::estimator
