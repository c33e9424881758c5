#include "rill/cluster/step_rendezvous.h"

#include <vector>

#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/request_id.h"
#include "rill/cluster/tensor_message.h"
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
      fetching_.emplace(id, nullptr);
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
  const auto answer = std::make_shared<TensorMessage>();
  const auto read = [answer](google::protobuf::io::ZeroCopyInputStream& bytes) {
    *answer = read_tensor_message(bytes);
    return true;
  };
  const auto end = [self = shared_from_this(), id, answer,
                    done = std::move(done)](const std::optional<Error>& failure) {
    std::exception_ptr error;
    {
      const std::lock_guard lock(self->mutex_);
      self->fetching_.erase(id);
      if (failure) error = self->error_ ? self->error_ : std::make_exception_ptr(*failure);
    }
    done(error, std::move(answer->value), answer->is_dead);
  };
  auto call =
      link->call("/tensorflow.WorkerService/RecvTensor", request, Link::Read(read), {}, end);
  const std::lock_guard lock(mutex_);
  if (const auto it = fetching_.find(id); it != fetching_.end()) {
    if (error_ && call != nullptr) call->cancel();
    it->second = std::move(call);
  }
}

void StepRendezvous::abort(std::exception_ptr error) {
  std::vector<std::shared_ptr<net::PendingCall>> calls;
  {
    const std::lock_guard lock(mutex_);
    if (error_) return;
    error_ = error;
    for (const auto& [id, call] : fetching_)
      if (call != nullptr) calls.push_back(call);
  }
  local_.abort(error);
  for (const auto& call : calls) call->cancel();
}

}  // namespace rill::cluster
