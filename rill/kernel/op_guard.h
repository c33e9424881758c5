#pragma once

#include <string>

#include "rill/kernel/kernel_node.h"

namespace rill {

class KernelCall;

// What a session does not let its graph do, since nobody knows where that came from. Asked wherever
// a kernel is chosen, however deep in functions, datasets or graphs inside of tensors its node is,
// and from several threads at once.
class OpGuard {
 public:
  virtual ~OpGuard() = default;
  // Throws PermissionDenied, naming op and node, when it may not run.
  virtual void check_op(const KernelNode& node) const = 0;
  // The same, for a file that the node is about to read.
  virtual void check_path(const KernelNode& node, const std::string& path) const = 0;
};

// What devices of a session are besides, so that whoever knows a node's device knows its guard.
class GuardsOps {
 public:
  virtual ~GuardsOps() = default;
  virtual const OpGuard* guard() const = 0;  // nullptr: everything is allowed
};

void check_op(const KernelNode& node);
// Called by kernels that read files when a model is loaded: tables from text, variables.
void check_path(const KernelCall& call, const std::string& path);

}  // namespace rill
