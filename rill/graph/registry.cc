#include "rill/graph/registry.h"

#include "rill/base/error.h"

namespace rill {

const Op& Registry::add(const OpDecl& decl) { return add(Op(decl)); }

const Op& Registry::add(Op op) {
  const std::lock_guard lock(mutex_);
  std::string name = op.name;
  const auto [it, added] = ops_.try_emplace(std::move(name), nullptr);
  if (!added) raise(Code::kAlreadyExists, "Op with name ", op.name, " is registered twice");
  it->second = std::make_unique<const Op>(std::move(op));
  return *it->second;
}

const Op* Registry::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto it = ops_.find(name);
  return it == ops_.end() ? nullptr : it->second.get();
}

const Op& Registry::at(std::string_view name) const {
  if (const Op* op = find(name)) return *op;
  raise(Code::kNotFound, "Op type not registered '", name,
        "'. Make sure the op is declared, or loaded with load_op_library, before it is used.");
}

std::vector<const Op*> Registry::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Op*> ops;
  for (const auto& [name, op] : ops_) ops.push_back(op.get());
  return ops;
}

}  // namespace rill
