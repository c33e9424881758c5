#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "rill/kernel/call_site.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/function/plan_function.h"
#include "rill/runtime/step/step_threads.h"

namespace rill {

// Functions of a graph, each instantiated and compiled once per set of attributes when it is first
// asked for; their kernels, and so their state, are kept with them. What the graph's library lets
// go of is let go of here when the next function is asked for. Safe from several threads.
class FunctionTable {
 public:
  FunctionTable(const Graph& graph, KernelCache& kernels, ThreadPool& pool,
                const CompileOptions& passes, bool may_spread)
      : graph_(graph), kernels_(kernels), pool_(pool), passes_(passes), may_spread_(may_spread) {}
  ~FunctionTable() { let_go(); }
  FunctionTable(const FunctionTable&) = delete;
  FunctionTable& operator=(const FunctionTable&) = delete;

  // As PlacesCalls::bind_at.
  std::shared_ptr<PlanFunction> bind(const FuncName& function, const CallSite& site);
  // Whether a type of device has kernels for all that the functions which `caller` calls do.
  bool have_kernels(const Node& caller, const std::string& device_type) {
    return have_kernels(caller.op().name, caller.attrs(), device_type);
  }
  bool have_kernels(const std::string& caller_op, const AttrMap& attrs,
                    const std::string& device_type);
  // A table of the same functions with other kernels.
  std::unique_ptr<FunctionTable> with(KernelCache& kernels) const {
    return std::make_unique<FunctionTable>(graph_, kernels, pool_, passes_, may_spread_);
  }
  std::string library_bytes() const;  // of the graph, a serialized FunctionDefLibrary
  KernelCache& kernels() const { return kernels_; }
  const Graph& graph() const { return graph_; }
  // Takes away what the functions run. A function that calls itself holds itself through its
  // kernels.
  void let_go();

 private:
  struct Bound {
    AttrMap attrs;
    int device;
    bool results_on_host;
    std::shared_ptr<PlanFunction> function;
  };
  struct Forms {  // of one function
    std::vector<Bound> all;
    std::optional<std::weak_ptr<const Function>> definition;  // where it has one
  };
  struct Fit {
    FuncName function;
    std::string device_type;
    bool fits;
  };
  FunctionBody body_of(const FuncName& function);
  void forget_removed();
  int device_of(const CallSite& site) const;
  bool calls_fit(const std::string& caller_op, const AttrMap& attrs,
                 const std::string& device_type);
  bool fits(const FuncName& function, const std::string& device_type);

  const Graph& graph_;
  KernelCache& kernels_;
  ThreadPool& pool_;
  const CompileOptions passes_;
  const bool may_spread_;
  std::mutex mutex_;
  std::map<std::string, Forms, std::less<>> bound_;
  std::mutex fits_mutex_;
  std::vector<Fit> fits_;
  StepThreads threads_;  // for calls on devices with memory of their own
};

// Whether a function, or one that it calls, has kernels that keep something from call to call, such
// as the position in a sequence of random numbers.
bool keeps_state(const FuncName& function, const FunctionLibrary& library,
                 const KernelRegistry& kernels);

}  // namespace rill
