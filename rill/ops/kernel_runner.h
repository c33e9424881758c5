#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill {

// Runs one kernel of the standard registry outside of any session, for tests and benchmarks of
// kernels: attributes are given in full, outputs are made by the caller.
class KernelRunner {
 public:
  KernelRunner(const std::string& op, AttrMap attrs, std::vector<DType> input_types,
               std::vector<DType> output_types, int threads = 1)
      : device_(threads) {
    node_.name = op;
    node_.op = &standard_ops().at(op);
    node_.attrs = std::move(attrs);
    node_.input_types = std::move(input_types);
    node_.output_types = std::move(output_types);
    node_.device = &device_;
    entry_ = &standard_kernels().choose(node_);
    if (entry_->make_state != nullptr) state_ = entry_->make_state(node_);
  }

  const char* label() const { return entry_->label; }

  // Writes to `outputs`, which share storage with the caller's tensors; where a kernel allocates,
  // they are only counted. Returns what the outputs hold.
  std::vector<Tensor> run(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    std::vector<Value> values;
    for (const Tensor& t : inputs) values.push_back({t, nullptr});
    for (const Tensor& t : outputs) values.push_back({t, nullptr});
    std::vector<Value*> in, out;
    for (std::size_t i = 0; i < values.size(); ++i)
      (i < inputs.size() ? in : out).push_back(&values[i]);
    KernelCall call(node_, state_.get(), in, out, step_);
    entry_->run(call);
    std::vector<Tensor> results;
    for (const Value* value : out) results.push_back(value->tensor);
    return results;
  }

 private:
  struct TestDevice final : Device {
    explicit TestDevice(int threads) : threads_(threads) {}
    const std::string& name() const override { return name_; }
    const std::string& type() const override { return type_; }
    Allocator& allocator(MemoryKind) override { return cpu_allocator(); }
    ThreadPool& pool() override { return threads_; }
    std::string name_ = "/device:CPU:0", type_ = "CPU";
    ThreadPool threads_;
  };

  TestDevice device_;
  KernelNode node_;
  const KernelEntry* entry_ = nullptr;
  std::unique_ptr<KernelState> state_;
  StepContext step_;
};

}  // namespace rill
