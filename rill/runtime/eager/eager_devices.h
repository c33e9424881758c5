#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/kernel/device_type.h"
#include "rill/runtime/eager/eager_batch.h"
#include "rill/runtime/memory/cpu_device.h"

namespace rill {

// The devices on which ops are executed at once: CPUs and, of the types that there are when it is
// made, the cards that sessions find. Safe from several threads.
class EagerDevices {
 public:
  explicit EagerDevices(ThreadPool& pool);

  // Where an op may run: on the first that has a kernel for it. That is where its variables are,
  // else what its spec asks for, else the type with the highest priority; then the CPU, if
  // placement is soft. Throws InvalidArgument for a device that there is not. The result lives as
  // long as this object.
  const EagerPlaces& places(const NodeSpec& spec);
  // A variable stays where it is: throws NotFound where an op is to use it that has no kernel
  // there.
  void check_variables(const NodeSpec& spec, const Device& chosen);
  CpuDevice& cpu() { return cpu_; }
  bool are_one() const {
    return cards_.empty();
  }                                  // CPUs alone: ops without a device run on the first
  std::vector<Device*> all() const;  // the first CPU, and all that are none

  // An op that is about to run on a device with memory of its own joins the others there. It ends
  // with leave().
  std::shared_ptr<EagerBatch> enter(Device& device, const std::shared_ptr<EagerKernel>& kernel,
                                    const StepContext& step);

 private:
  struct Card {
    std::unique_ptr<PlugInDevice> device;
    EagerPlaces strict, soft;
    std::shared_ptr<EagerBatch> batch;
  };
  const EagerPlaces* of_variables(const NodeSpec& spec);
  Card* find(const std::string& type, int index);
  const EagerPlaces& cpu_places(int index);
  // Kernels with a state are one for each of the results of places().
  const EagerPlaces& anywhere() const { return cards_.empty() ? on_cpu_ : anywhere_; }

  ThreadPool& pool_;
  CpuDevice cpu_;
  const EagerPlaces on_cpu_;
  EagerPlaces anywhere_;
  std::vector<std::unique_ptr<Card>> cards_;
  std::mutex mutex_;
  std::map<int, std::pair<std::unique_ptr<CpuDevice>, EagerPlaces>> cpus_;  // but the first
};

}  // namespace rill
