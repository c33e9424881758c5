// How a task runs its parts of steps.
#include <optional>

#include "rill/base/clock.h"
#include "rill/cluster/wire_notes.h"
#include "rill/cluster/worker.h"
#include "rill/runtime/session/config.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

// Values that are asked for under keys, in order.
class Received {
 public:
  Received(StepRendezvous& meeting, const tensorflow::RunGraphRequest& request)
      : state_(std::make_shared<State>()) {
    const auto count = static_cast<std::size_t>(request.recv_key_size());
    state_->missing = count;
    state_->values.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      meeting.receive_here(
          request.recv_key(static_cast<int>(i)),
          [state = state_, i](std::exception_ptr error, Tensor tensor, bool is_dead) {
            const std::lock_guard lock(state->mutex);
            state->values[i] = {std::move(tensor), is_dead, true};
            if (error) state->error = error;
            if (--state->missing == 0) state->changed.notify_all();
          });
  }

  void wait() {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->missing == 0; });
  }

  void write_to(const tensorflow::RunGraphRequest& request,
                tensorflow::RunGraphResponse* response) {
    const std::lock_guard lock(state_->mutex);
    if (state_->error) std::rethrow_exception(state_->error);
    for (std::size_t i = 0; i < state_->values.size(); ++i) {
      const std::string& key = request.recv_key(static_cast<int>(i));
      require(state_->values[i].is_there, "Nothing was sent as ", key);
      require(!state_->values[i].is_dead, "The tensor returned for ", key, " was not valid.");
      tensorflow::NamedTensorProto& value = *response->add_recv();
      value.set_name(key);
      to_proto(state_->values[i].tensor, value.mutable_tensor(), ProtoForm::content);
    }
  }

 private:
  struct Value {
    Tensor tensor;
    bool is_dead = false, is_there = false;
  };
  struct State {
    std::mutex mutex;
    Condition changed;
    std::size_t missing = 0;
    std::vector<Value> values;
    std::exception_ptr error;
  };
  const std::shared_ptr<State> state_;
};

void send_given(const tensorflow::RunGraphRequest& request, StepRendezvous& meeting) {
  for (const auto& sent : request.send())
    meeting.send(sent.name(), from_proto(sent.tensor()), false);
}

bool is_traced(const tensorflow::RunGraphRequest& request) {
  return request.exec_opts().record_timeline() || request.exec_opts().record_costs();
}

}  // namespace

std::shared_ptr<StepRendezvous> Worker::rendezvous(std::int64_t step_id) {
  const std::lock_guard lock(mutex_);
  if (over_.contains(step_id))
    raise(Code::kAborted, "Step ", step_id, " is over on ", options_.task);
  Step& step = steps_[step_id];
  if (step.rendezvous == nullptr) {
    step.rendezvous = std::make_shared<StepRendezvous>(step_id, options_.task);
    step.made_nanos = monotonic_nanos();
  }
  return step.rendezvous;
}

void Worker::run_graph(const RunGraphRequest& request, RunGraphResponse* response,
                       const net::CallLimits& limits, const Done& done) {
  long_calls_.run(
      [this, &request, response, limits, done] { answer_run(request, response, limits, done); });
}

void Worker::answer_run(const RunGraphRequest& request, RunGraphResponse* response,
                        const net::CallLimits& limits, const Done& done) {
  for (const std::int64_t ended : notes(request, Note::kEndedSteps))
    clean_up_step(ended, "The step is over.");
  std::optional<Error> failure;
  try {
    if (request.is_partial())
      run_part(request, response, limits);
    else
      run_once(request, response, limits);
  } catch (...) {
    failure = current_error();
  }
  if (failure && request.store_errors_in_response_body()) {
    response->clear_recv();
    response->set_status_code(static_cast<tensorflow::error::Code>(failure->code()));
    response->set_status_error_message(failure->message());
    failure.reset();
  }
  done(std::move(failure));
}

std::shared_ptr<StepCanceller> Worker::enter_step(const RunGraphRequest& request) {
  const std::int64_t id = request.step_id();
  auto canceller = std::make_shared<StepCanceller>();
  const std::lock_guard lock(mutex_);
  if (over_.contains(id)) raise(Code::kCancelled, "Step ", id, " was given up");
  Step& step = steps_[id];
  step.session = request.session_handle();
  step.runs.push_back(canceller);
  return canceller;
}

void Worker::leave_step(std::int64_t id, const std::shared_ptr<StepCanceller>& canceller) {
  const std::lock_guard lock(mutex_);
  if (const auto it = steps_.find(id); it != steps_.end()) it->second.runs.remove(canceller);
}

void Worker::run_once(const RunGraphRequest& request, RunGraphResponse* response,
                      const net::CallLimits& limits) {
  const std::shared_ptr<WorkerSession> session = this->session(request.session_handle());
  const std::shared_ptr<TaskGraph> graph = session->graph(request.graph_handle());
  const std::int64_t id = request.step_id();
  const std::shared_ptr<StepRendezvous> meeting = rendezvous(id);
  meeting->connect(session->links());
  const bool is_logged = is_traced(request) || logs_.is_on();
  if (is_logged) meeting->note_transfers();
  const auto canceller = enter_step(request);
  std::int64_t watched = 0;
  if (limits.is_gone) watched = watch_.add(limits.is_gone, [this, id] { lose_master(id); });
  const auto leave = [&] {
    if (watched != 0) watch_.forget(watched);
    leave_step(id, canceller);
  };
  StepStats stats;
  try {
    send_given(request, *meeting);
    {
      const StepCanceller::Scope scope(*canceller);
      graph->run(id, *meeting, is_traced(request) ? &stats : nullptr);
    }
    Received(*meeting, request).write_to(request, response);
  } catch (...) {
    meeting->abort(std::current_exception());
    leave();
    throw;
  }
  leave();
  if (!is_logged) return;
  const std::vector<Transfer> transfers = meeting->take_transfers();
  logs_.add(id, transfers);
  if (!is_traced(request)) return;
  tensorflow::RunMetadata metadata;
  to_proto(stats, &metadata);
  *response->mutable_step_stats() = std::move(*metadata.mutable_step_stats());
  write_transfers(transfers, response->mutable_step_stats());
}

// A part that takes feeds and gives fetches in several calls: it runs from the first of them on,
// and the last waits for its end.
void Worker::run_part(const RunGraphRequest& request, RunGraphResponse* response,
                      const net::CallLimits& limits) {
  const std::int64_t id = request.step_id();
  const std::shared_ptr<StepRendezvous> meeting = rendezvous(id);
  const std::shared_ptr<PartialPart> part = begin_part(request, meeting);
  std::int64_t watched = 0;
  if (limits.is_gone) watched = watch_.add(limits.is_gone, [this, id] { lose_master(id); });
  try {
    send_given(request, *meeting);
    try {
      Received received(*meeting, request);
      received.wait();
      received.write_to(request, response);
    } catch (...) {
      meeting->abort(std::current_exception());
      wait_for_end(*part);  // throws what it failed with itself
      throw;
    }
    if (request.is_last_partial_run()) wait_for_end(*part);
  } catch (...) {
    if (watched != 0) watch_.forget(watched);
    throw;
  }
  if (watched != 0) watch_.forget(watched);
}

std::shared_ptr<Worker::PartialPart> Worker::begin_part(
    const RunGraphRequest& request, const std::shared_ptr<StepRendezvous>& meeting) {
  const std::int64_t id = request.step_id();
  auto part = std::make_shared<PartialPart>();
  {
    const std::lock_guard lock(mutex_);
    if (over_.contains(id)) raise(Code::kCancelled, "Step ", id, " was given up");
    auto& known = steps_[id].partial;
    if (known != nullptr) return known;
    known = part;
  }
  const std::shared_ptr<WorkerSession> session = this->session(request.session_handle());
  const std::shared_ptr<TaskGraph> graph = session->graph(request.graph_handle());
  meeting->connect(session->links());
  const auto canceller = enter_step(request);
  threads_.run([this, id, part, meeting, session, graph, canceller] {
    std::exception_ptr error;
    try {
      const StepCanceller::Scope scope(*canceller);
      graph->run(id, *meeting, nullptr);
    } catch (...) {
      error = std::current_exception();
      meeting->abort(error);
    }
    leave_step(id, canceller);
    const std::lock_guard lock(part->mutex);
    part->error = error;
    part->has_ended = true;
    part->changed.notify_all();
  });
  return part;
}

void Worker::wait_for_end(PartialPart& part) {
  std::unique_lock lock(part.mutex);
  part.changed.wait(lock, [&] { return part.has_ended; });
  if (part.error) std::rethrow_exception(part.error);
}

// Other tasks may still have the master, and tell it: what it hears must be what recovery knows.
void Worker::lose_master(std::int64_t step_id) {
  clean_up_step(step_id, "The connection to who asked for the step was lost.", Code::kUnavailable);
}

void Worker::clean_up_step(std::int64_t step_id, const char* why, Code code) {
  Step step;
  {
    const std::lock_guard lock(mutex_);
    over_.add(step_id);
    const auto it = steps_.find(step_id);
    if (it == steps_.end()) return;
    step = std::move(it->second);
    steps_.erase(it);
  }
  if (step.rendezvous != nullptr) step.rendezvous->abort(std::make_exception_ptr(Error(code, why)));
  for (const auto& run : step.runs) run->cancel();
  forget_pieces(step.pieces);
}

}  // namespace rill::cluster
