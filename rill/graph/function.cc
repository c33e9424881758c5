#include "rill/graph/function.h"

#include <algorithm>
#include <mutex>

#include "rill/base/error.h"

namespace rill {
namespace {

std::map<std::string_view, const FunctionNode*> by_name(const Function& function) {
  std::map<std::string_view, const FunctionNode*> nodes;
  for (const FunctionNode& node : function.nodes) nodes.emplace(node.name, &node);
  return nodes;
}

bool same_nodes(const Function& a, const Function& b) {
  return a.nodes.size() == b.nodes.size() &&
         std::ranges::equal(by_name(a), by_name(b),
                            [](const auto& x, const auto& y) { return *x.second == *y.second; });
}

}  // namespace

bool Function::flag(std::string_view attr) const {
  const auto it = attrs.find(attr);
  const bool* value = it == attrs.end() ? nullptr : it->second.get_if<bool>();
  return value != nullptr && *value;
}

bool same_definition(const Function& a, const Function& b) {
  return to_text(a.signature) == to_text(b.signature) && a.signature.traits == b.signature.traits &&
         a.returns == b.returns && a.control_returns == b.control_returns && a.attrs == b.attrs &&
         a.arg_attrs == b.arg_attrs && same_nodes(a, b);
}

void find_functions(const AttrValue& value, std::vector<std::string>& names) {
  if (const auto* function = value.get_if<FuncName>()) {
    names.push_back(function->name);
    for (const auto& [name, inner] : function->attrs) find_functions(inner, names);
  } else if (const auto* functions = value.get_if<std::vector<FuncName>>()) {
    for (const FuncName& function : *functions) find_functions(AttrValue(function), names);
  }
}

std::shared_ptr<const Function> FunctionLibrary::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

std::shared_ptr<const Function> FunctionLibrary::at(std::string_view name) const {
  auto function = find(name);
  if (function == nullptr) raise(Code::kNotFound, "Function ", name, " is not defined.");
  return function;
}

bool FunctionLibrary::empty() const {
  const std::shared_lock lock(mutex_);
  return ordered_.empty() && gradients_.empty();
}

std::vector<std::shared_ptr<const Function>> FunctionLibrary::all() const {
  const std::shared_lock lock(mutex_);
  return ordered_;
}

bool FunctionLibrary::add(Function function) {
  const std::lock_guard lock(mutex_);
  const auto known = by_name_.find(function.name());
  if (known != by_name_.end()) {
    require(same_definition(*known->second, function), "Cannot add function '", function.name(),
            "' because a different function with the same name already exists.");
    return false;
  }
  ordered_.push_back(std::make_shared<const Function>(std::move(function)));
  by_name_.emplace(ordered_.back()->name(), ordered_.back());
  return true;
}

void FunctionLibrary::remove(std::string_view name) {
  const std::lock_guard lock(mutex_);
  std::erase_if(ordered_, [&](const auto& function) { return function->name() == name; });
  if (const auto it = by_name_.find(name); it != by_name_.end()) by_name_.erase(it);
}

std::string FunctionLibrary::gradient_of(std::string_view function) const {
  const std::shared_lock lock(mutex_);
  const auto it = gradients_.find(function);
  return it == gradients_.end() ? "" : it->second;
}

std::map<std::string, std::string, std::less<>> FunctionLibrary::gradients() const {
  const std::shared_lock lock(mutex_);
  return gradients_;
}

bool FunctionLibrary::add_gradient(const std::string& function, const std::string& gradient) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = gradients_.emplace(function, gradient);
  require(is_new || it->second == gradient, "Cannot assign gradient function '", gradient, "' to '",
          function, "' because it already has gradient function '", it->second, "'");
  return is_new;
}

void FunctionLibrary::remove_gradient(std::string_view function) {
  const std::lock_guard lock(mutex_);
  if (const auto it = gradients_.find(function); it != gradients_.end()) gradients_.erase(it);
}

FunctionLibrary::BuildGradient FunctionLibrary::gradient_builder(std::string_view function) const {
  const std::shared_lock lock(mutex_);
  const auto it = builders_.find(function);
  return it == builders_.end() ? nullptr : it->second;
}

void FunctionLibrary::set_gradient_builder(const std::string& function, BuildGradient build) {
  const std::lock_guard lock(mutex_);
  builders_.insert_or_assign(function, std::move(build));
}

}  // namespace rill
