#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "rill/kernel/kernel_call.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"

namespace tensorflow {

// What OpKernelConstruction stands for.
struct OpKernelConstruction::Impl {
  const rill::KernelNode& node;
  DeviceBase* device;
  NodeDef def;
  DataTypeVector input_types, output_types;
  DeviceType device_type;
  Status status;
};

struct DeviceAccess {
  static std::unique_ptr<DeviceBase> make(rill::Device& device);
};

// One of TensorFlow's kernels with what belongs to it. The kernel goes first: its destructor may
// still use the resource manager.
struct KernelHolder final : rill::KernelState {
  std::unique_ptr<DeviceBase> device;
  std::unique_ptr<ResourceMgr> resources;
  std::once_flag resources_made;
  std::unique_ptr<OpKernel> kernel;
  ~KernelHolder() override { kernel.reset(); }
};

// What OpKernelContext stands for: one run of a kernel.
struct OpKernelContext::Impl {
  Impl(rill::KernelCall& c, KernelHolder& h)
      : call(c),
        holder(h),
        inputs(static_cast<size_t>(c.input_count())),
        outputs(static_cast<size_t>(c.output_count())),
        ref_is_set(outputs.size()) {}

  rill::KernelCall& call;
  KernelHolder& holder;
  std::mutex mutex;  // a kernel may use its context from several threads
  std::vector<std::unique_ptr<Tensor>> inputs, outputs;
  std::vector<bool> ref_is_set;
  Status status;
  std::unique_ptr<CancellationManager> cancellation;
};

struct KernelAccess {
  static OpKernelContext::Impl& impl(OpKernelContext& context) { return *context.impl_; }
  // Hands the outputs over; throws the kernel's status, or Internal when an output is missing.
  static void finish(OpKernelContext::Impl& impl);
};

// InvalidArgument when a kernel does not have the types that it says it has.
Status match_signature(const DataTypeSlice expected_inputs, const DataTypeVector& inputs,
                       const DataTypeSlice expected_outputs, const DataTypeVector& outputs);

// A lock that goes with a variable; the same one whenever it is asked for.
mutex* mutex_of(const void* variable);

}  // namespace tensorflow
