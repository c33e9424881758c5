#include <deque>
#include <map>
#include <set>

#include "rill/compat/convert.h"
#include "rill/compat/kernel_state.h"
#include "rill/compat/library.h"
#include "rill/graph/attr_proto.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register_kernels.h"

namespace tensorflow {
namespace {

struct Registered {
  KernelDefinition definition;
  string class_name;
  kernel_factory::Factory create;
  bool is_async;
};

// Every kernel that REGISTER_KERNEL_BUILDER has seen. The library's own registry knows, per op and
// device, only that there are such kernels; which one fits a node is decided here.
struct Kernels {
  std::mutex mutex;
  std::map<std::string, std::deque<Registered>, std::less<>> by_op;
  std::set<std::tuple<std::string, std::string, bool>> announced;
};
Kernels& kernels() {
  static Kernels& all = *new Kernels;
  return all;
}

bool allows(const KernelDefinition::Constraint& constraint, rill::DType type) {
  for (const DataType allowed : constraint.allowed)
    if (to_rill(allowed) == type) return true;
  return false;
}

bool holds(const KernelDefinition::Constraint& constraint, const rill::KernelNode& node) {
  const auto it = node.attrs.find(constraint.attr);
  if (it == node.attrs.end())
    raise(rill::Code::kInvalidArgument, "OpKernel '", node.op->name, "' has constraint on attr '",
          constraint.attr, "' not in NodeDef '", node.name, "'");
  if (const auto* type = it->second.get_if<rill::DType>()) return allows(constraint, *type);
  const auto* types = it->second.get_if<std::vector<rill::DType>>();
  if (types == nullptr)
    raise(rill::Code::kInvalidArgument, "KernelDef '", node.op->name, "' has constraint on attr '",
          constraint.attr, "' that has value '", it->second,
          "' that does not have type 'type' or 'list(type)'");
  return std::ranges::all_of(*types, [&](rill::DType type) { return allows(constraint, type); });
}

bool fits(const Registered& kernel, const rill::KernelNode& node) {
  const auto label = node.attrs.find("_kernel");
  const std::string wanted =
      label == node.attrs.end() ? std::string() : label->second.get<std::string>();
  if (kernel.definition.device_type != node.device->type() || kernel.definition.label != wanted)
    return false;
  for (const auto& constraint : kernel.definition.constraints)
    if (!holds(constraint, node)) return false;
  return true;
}

// The kernel of the highest priority that fits, nullptr when none does. Throws when two of the same
// priority do.
const Registered* find_registered(const rill::KernelNode& node) {
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_op.find(node.op->name);
  if (it == all.by_op.end()) return nullptr;
  const Registered* best = nullptr;
  bool tie = false;
  for (const Registered& kernel : it->second) {
    if (!fits(kernel, node)) continue;
    tie = best != nullptr && kernel.definition.priority == best->definition.priority;
    if (best == nullptr || kernel.definition.priority > best->definition.priority) best = &kernel;
  }
  if (tie)
    raise(rill::Code::kInvalidArgument,
          "Multiple OpKernel registrations match NodeDef at the same ", "priority for node ",
          node.name, " of op ", node.op->name);
  return best;
}

const char* decline_unless(const rill::KernelNode& node, bool is_async) {
  const Registered* kernel = find_registered(node);
  if (kernel == nullptr) return "no registered kernel has these types and this label";
  return kernel->is_async == is_async ? nullptr : "the kernel that fits is of the other kind";
}

void describe(const rill::KernelNode& node, OpKernelConstruction::Impl& impl) {
  impl.def.set_name(node.name);
  impl.def.set_op(node.op->name);
  for (const auto& [name, value] : node.attrs)
    rill::to_proto(value, &(*impl.def.mutable_attr())[name]);
  for (const rill::DType type : node.input_types) impl.input_types.push_back(from_rill(type));
  for (const rill::DType type : node.output_types) impl.output_types.push_back(from_rill(type));
}

std::unique_ptr<rill::KernelState> make_kernel(const rill::KernelNode& node) {
  const Registered* registered = find_registered(node);
  rill::require(registered != nullptr, "no kernel for node ", node.name);
  auto holder = std::make_unique<KernelHolder>();
  holder->device = DeviceAccess::make(*node.device);
  OpKernelConstruction::Impl impl{
      node, holder->device.get(), {}, {}, {}, DeviceType(node.device->type().c_str()), {}};
  describe(node, impl);
  OpKernelConstruction construction(&impl);
  const Status status = guarded([&] { holder->kernel.reset(registered->create(&construction)); });
  if (!status.ok()) throw to_error(status).with_node(node.name, "");
  if (!impl.status.ok()) throw to_error(impl.status);
  return holder;
}

void run_kernel(rill::KernelCall& call) {
  auto& holder = call.state<KernelHolder>();
  OpKernelContext::Impl impl(call, holder);
  OpKernelContext context(&impl);
  const Status thrown = guarded([&] { holder.kernel->Compute(&context); });
  if (!thrown.ok()) context.SetStatus(thrown);
  KernelAccess::finish(impl);
}

// Lives until the kernel is done, however often or late it says so.
struct AsyncRun {
  AsyncRun(rill::KernelCall& call, KernelHolder& holder, rill::Done d)
      : impl(call, holder), context(&impl), done(std::move(d)) {}
  void finish() {
    if (finished.exchange(true)) return;
    std::exception_ptr error;
    try {
      KernelAccess::finish(impl);
    } catch (...) {
      error = std::current_exception();
    }
    done(error);
  }
  OpKernelContext::Impl impl;
  OpKernelContext context;
  rill::Done done;
  std::atomic<bool> finished = false;
};

void run_async_kernel(rill::KernelCall& call, rill::Done done) {
  auto& holder = call.state<KernelHolder>();
  auto run = std::make_shared<AsyncRun>(call, holder, std::move(done));
  const Status thrown = guarded(
      [&] { holder.kernel->AsAsync()->ComputeAsync(&run->context, [run] { run->finish(); }); });
  if (thrown.ok()) return;
  run->context.SetStatus(thrown);
  run->finish();
}

// Which arguments of the kernels of an op on a device lie in host memory, as
// rill/kernel/host_arguments.h has such rules; what applies to all types comes last.
std::string host_memory_rule(const std::deque<Registered>& kernels, const std::string& device_type,
                             bool is_async) {
  std::vector<std::string> rules, unconditional;
  for (const auto& [definition, class_name, create, async] : kernels) {
    if (definition.device_type != device_type || async != is_async) continue;
    std::vector<std::string> conditions;
    for (const auto& constraint : definition.constraints) {
      std::vector<std::string> types;
      for (const DataType type : constraint.allowed)
        types.emplace_back(rill::dtype_name(to_rill(type)));
      conditions.push_back(rill::str_cat(constraint.attr, ": ", rill::join(types, ",")));
    }
    const std::string names = rill::join(definition.host_memory_args, ",");
    if (conditions.empty()) {
      unconditional.push_back(names);
    } else {
      rules.push_back(rill::str_cat(names, " [", rill::join(conditions, "; "), "]"));
    }
  }
  if (!unconditional.empty()) rules.push_back(rill::join(unconditional, ","));
  return rill::join(rules, " or ");
}

// Of the entry that announced the first of these kernels. Rules are kept for good: nodes are made
// by them at any time.
void update_host_memory(const Registered& kernel, const std::deque<Registered>& all) {
  const auto& [op, device_type] = std::tie(kernel.definition.op, kernel.definition.device_type);
  if (device_type == "CPU") return;
  static std::deque<std::string>& rules = *new std::deque<std::string>;
  rules.push_back(host_memory_rule(all, device_type, kernel.is_async));
  for (const rill::KernelEntry* entry : rill::standard_kernels().entries(op, device_type))
    if (entry->make_state == make_kernel && (entry->run == nullptr) == kernel.is_async)
      std::atomic_ref(const_cast<rill::KernelEntry*>(entry)->host_memory)
          .store(rules.back().c_str());
}

// The library's registry learns once that an op has such kernels on a device.
void announce(const Registered& kernel) {
  rill::KernelEntry entry{.op = nullptr};
  entry.make_state = make_kernel;
  entry.label = "registered";
  entry.allocates = true;
  entry.host_memory = "";
  if (kernel.is_async) {
    entry.run_async = run_async_kernel;
    entry.accept = [](const rill::KernelNode& node) { return decline_unless(node, true); };
  } else {
    entry.run = run_kernel;
    entry.accept = [](const rill::KernelNode& node) { return decline_unless(node, false); };
  }
  rill::standard_kernels().add(kernel.definition.op, kernel.definition.device_type, entry);
}

}  // namespace

namespace kernel_factory {

OpKernelRegistrar::OpKernelRegistrar(const KernelDefinition& definition, const char* class_name,
                                     Factory create, bool is_async) {
  rill::note_registration(definition.op, [&]() -> const rill::Op* {
    rill::require(!definition.device_type.empty(), "the kernel ", class_name, " of ", definition.op,
                  " names no device");
    Registered kernel{definition, class_name, create, is_async};
    Kernels& all = kernels();
    bool is_first = false;
    {
      const std::lock_guard lock(all.mutex);
      all.by_op[definition.op].push_back(kernel);
      is_first = all.announced.insert({definition.op, definition.device_type, is_async}).second;
    }
    if (is_first) announce(kernel);
    const std::lock_guard lock(all.mutex);
    update_host_memory(kernel, all.by_op[definition.op]);
    return nullptr;
  });
}

}  // namespace kernel_factory
}  // namespace tensorflow
