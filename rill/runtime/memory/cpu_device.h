#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rill/kernel/device.h"
#include "rill/kernel/op_guard.h"

namespace rill {

class CpuDevice final : public Device, public GuardsOps {
 public:
  CpuDevice(int index, ThreadPool& pool, const OpGuard* guard = nullptr)
      : CpuDevice("/job:localhost/replica:0/task:0", index, pool, guard, 0) {}
  // Of a task of a cluster.
  CpuDevice(const std::string& task, int index, ThreadPool& pool, const OpGuard* guard,
            std::uint64_t incarnation)
      : name_(task + "/device:CPU:" + std::to_string(index)),
        pool_(pool),
        guard_(guard),
        incarnation_(incarnation) {}

  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return pool_; }
  const OpGuard* guard() const override { return guard_; }
  std::uint64_t incarnation() const override { return incarnation_; }

 private:
  const std::string name_;
  const std::string type_ = "CPU";
  ThreadPool& pool_;
  const OpGuard* const guard_;
  const std::uint64_t incarnation_;
};

}  // namespace rill
