#pragma once

#include <string>

#include "rill/kernel/device.h"
#include "rill/tensor/allocator.h"

namespace rill::cluster {

// A device of a task, as its master knows it: nodes are placed on it, nothing runs there.
class RemoteDevice final : public Device {
 public:
  RemoteDevice(std::string name, std::string type, std::int64_t memory, std::uint64_t incarnation)
      : name_(std::move(name)),
        type_(std::move(type)),
        memory_(memory),
        incarnation_(incarnation) {}

  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return shared_pool(); }
  std::uint64_t incarnation() const override { return incarnation_; }
  std::int64_t memory() const { return memory_; }

 private:
  const std::string name_, type_;
  const std::int64_t memory_;
  const std::uint64_t incarnation_;
};

}  // namespace rill::cluster
