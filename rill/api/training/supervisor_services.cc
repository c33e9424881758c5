#include <cmath>

#include "rill/api/logging/tf_logging.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/supervisor.h"
#include "rill/base/clock.h"
#include "tensorflow/core/framework/summary.pb.h"
#include "tensorflow/core/util/event.pb.h"

// What the chief's supervisor does beside the training: summaries, speed, checkpoints.
namespace rill::train {
namespace {

double monotonic_seconds() { return static_cast<double>(monotonic_nanos()) * 1e-9; }

tensorflow::SessionLog session_log(tensorflow::SessionLog::SessionStatus status) {
  tensorflow::SessionLog log;
  log.set_status(status);
  return log;
}

}  // namespace

std::int64_t Supervisor::step_of(Session& session) const {
  return read_step(session, *parts_.global_step);
}

std::vector<Supervisor::Service> Supervisor::begin_services(Session& session) {
  if (!is_chief())
    misuse(Code::kFailedPrecondition, "Only chief supervisor can start standard services. ",
           "Because only chief supervisors can write events.");
  if (parts_.logdir.empty()) {
    logging::warning("Standard services need a 'logdir' passed to the SessionManager");
    return {};
  }
  const bool counts = static_cast<bool>(global_step().node);
  if (counts && summary_writer() != nullptr)
    summary_writer()->add_session_log(session_log(tensorflow::SessionLog::START), step_of(session));
  std::vector<Service> services;
  if (parts_.save_summaries_secs > 0 && summary_writer() != nullptr) {
    if (summary_op().node) services.push_back(Service::kSummaries);
    if (counts) services.push_back(Service::kStepCounter);
  }
  if (parts_.save && parts_.save_model_secs > 0) services.push_back(Service::kCheckpoints);
  return services;
}

ThreadRef Supervisor::start(Service service, const std::shared_ptr<Session>& session) {
  std::function<void()> round;
  switch (service) {
    case Service::kSummaries:
      round = [this, session] { write_summaries(*session); };
      break;
    case Service::kStepCounter:
      round = [this, session, last = count_steps(*session)]() mutable {
        write_steps_per_second(*session, last);
      };
      break;
    case Service::kCheckpoints:
      round = [this, session] { save_checkpoint(*session); };
      break;
  }
  return loop(
      service == Service::kCheckpoints ? parts_.save_model_secs : parts_.save_summaries_secs,
      std::move(round));
}

std::shared_ptr<LooperThread> Supervisor::loop(std::optional<double> interval_secs,
                                               std::function<void()> work) {
  auto looper = LooperThread::loop(coord(), interval_secs, std::move(work));
  started_.push_back(looper);
  return looper;
}

std::vector<ThreadRef> Supervisor::start_standard_services(std::shared_ptr<Session> session) {
  std::vector<ThreadRef> threads;
  for (const Service service : begin_services(*session)) threads.push_back(start(service, session));
  return threads;
}

std::vector<ThreadRef> Supervisor::start_queue_runners(std::shared_ptr<Session> session) {
  std::vector<ThreadRef> threads = session_face().start_queue_runners(*session, coord());
  started_.insert(started_.end(), threads.begin(), threads.end());
  return threads;
}

void Supervisor::write_summaries(Session& session) {
  std::vector<Output> fetches{summary_op()};
  if (global_step().node) fetches.push_back(global_step());
  const std::vector<Tensor> values = session.run(fetches);
  if (summary_writer() == nullptr) return;
  summaries::FileWriter::GlobalStep step;
  if (global_step().node) step = train::step_of(values[1]);
  logging::info("Recording summary at step ", step ? str_cat(*step) : "None", ".");
  summary_writer()->add_summary(values[0].data<std::string>()[0], step);
}

Supervisor::StepCount Supervisor::count_steps(Session& session) const {
  return {.time = monotonic_seconds(), .step = step_of(session)};
}

void Supervisor::write_steps_per_second(Session& session, StepCount& last) {
  const StepCount current = count_steps(session);
  const double elapsed = current.time - last.time;
  const double speed = elapsed > 0 ? static_cast<double>(current.step - last.step) / elapsed
                                   : std::numeric_limits<double>::infinity();
  last = current;
  const std::string tag = parts_.global_step_name + "/sec";
  tensorflow::Summary summary;
  auto* value = summary.add_value();
  value->set_tag(tag);
  value->set_simple_value(static_cast<float>(speed));
  if (summary_writer() != nullptr) summary_writer()->add_summary(summary, current.step);
  logging::info(tag, ": ", speed);
}

void Supervisor::save_checkpoint(Session& session) {
  logging::info("Saving checkpoint to path ", save_path_);
  std::optional<std::int64_t> step;
  if (global_step().node) step = step_of(session);
  parts_.save(session, save_path_, step);
  if (summary_writer() == nullptr || !step) return;
  auto log = session_log(tensorflow::SessionLog::CHECKPOINT);
  log.set_checkpoint_path(save_path_);
  summary_writer()->add_session_log(log, step_of(session));
}

void Supervisor::summary_computed(Session& session, const std::string& summary,
                                  std::optional<std::int64_t> step) {
  if (summary_writer() == nullptr)
    misuse(Code::kFailedPrecondition, "Writing a summary requires a summary writer.");
  if (!step && global_step().node) step = step_of(session);
  summary_writer()->add_summary(summary, step);
}

void Supervisor::close_summary_writer() {
  if (summary_writer() == nullptr) return;
  summary_writer()->add_session_log(session_log(tensorflow::SessionLog::STOP));
  summary_writer()->close();
  graph_is_written_ = false;
}

}  // namespace rill::train
