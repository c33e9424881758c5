#include "rill/ops/data/iterator/multi_device_resource.h"

#include "rill/base/background.h"

namespace rill {

void MultiDeviceResource::stop() {
  std::shared_ptr<Walk> walk;
  {
    const std::lock_guard lock(mutex_);
    walk = walk_;
  }
  if (walk != nullptr) walk->pipeline->stop();
}

std::int64_t MultiDeviceResource::start(const DatasetRef& dataset, std::int64_t most,
                                        StepContext& step) {
  require(most > 0, "max_buffer_size must be > 0, not ", most);
  check_fits(spec_, dataset->spec());
  auto pipeline = std::make_shared<Pipeline>(make_background_calls(step));
  auto iterator = dataset->iterate(pipeline);
  stop();
  std::int64_t number = 0;
  change([&] {
    walk_ = std::make_shared<Walk>(Walk{std::move(pipeline), std::move(iterator)});
    most_ = static_cast<std::size_t>(most);
    turn_ = 0;
    ended_ = false;
    number = ++walk_number_;
    for (Shard& shard : shards_) {
      shard.dealt.clear();
      for (const auto& request : shard.line)
        end(request, error_of(Code::kCancelled, "the iterator was initialized anew"));
      shard.line.clear();
    }
  });
  return number;
}

void MultiDeviceResource::next(std::int64_t shard, std::int64_t walk, KernelCall& call, Done done,
                               Deliver deliver) {
  require(shard >= 0 && shard < static_cast<std::int64_t>(shards_.size()), "shard_num ", shard,
          " is not in [0, ", shards_.size(), ")");
  auto request = std::make_shared<ElementRequest>(call, std::move(done), deliver);
  wait(request, [&] {
    if (walk_ == nullptr || walk != walk_number_) {
      end(request, error_of(Code::kInvalidArgument, "Invalid incarnation id. Provided: ", walk,
                            "; Expected: ", walk_number_));
      return;
    }
    shards_[static_cast<std::size_t>(shard)].line.push_back(request);
  });
}

void MultiDeviceResource::serve() {
  bool waiting = false;
  for (Shard& shard : shards_) {
    while (!shard.line.empty() && (!shard.dealt.empty() || ended_)) {
      NextElement result{.element = {}, .ended = true, .error = {}};
      if (!shard.dealt.empty()) {
        result = std::move(shard.dealt.front());
        shard.dealt.pop_front();
      }
      const auto request = std::move(shard.line.front());
      shard.line.pop_front();
      const std::exception_ptr error = result.error;
      request->take(std::move(result));
      end(request, error);
    }
    waiting |= !shard.line.empty();
  }
  if (dealing_ || !waiting || !may_deal()) return;
  dealing_ = true;
  run_in_background(
      [self = std::static_pointer_cast<MultiDeviceResource>(shared_from_this())] { self->deal(); });
}

void MultiDeviceResource::leave(Waiter& waiter) {
  for (Shard& shard : shards_)
    std::erase_if(shard.line, [&](const auto& request) { return request.get() == &waiter; });
}

void MultiDeviceResource::deal() {
  while (true) {
    std::shared_ptr<Walk> walk;
    {
      const std::lock_guard lock(mutex_);
      if (!may_deal()) {
        dealing_ = false;
        return;
      }
      walk = walk_;
    }
    NextElement result;
    try {
      result.ended = !walk->iterator->next(result.element);
    } catch (...) {
      result.error = std::make_exception_ptr(current_error());
    }
    change([&] {
      if (walk != walk_) return;
      if (walk->pipeline->cancellation().cancelled()) result.ended = true;
      if (result.ended) {
        ended_ = true;
        if (!result.error) return;
      }
      shards_[turn_].dealt.push_back(std::move(result));
      turn_ = (turn_ + 1) % shards_.size();
    });
  }
}

}  // namespace rill
