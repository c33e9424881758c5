#include "rill/kernel/op_guard.h"

#include "rill/kernel/kernel_call.h"

namespace rill {
namespace {

const OpGuard* guard_of(const Device* device) {
  const auto* session = dynamic_cast<const GuardsOps*>(device);
  return session == nullptr ? nullptr : session->guard();
}

}  // namespace

void check_op(const KernelNode& node) {
  if (const OpGuard* guard = guard_of(node.device)) guard->check_op(node);
}

void check_path(const KernelCall& call, const std::string& path) {
  if (const OpGuard* guard = guard_of(call.node().device)) guard->check_path(call.node(), path);
}

}  // namespace rill
