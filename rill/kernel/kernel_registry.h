#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/op_decl.h"
#include "rill/kernel/kernel_call.h"

namespace rill {

// Called once by an asynchronous kernel, from any thread; the call stays valid until then.
using Done = std::function<void(std::exception_ptr error)>;

using KernelFn = void (*)(KernelCall&);
using AsyncKernelFn = void (*)(KernelCall&, Done);
using MakeState = std::unique_ptr<KernelState> (*)(const KernelNode&);
// Why a kernel does not take a node ("needs NHWC"), or nullptr when it does.
using Accept = const char* (*)(const KernelNode&);

// One implementation of one op. Entries of one op stand in order of preference: the first whose
// types fit and which does not decline is taken.
struct KernelEntry {
  const OpDecl* op;
  TypeSet types = {};  // of the op's first type attribute; empty: any
  KernelFn run = nullptr;
  // Instead of `run`; where both are given, the node calls functions, and this one is for those
  // that contain asynchronous kernels.
  AsyncKernelFn run_async = nullptr;
  MakeState make_state = nullptr;
  const char* label = "";  // "matmul:onednn", where there are several
  Accept accept = nullptr;
  bool allocates = false;  // self-allocating: sets its outputs itself
  bool expensive = true;   // false: never worth another thread
  TypeSet types2 = {};     // of the op's second type attribute; empty: any
  // On devices with memory of their own: the arguments that lie in host memory all the same, with
  // commas between. nullptr: those of the op's GPU kernels in TensorFlow (host_arguments.h).
  const char* host_memory = nullptr;
  // Passes values on, or asks for their shapes, without touching an element that is not in host
  // memory: serves every type of device that has no kernel of its own for the op.
  bool any_device = false;
};

// The kernels of one file, for one device type.
struct KernelTable {
  std::span<const KernelEntry> entries;
  const char* device = "CPU";
};

class KernelRegistry {
 public:
  KernelRegistry() = default;
  void add(const KernelTable& table);
  // A kernel under an op's wire name, for ops that are not declared in this library. `entry.op` may
  // be null.
  void add(std::string op_name, std::string device, KernelEntry entry);

  // The kernel for `node` on node.device; throws NotFound listing what there is when none fits.
  const KernelEntry& choose(const KernelNode& node) const;
  bool has_kernel(std::string_view op, std::string_view device) const;
  std::vector<const KernelEntry*> entries(std::string_view op, std::string_view device) const;
  std::vector<std::string> ops(std::string_view device) const;  // with kernels of that type's own

 private:
  std::vector<const KernelEntry*> find(std::string_view op, std::string_view device) const;

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::deque<KernelEntry>> entries_;
};

}  // namespace rill
