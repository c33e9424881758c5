#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "rill/kernel/kernel_registry.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/step/nan_origin.h"

namespace rill {

// What a session has found of NaNs so far. Safe from several threads.
class NanReports {
 public:
  // `device` computes again, node by node, what a fused kernel did.
  NanReports(FindNan mode, OnNan on_nan, const KernelRegistry& kernels, Device& device)
      : mode_(mode), on_nan_(std::move(on_nan)), kernels_(kernels), device_(device) {}

  // False once enough was said.
  bool is_looking() const { return mode_ != FindNan::off && !is_quiet_.load(); }
  // Says it, unless that was said before. Throws InvalidArgument where the step is to stop.
  void report(const NanOrigin& origin);

  const KernelRegistry& kernels() const { return kernels_; }
  Device& device() const { return device_; }

 private:
  static constexpr std::size_t kEnough = 5;

  const FindNan mode_;
  const OnNan on_nan_;
  const KernelRegistry& kernels_;
  Device& device_;
  std::atomic<bool> is_quiet_{false};
  std::mutex mutex_;
  std::set<std::string> said_;
};

// Looks at what each kernel of one step made. A node is where a NaN came from if its inputs hold
// none; so storage of inputs may not be taken over meanwhile. Infinities are remembered, since many
// programs use them on purpose, and told as the cause of a NaN or when they are fetched.
class NanSearch {
 public:
  explicit NanSearch(NanReports& reports) : reports_(reports) {}

  // After the node's kernel has run, on any thread.
  void look(const Plan& plan, const PlanNode& node, const NodeValues& values);
  // What the program feeds.
  void look_at_feed(const std::string& name, const Tensor& value);
  // After the step.
  void look_at_fetch(const Tensor& value);

 private:
  void found(const Plan& plan, const PlanNode& node, const NodeValues& values, std::size_t output,
             bool is_nan);

  NanReports& reports_;
  std::mutex mutex_;
  bool has_reported_ = false;
  std::optional<NanOrigin> infinity_;  // the first of the step
};

// Whose storage an output may take over: nobody's while somebody looks at the inputs.
inline std::uint64_t takeable(std::uint64_t inputs, const ExecutorOptions& options) {
  return options.nan_search == nullptr ? inputs : 0;
}

}  // namespace rill
