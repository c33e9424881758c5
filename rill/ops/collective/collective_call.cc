#include "rill/ops/collective/collective_call.h"

#include <utility>

#include "rill/ops/collective/local_collectives.h"

namespace rill {
namespace {

bool is_of_process(const KernelCall& call) {
  return call.node().attr<std::int64_t>("group_key") == kProcessGroup;
}

// Those of the process, or of the task, where it is one of a cluster; else of the step.
std::shared_ptr<Collectives> collectives_of(const KernelCall& call) {
  if (is_of_process(call))
    if (auto process = process_collectives().collectives) return process;
  if (auto task = call.step().resources->find_as<Collectives>(Collectives::kContainer, "task"))
    return task;
  return call.step().step_resources->find_or_make<Collectives>(
      "", "collectives", [] { return std::make_shared<LocalCollectives>(); });
}

std::string device_of_process(const KernelCall& call) {
  const ProcessCollectives process = process_collectives();
  return process.collectives == nullptr ? call.device().name() : process.device;
}

}  // namespace

CollectiveCall::CollectiveCall(KernelCall& call, Done done)
    : call_(call),
      done_(std::move(done)),
      id_{call.node().attr<std::int64_t>("group_key"),
          call.node().attr<std::int64_t>("group_size")},
      instance_(call.node().attr<std::int64_t>("instance_key")),
      device_(is_of_process(call) ? device_of_process(call) : call.device().name()),
      collectives_(collectives_of(call)) {}

void CollectiveCall::start() {
  const auto self = shared_from_this();
  token_ = call_.step().cancellation->on_cancel([self] { self->cancel(); });
  if (state_ == State::kJoining)
    guarded([&] {
      collectives_->join(id_, device_, [self](std::exception_ptr error, CollectiveGroupRef group) {
        self->joined(error, std::move(group));
      });
    });
  arrive();
}

// A call whose step has ended meanwhile has no part in the group.
void CollectiveCall::joined(std::exception_ptr error, CollectiveGroupRef group) {
  if (error) return fail(error);
  if (state_ != State::kJoining) return;
  try {
    rank_ = group->rank_of(device_);
  } catch (...) {
    return fail(std::current_exception());
  }
  {
    const std::lock_guard lock(mutex_);
    group_ = std::move(group);
  }
  State joining = State::kJoining;
  if (!state_.compare_exchange_strong(joining, State::kRunning)) return;
  guarded([&] { run(); });
}

// Who does not have its group yet ends at once; else what it waits for fails.
void CollectiveCall::cancel() {
  const auto cancelled =
      std::make_exception_ptr(Error(Code::kCancelled, "The collective op was cancelled."));
  State joining = State::kJoining;
  if (state_.compare_exchange_strong(joining, State::kEnded)) {
    error_ = cancelled;
    return arrive();
  }
  if (joining == State::kRunning) abort_group(cancelled);
}

void CollectiveCall::abort_group(std::exception_ptr error) {
  CollectiveGroupRef group;
  {
    const std::lock_guard lock(mutex_);
    group = group_;
  }
  collectives_->end_group(id_.key, group, error);
}

void CollectiveCall::guarded(const std::function<void()>& step) {
  try {
    step();
  } catch (...) {
    fail(std::current_exception());
  }
}

void CollectiveCall::leave_for(int member, const std::string& part, const Tensor& value) {
  group_->exchange->send(group_->key(rank_, member, instance_, part), value, false);
}

void CollectiveCall::take_from(int member, const std::string& part,
                               std::function<void(Tensor)> then) {
  group_->exchange->receive(group_->key(member, rank_, instance_, part),
                            [self = shared_from_this(), then = std::move(then)](
                                std::exception_ptr error, Tensor value, bool) {
                              if (error) return self->fail(error);
                              self->guarded([&] { then(std::move(value)); });
                            });
}

void CollectiveCall::take_from_all(const std::string& part, const Tensor& own, Taken then) {
  struct Awaited {
    std::vector<Tensor> values;
    std::atomic<int> missing;
    Taken then;
  };
  const auto awaited = std::make_shared<Awaited>();
  awaited->values.resize(static_cast<std::size_t>(size()));
  awaited->values[static_cast<std::size_t>(rank_)] = own;
  awaited->missing = size();
  awaited->then = std::move(then);
  const auto one_is_there = [awaited] {
    if (awaited->missing.fetch_sub(1, std::memory_order_acq_rel) == 1)
      awaited->then(std::move(awaited->values));
  };
  for (int i = 0; i < size(); ++i)
    if (i != rank_)
      take_from(i, part, [awaited, one_is_there, i](Tensor value) {
        awaited->values[static_cast<std::size_t>(i)] = std::move(value);
        one_is_there();
      });
  one_is_there();
}

void CollectiveCall::finish(Tensor result) { end(nullptr, std::move(result)); }

// The other members would wait for this one in vain.
void CollectiveCall::fail(std::exception_ptr error) {
  if (state_ != State::kEnded) abort_group(error);
  end(error, Tensor());
}

void CollectiveCall::end(std::exception_ptr error, Tensor result) {
  if (state_.exchange(State::kEnded) == State::kEnded) return;
  error_ = std::move(error);
  result_ = std::move(result);
  arrive();
}

// Whoever comes second, start() or the end, finishes the call.
void CollectiveCall::arrive() {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == 0) return;
  if (token_ != 0) call_.step().cancellation->forget(token_);
  if (!error_) call_.set_output(0, std::move(result_));
  done_(std::exchange(error_, nullptr));
}

}  // namespace rill
