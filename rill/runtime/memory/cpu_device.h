#pragma once

#include <memory>

#include "rill/kernel/device.h"
#include "rill/kernel/op_guard.h"

namespace rill {

class CpuDevice final : public Device, public GuardsOps {
 public:
  CpuDevice(int index, ThreadPool& pool, const OpGuard* guard = nullptr)
      : name_("/job:localhost/replica:0/task:0/device:CPU:" + std::to_string(index)),
        pool_(pool),
        guard_(guard) {}

  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return pool_; }
  const OpGuard* guard() const override { return guard_; }

 private:
  const std::string name_;
  const std::string type_ = "CPU";
  ThreadPool& pool_;
  const OpGuard* const guard_;
};

}  // namespace rill
