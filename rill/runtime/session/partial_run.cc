#include "rill/runtime/session/partial_run.h"

#include <algorithm>
#include <shared_mutex>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/kernel/rendezvous_key.h"

namespace rill {

PartialAnnouncement::PartialAnnouncement(std::vector<Output> feeds, std::vector<Output> fetches) {
  for (const Output& feed : feeds) feeds_.push_back({feed});
  for (const Output& fetch : fetches) fetches_.push_back({fetch});
}

bool PartialAnnouncement::is_complete() const {
  return std::ranges::all_of(feeds_, &Announced::came) &&
         std::ranges::all_of(fetches_, &Announced::came);
}

void PartialAnnouncement::mark(std::vector<Announced>& list, std::span<const Output> tensors,
                               bool came) {
  for (const Output& tensor : tensors)
    std::ranges::find(list, tensor, &Announced::tensor)->came = came;
}

void PartialAnnouncement::take(std::span<const Output> feeds, std::span<const Output> fetches) {
  const auto announced = [](std::vector<Announced>& list, const Output& tensor, const char* what,
                            const char* done) {
    const auto it = std::ranges::find(list, tensor, &Announced::tensor);
    require(it != list.end(), "The ", what, " ", tensor,
            " was not specified in partial_run_setup.");
    require(!it->came, "The ", what, " ", tensor, " has already been ", done, ".");
  };
  for (const Output& feed : feeds) announced(feeds_, feed, "feed", "fed");
  for (const Output& fetch : fetches) announced(fetches_, fetch, "fetch", "fetched");
  mark(feeds_, feeds, true);
  try {
    check_computable(fetches);
  } catch (...) {
    mark(feeds_, feeds, false);
    throw;
  }
  mark(fetches_, fetches, true);
}

// Walks back from the fetches; what was not fed yet must not be met.
void PartialAnnouncement::check_computable(std::span<const Output> fetches) const {
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> stack;
  const auto visit = [&](const Output& tensor) {
    const auto fed = std::ranges::find(feeds_, tensor, &Announced::tensor);
    if (fed != feeds_.end()) {
      require(fed->came, "Fetch ", tensor,
              " can't be computed from the feeds that have been fed so far.");
    } else if (tensor.node && seen.insert(tensor.node).second) {
      stack.push_back(tensor.node);
    }
  };
  for (const Output& fetch : fetches) visit(fetch);
  if (stack.empty()) return;
  const std::shared_lock lock(stack.front()->graph().mutex());
  while (!stack.empty()) {
    const Node& node = *stack.back();
    stack.pop_back();
    for (const Output& input : node.inputs()) visit(input);
    for (const Node* control : node.control_inputs())
      if (seen.insert(control).second) stack.push_back(control);
  }
}

PartialRun::PartialRun(std::shared_ptr<Plan> plan, std::string device, std::vector<Output> feeds,
                       std::vector<Output> fetches)
    : plan_(std::move(plan)),
      device_(std::move(device)),
      workspace_(plan_->take_workspace()),
      announced_(std::move(feeds), std::move(fetches)) {}

void PartialRun::start(std::shared_ptr<PartialRun> self, const StepContext& step, ThreadPool& pool,
                       StepThreads& threads, const ExecutorOptions& options) {
  threads.run([self, step = StepContext(step), &pool, &threads,
               options = ExecutorOptions(options)]() mutable {
    step.step_resources = &self->workspace_->step_resources;
    options.client_may_send = true;
    std::exception_ptr error;
    try {
      run_partitions(*self->plan_, *self->workspace_, step, self->rendezvous_, pool, threads, true,
                     options);
    } catch (...) {
      error = std::current_exception();
      self->rendezvous_.abort(error);
    }
    const std::lock_guard lock(self->mutex_);
    self->error_ = error;
    self->running_ = false;
    self->changed_.notify_all();
  });
}

bool PartialRun::ended() {
  const std::lock_guard lock(mutex_);
  return error_ || announced_.is_complete();
}

void PartialRun::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running_; });
  if (error_) std::rethrow_exception(error_);
}

// The client sends and receives on the device where it is, as the _Recv and _Send of the plan say.
std::string PartialRun::key(const Output& tensor) const {
  return rendezvous_key(rendezvous_prefix({{"send_device", device_},
                                           {"send_device_incarnation", kLocalIncarnation},
                                           {"recv_device", device_},
                                           {"tensor_name", tensor.name()}}));
}

std::vector<Tensor> PartialRun::go_on(std::span<const Output> feeds, std::span<const Tensor> values,
                                      std::span<const Output> fetches) {
  {
    const std::lock_guard lock(mutex_);
    announced_.take(feeds, fetches);
  }
  // The caller's storage is borrowed for this call only, the step lives longer.
  for (std::size_t i = 0; i < feeds.size(); ++i)
    rendezvous_.send(key(feeds[i]), values[i].clone(), false);
  return receive(fetches);
}

std::vector<Tensor> PartialRun::receive(std::span<const Output> fetches) {
  struct Received {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t missing;
    std::vector<Tensor> values;
    std::vector<char> dead;
    std::exception_ptr error;
  };
  const auto received = std::make_shared<Received>();
  received->missing = fetches.size();
  received->values.resize(fetches.size());
  received->dead.resize(fetches.size());
  for (std::size_t i = 0; i < fetches.size(); ++i)
    rendezvous_.receive(key(fetches[i]),
                        [received, i](std::exception_ptr error, Tensor value, bool dead) {
                          const std::lock_guard lock(received->mutex);
                          received->values[i] = std::move(value);
                          received->dead[i] = dead;
                          if (error) received->error = error;
                          --received->missing;
                          received->changed.notify_all();
                        });
  {
    std::unique_lock lock(received->mutex);
    received->changed.wait(lock, [&] { return received->missing == 0; });
  }
  if (received->error) {
    wait();  // throws what the step failed with
    std::rethrow_exception(received->error);
  }
  for (std::size_t i = 0; i < fetches.size(); ++i) {
    require(received->dead[i] == 0, "The tensor returned for ", fetches[i], " was not valid.");
    Tensor& value = received->values[i];
    if (!value.is_exclusive()) value = value.clone();  // fetched values never alias state
  }
  return std::move(received->values);
}

std::string PartialRuns::add(std::shared_ptr<PartialRun> run, std::span<const Output> feeds,
                             std::span<const Output> fetches, std::span<Node* const> targets) {
  std::vector<std::string> names[3];
  for (const Output& feed : feeds) names[0].push_back(feed.name());
  for (const Output& fetch : fetches) names[1].push_back(fetch.name());
  for (const Node* target : targets) names[2].push_back(target->name());
  const std::lock_guard lock(mutex_);
  const std::string handle = str_cat(join(names[0], ","), "->", join(names[1], ","), "/",
                                     join(names[2], ","), "/1/;", next_++);
  runs_.emplace(handle, std::move(run));
  return handle;
}

std::vector<Tensor> PartialRuns::go_on(const std::string& handle, std::span<const Output> feeds,
                                       std::span<const Tensor> values,
                                       std::span<const Output> fetches) {
  std::shared_ptr<PartialRun> run;
  {
    const std::lock_guard lock(mutex_);
    const auto it = runs_.find(handle);
    require(it != runs_.end(), "Must run 'setup' before performing partial runs!");
    run = it->second;
  }
  const auto forget_ended = [&] {
    if (!run->ended()) return false;
    const std::lock_guard lock(mutex_);
    runs_.erase(handle);
    return true;
  };
  try {
    auto results = run->go_on(feeds, values, fetches);
    if (forget_ended()) run->wait();
    return results;
  } catch (...) {
    forget_ended();
    throw;
  }
}

void PartialRuns::cancel() {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, run] : runs_) run->cancel();
  runs_.clear();
}

}  // namespace rill
