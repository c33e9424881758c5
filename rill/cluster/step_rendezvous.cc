#include "rill/cluster/step_rendezvous.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/piece_fetch.h"
#include "rill/cluster/request_id.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {

void StepRendezvous::connect(std::shared_ptr<const Links> links) {
  const std::lock_guard lock(mutex_);
  links_ = std::move(links);
}

void StepRendezvous::send(const std::string& key, Tensor value, bool is_dead) {
  local_.send(key, std::move(value), is_dead);
}

void StepRendezvous::receive_here(const std::string& key, Receive done) {
  local_.receive(key, std::move(done));
}

void StepRendezvous::receive(const std::string& key, Receive done) {
  std::string task;
  try {  // executors expect errors from `done` alone
    task = task_of_device(key.substr(0, key.find(';')));
  } catch (...) {
    return done(std::current_exception(), Tensor(), false);
  }
  if (task == task_) return local_.receive(key, std::move(done));
  fetch(task, key, std::move(done));
}

void StepRendezvous::fetch(const std::string& task, const std::string& key, Receive done) {
  std::shared_ptr<Link> link;
  std::int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!error_ && links_ != nullptr)
      if (const auto it = links_->find(task); it != links_->end()) link = it->second;
    if (link != nullptr) {
      id = next_fetch_++;
      fetching_[id] = {.awaited = {key, task, monotonic_nanos()}, .link = link};
    }
  }
  if (link == nullptr) {
    const auto unknown = std::make_exception_ptr(
        Error(Code::kInvalidArgument, str_cat("The step's session knows no task ", task)));
    return done(error_ ? error_ : unknown, Tensor(), false);
  }
  auto request = std::make_shared<tensorflow::RecvTensorRequest>();
  request->set_step_id(step_id_);
  request->set_rendezvous_key(key);
  request->set_dma_ok(false);
  request->set_request_id(new_request_id());
  offer_to_take_pieces(*request);
  const auto sink = std::make_shared<TensorSink>();
  const auto answer = std::make_shared<TensorMessage>();
  const auto read = [answer](google::protobuf::io::ZeroCopyInputStream& bytes) {
    *answer = read_tensor_message(bytes);
    return true;
  };
  const auto end = [self = shared_from_this(), id, answer, sink, link,
                    done = std::move(done)](const std::optional<Error>& failure) {
    if (failure) return self->end_fetch(id, failure, {}, done);
    try {
      if (sink->has_begun()) *answer = sink->finish();
    } catch (...) {
      return self->end_fetch(id, current_error(), {}, done);
    }
    self->came(id, link, std::move(*answer), done);
  };
  keep(id, link->call("/tensorflow.WorkerService/RecvTensor", request, Link::Read(read),
                      {.sink = sink}, end));
}

// A large one comes in pieces.
void StepRendezvous::came(std::int64_t id, const std::shared_ptr<Link>& link, TensorMessage message,
                          const Receive& done) {
  if (message.pieces == 0) return end_fetch(id, {}, std::move(message), done);
  const Tensor value = message.value;
  keep(id, fetch_pieces(link, message.pieces, value,
                        [self = shared_from_this(), id, value, done](std::optional<Error> failure) {
                          self->end_fetch(id, failure, {.value = value}, done);
                        }));
}

void StepRendezvous::end_fetch(std::int64_t id, const std::optional<Error>& failure,
                               TensorMessage message, const Receive& done) {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    const auto it = fetching_.find(id);
    if (notes_transfers_ && it != fetching_.end() && !failure) {
      const std::int64_t now = wall_micros();
      const std::int64_t took = (monotonic_nanos() - it->second.awaited.since) / 1000;
      const auto bytes = message.is_dead ? 0 : message.value.byte_size();
      transfers_.push_back(
          {it->second.awaited.key, static_cast<std::int64_t>(bytes), now - took, now});
    }
    if (failure) {
      const bool was_taken_back = it != fetching_.end() && it->second.failure;
      error = error_ ? error_
                     : std::make_exception_ptr(was_taken_back ? *it->second.failure : *failure);
    }
    if (it != fetching_.end()) fetching_.erase(it);
  }
  done(error, std::move(message.value), message.is_dead);
}

// It may have ended already.
void StepRendezvous::keep(std::int64_t id, std::shared_ptr<net::PendingCall> call) {
  if (call == nullptr) return;
  bool is_late = false;
  {
    const std::lock_guard lock(mutex_);
    const auto it = fetching_.find(id);
    if (it == fetching_.end()) return;
    is_late = error_ != nullptr;
    it->second.call = call;
  }
  if (is_late) call->cancel();
}

void StepRendezvous::ask_silent_tasks() {
  constexpr std::int64_t kSilenceNanos = 10'000'000'000, kPatienceMillis = 10'000;
  std::map<std::string, std::shared_ptr<Link>> silent;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t now = monotonic_nanos();
    for (auto& [id, fetch] : fetching_) {
      if (now - std::max(fetch.awaited.since, fetch.asked) < kSilenceNanos) continue;
      fetch.asked = now;
      silent.emplace(fetch.awaited.task, fetch.link);
    }
  }
  for (const auto& [task, link] : silent)
    link->call(
        "/tensorflow.WorkerService/GetStatus", std::make_shared<tensorflow::GetStatusRequest>(),
        std::make_shared<tensorflow::GetStatusResponse>(), {.timeout_ms = kPatienceMillis},
        [self = shared_from_this(), task = task,
         address = link->address()](const std::optional<Error>& error) {
          if (!error ||
              (error->code() != Code::kUnavailable && error->code() != Code::kDeadlineExceeded))
            return;
          self->take_back(task,
                          Error(Code::kUnavailable,
                                str_cat(self->task_, " waits for the task ", task, " at ", address,
                                        ", which does not answer it (", error->message(), ").")));
        });
}

void StepRendezvous::take_back(const std::string& task, const Error& failure) {
  std::vector<std::shared_ptr<net::PendingCall>> calls;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, fetch] : fetching_) {
      if (fetch.awaited.task != task || fetch.asked == 0 || fetch.call == nullptr) continue;
      fetch.failure = failure;
      calls.push_back(fetch.call);
    }
  }
  for (const auto& call : calls) call->cancel();
}

std::vector<Awaited> StepRendezvous::awaited() {
  const std::lock_guard lock(mutex_);
  std::vector<Awaited> all;
  for (const auto& [id, fetch] : fetching_) all.push_back(fetch.awaited);
  return all;
}

void StepRendezvous::note_transfers() {
  const std::lock_guard lock(mutex_);
  notes_transfers_ = true;
}

std::vector<Transfer> StepRendezvous::take_transfers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(transfers_, {});
}

void StepRendezvous::abort(std::exception_ptr error) {
  std::vector<std::shared_ptr<net::PendingCall>> calls;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    for (const auto& [id, fetch] : fetching_)
      if (fetch.call != nullptr) calls.push_back(fetch.call);
  }
  local_.abort(error);
  for (const auto& call : calls) call->cancel();
}

}  // namespace rill::cluster
