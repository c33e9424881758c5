#include "rill/ops/data/core/host_device.h"

namespace rill {
namespace {

class HostDevice final : public Device {
 public:
  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
  ThreadPool& pool() override { return shared_pool(); }

 private:
  const std::string name_ = "/job:localhost/replica:0/task:0/device:CPU:0", type_ = "CPU";
};

}  // namespace

Device& host_device() {
  static HostDevice& device = *new HostDevice;  // background work may outlive static storage
  return device;
}

}  // namespace rill
