#include "rill/ops/queue/staging_room.h"

namespace rill {
namespace {

std::string area_name(const KernelNode& node) {
  const auto& shared = node.attr<std::string>("shared_name");
  return shared.empty() ? node.name : shared;
}

}  // namespace

void StagingWaiter::deliver(KernelCall& call) {
  if (puts) return;
  const int first = key.has_value() ? 1 : 0;
  if (key.has_value()) call.set_output(0, Tensor::scalar(*key));
  const auto wanted = static_cast<std::size_t>(call.output_count() - first);
  require(results.size() == wanted, "Mismatch stage/unstage: ", results.size(), " vs. ", wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    const int output = static_cast<int>(i) + first;
    const DType type = call.node().output_type(output);
    if (results[i].dtype() != type)
      raise(Code::kInternal, "Output ", output, " of type ", results[i].dtype(),
            " does not match declared output type ", type, " for node ", call.node().name);
    call.set_output(output, std::move(results[i]));
  }
}

StagingRoom::StagingRoom(const KernelNode& node)
    : name_(area_name(node)),
      capacity_(node.attr<std::int64_t>("capacity")),
      memory_limit_(node.attr<std::int64_t>("memory_limit")) {}

void StagingRoom::start(std::shared_ptr<StagingWaiter> waiter) {
  wait(waiter, [&] { line_.push_back(waiter); });
}

std::int64_t StagingRoom::size() const {
  const std::lock_guard lock(mutex_);
  return count();
}

void StagingRoom::clear() {
  change([&] {
    drop_all();
    bytes_ = 0;
  });
}

std::int64_t StagingRoom::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

bool StagingRoom::has_room(std::int64_t bytes) const {
  if (memory_limit_ > 0 && bytes > memory_limit_)
    raise(Code::kResourceExhausted, "Attempted to insert tensors with combined size of '", bytes,
          "' bytes into Staging Area with a memory limit of '", memory_limit_, "'.");
  return (capacity_ == 0 || count() < capacity_) &&
         (memory_limit_ == 0 || bytes <= memory_limit_ - bytes_);
}

void StagingRoom::serve() {
  for (bool moved = true; moved;) {
    moved = false;
    bool putters_wait = false;
    for (auto it = line_.begin(); it != line_.end();) {
      const auto waiter = *it;
      std::exception_ptr error;
      bool is_done = false;
      try {
        is_done = !(waiter->puts && putters_wait) && waiter->attempt(*waiter);
      } catch (...) {
        error = std::current_exception();
      }
      if (!is_done && !error) {
        putters_wait = putters_wait || waiter->puts;
        ++it;
        continue;
      }
      it = line_.erase(it);
      end(waiter, std::move(error));
      moved = true;
    }
  }
}

void StagingRoom::leave(Waiter& waiter) {
  std::erase_if(line_, [&](const auto& other) { return other.get() == &waiter; });
}

StagingHandle::StagingHandle(const KernelNode& node)
    : container_(node.attr<std::string>("container")), name_(area_name(node)) {}

std::shared_ptr<Resource> StagingHandle::find(
    const KernelCall& call, const char* type_name,
    const std::function<std::shared_ptr<Resource>()>& make) {
  ResourceManager& resources = *call.step().resources;
  const std::lock_guard lock(mutex_);
  if (resources_ != &resources) {
    room_ = resources.find_or_add(container_, type_name, name_, make);
    resources_ = &resources;
  }
  return room_;
}

}  // namespace rill
