#include "rill/ops/data/iterator/iterator_resource.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"
#include "rill/base/process_figures.h"
#include "rill/ops/data/core/asserted_stages.h"

namespace rill {
IteratorResource::~IteratorResource() { stop(); }

void IteratorResource::stop() {
  std::shared_ptr<Walk> walk;
  {
    const std::lock_guard lock(mutex_);
    walk = walk_;
  }
  if (walk != nullptr) walk->pipeline->stop();
}

std::shared_ptr<IteratorResource::Walk> IteratorResource::new_walk(const DatasetRef& dataset,
                                                                   StepContext& step) {
  auto pipeline = std::make_shared<Pipeline>(make_background_calls(step));
  auto iterator = dataset->iterate(pipeline);
  return std::make_shared<Walk>(Walk{dataset, std::move(pipeline), std::move(iterator)});
}

void IteratorResource::replace(std::shared_ptr<Walk> walk) {
  change([&] {
    walk_.swap(walk);
    ready_.clear();
  });
  if (walk != nullptr) walk->pipeline->stop();
}

void IteratorResource::start(const DatasetRef& dataset, StepContext& step) {
  check_fits(spec_, dataset->spec());
  check_asserted_stages(dataset);
  replace(new_walk(dataset, step));
}

void IteratorResource::start_once(FunctionRef<DatasetRef()> make, StepContext& step) {
  const std::lock_guard once(starting_);
  {
    const std::lock_guard lock(mutex_);
    if (walk_ != nullptr) return;
  }
  start(make(), step);
}

NextElement IteratorResource::take(Walk& walk) {
  NextElement result;
  try {
    result.ended = !walk.iterator->next(result.element);
  } catch (...) {
    result.error = std::make_exception_ptr(current_error());
  }
  return result;
}

void IteratorResource::next(KernelCall& call, Done done, Deliver deliver) {
  std::shared_ptr<Walk> walk;
  {
    const std::lock_guard lock(mutex_);
    if (walk_ == nullptr)
      raise(Code::kFailedPrecondition,
            "GetNext() failed because the iterator has not been initialized. Ensure that you have "
            "run the initializer operation for this iterator before getting the next element.");
    const bool at_once = !working_ && ready_.empty() && !walk_->iterator->would_wait();
    if (at_once) {
      walk = walk_;
      working_ = true;
    }
  }
  if (walk != nullptr) {
    const std::int64_t begin = monotonic_nanos();
    NextElement result = take(*walk);
    process_figures().input_waits.add(monotonic_nanos() - begin);
    change([this] {
      working_ = false;
      rested_.notify_all();
    });
    if (!result.error) deliver(call, result.element, result.ended);
    return done(result.error);
  }
  auto request = std::make_shared<ElementRequest>(call, std::move(done), deliver);
  wait(request, [&] { line_.push_back(request); });
}

void IteratorResource::serve() {
  while (!line_.empty() && !ready_.empty()) {
    NextElement result = std::move(ready_.front());
    ready_.pop_front();
    const std::shared_ptr<ElementRequest> request = std::move(line_.front());
    line_.pop_front();
    request->take(result);
    end(request, result.error);
  }
  if (line_.empty() || working_) return;
  working_ = true;
  run_in_background(
      [self = std::static_pointer_cast<IteratorResource>(shared_from_this())] { self->work(); });
}

void IteratorResource::leave(Waiter& waiter) {
  std::erase_if(line_, [&](const auto& request) { return request.get() == &waiter; });
}

void IteratorResource::work() {
  while (true) {
    std::shared_ptr<Walk> walk;
    {
      const std::lock_guard lock(mutex_);
      if (line_.empty()) {
        working_ = false;
        rested_.notify_all();
        return;
      }
      walk = walk_;
    }
    NextElement result = take(*walk);
    change([&] {
      if (walk == walk_) ready_.push_back(std::move(result));
    });
  }
}

IteratorState IteratorResource::save() {
  std::unique_lock lock(mutex_);
  if (walk_ == nullptr)
    raise(Code::kFailedPrecondition,
          "SerializeIterator: the iterator has not been initialized, so it has no position");
  rested_.wait(lock, [this] { return !working_; });
  IteratorState state;
  StateWriter writer(state);
  walk_->iterator->save(writer);
  if (!ready_.empty()) {
    StateWriter kept = writer.below("kept");
    kept.put("ended", std::int64_t{ready_.front().ended});
    kept.put("element", ready_.front().element);
  }
  return state;
}

void IteratorResource::restore(const IteratorState& state, StepContext& step) {
  DatasetRef dataset;
  {
    const std::lock_guard lock(mutex_);
    if (walk_ == nullptr)
      raise(Code::kFailedPrecondition,
            "DeserializeIterator: the iterator has to be initialized before it is restored");
    dataset = walk_->dataset;
  }
  auto walk = new_walk(dataset, step);
  const StateReader reader(state);
  walk->iterator->restore(reader);
  replace(std::move(walk));
  const StateReader kept = reader.below("kept");
  if (kept.has("ended"))
    change([&] { ready_.push_back({kept.element("element"), kept.integer("ended") != 0, {}}); });
}

}  // namespace rill
