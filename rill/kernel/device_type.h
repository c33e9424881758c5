#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/kernel/device.h"
#include "rill/kernel/memory_share.h"
#include "rill/kernel/op_guard.h"

namespace rill {

// A device that is no CPU, as a library adds it: its type opens one for each session.
//
// What the library implements is allocator() with its MemoryCopier, memory_kind() and finish(). Its
// kernels are added to the registry under the type's name; they enqueue their work in the order in
// which they are called and return.
class PlugInDevice : public Device, public GuardsOps {
 public:
  // `index`: its number among the session's devices of that type.
  PlugInDevice(const std::string& type, int index, ThreadPool& pool, const OpGuard* guard);
  const std::string& name() const override { return name_; }
  const std::string& type() const override { return type_; }
  ThreadPool& pool() override { return pool_; }
  const OpGuard* guard() const override { return guard_; }

 private:
  const std::string type_, name_;
  ThreadPool& pool_;
  const OpGuard* const guard_;
};

// A device as a session wants it: a card, or a part of one that is a device of its own.
struct DeviceSlice {
  int index = 0;                  // its number among the session's devices of that type
  int card = 0;                   // its number among the machine's
  std::int64_t memory_bytes = 0;  // the most that it may take; 0: whatever there is
};

// A type of device: how many there are, and how one is opened.
class DeviceType {
 public:
  virtual ~DeviceType() = default;
  virtual const std::string& name() const = 0;  // as in device names: "GPU"
  // Nodes go to the type with the highest one that has kernels for them; that of the CPU is 0.
  virtual int priority() const = 0;
  virtual int count() const = 0;  // of cards
  // What a card has, where that is known; 0: unknown.
  virtual std::int64_t memory_bytes(int /*card*/) const { return 0; }
  // For one session, which closes the device before `pool` and `guard` go. Its allocators live on:
  // values may outlive the session. Throws when that cannot be; opening the session then fails.
  virtual std::unique_ptr<PlugInDevice> open(const DeviceSlice& slice, ThreadPool& pool,
                                             const OpGuard* guard) = 0;

 protected:
  // The memory of a slice of a card with this allocator.
  Allocator& memory_of(const DeviceSlice& slice, Allocator& card) {
    return shares_.find(name(), slice.index, slice.card, slice.memory_bytes, card);
  }

 private:
  MemoryShares shares_;
};

// From now on sessions find devices of that type. Throws AlreadyExists for a name that is taken,
// "CPU" among them.
void register_device_type(std::shared_ptr<DeviceType> type);
// In descending priority.
std::vector<std::shared_ptr<DeviceType>> device_types();
// Sessions that are open keep their devices.
void unregister_device_type(const std::string& name);

}  // namespace rill
