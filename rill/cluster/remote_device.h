#pragma once

#include <string>

#include "rill/kernel/device.h"
#include "rill/tensor/allocator.h"

namespace rill::cluster {

// A device of a task, as its master knows it: nodes are placed on it, nothing runs there.
class RemoteDevice final : public Device {
 public:
  // `attributes` are the serialised DeviceAttributes that its task gave, which may say more than is
  // known here.
  RemoteDevice(std::string name, std::string type, std::uint64_t incarnation,
               std::string attributes)
      : name_(std::move(name)),
        type_(std::move(type)),
        attributes_(std::move(attributes)),
        incarnation_(incarnation) {}

  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return shared_pool(); }
  std::uint64_t incarnation() const override { return incarnation_; }
  const std::string& attributes() const { return attributes_; }

 private:
  const std::string name_, type_, attributes_;
  const std::uint64_t incarnation_;
};

}  // namespace rill::cluster
