#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {

// One node of a function's body, as the wire format has it. Attributes may be placeholders. Inputs
// are an argument ("x", "x:1" for an element of a list), an output of a node ("node:out:0", counted
// within that output argument) or a node to wait for ("^node").
struct FunctionNode {
  std::string name, op, device;
  std::vector<std::string> inputs;
  AttrMap attrs;
  friend bool operator==(const FunctionNode&, const FunctionNode&) = default;
};

// A function: what a call of it looks like, and what it stands for once its attributes are known.
struct Function {
  Op signature;  // a node of this op is a call
  std::vector<FunctionNode> nodes;
  std::map<std::string, std::string> returns;          // output argument, what it is
  std::map<std::string, std::string> control_returns;  // name, node that a call waits for
  std::vector<std::string> control_outputs;            // the names of control_returns, in order
  AttrMap attrs;                                       // "_noinline" and others
  std::map<std::uint32_t, AttrMap> arg_attrs;
  int producer = kGraphDefVersion;  // of the GraphDef that it came with

  const std::string& name() const { return signature.name; }
  bool flag(std::string_view attr) const;  // false when the attribute is not there
};
// Equal signature, body and attributes, whatever the order of the nodes.
bool same_definition(const Function& a, const Function& b);

// Appends the names of the functions that an attribute mentions, attributes of those included.
void find_functions(const AttrValue& value, std::vector<std::string>& names);

// The functions of a graph and of the bodies of its functions, by name; and which function is the
// gradient of which. Definitions are never changed. Safe from several threads.
class FunctionLibrary {
 public:
  std::shared_ptr<const Function> find(std::string_view name) const;  // nullptr: there is none
  std::shared_ptr<const Function> at(std::string_view name) const;    // throws NotFound
  bool empty() const;
  std::vector<std::shared_ptr<const Function>> all() const;  // in the order of definition

  // Returns false if the same function is there already; throws InvalidArgument if another one of
  // that name is.
  bool add(Function function);
  void remove(std::string_view name);  // for undoing an addition that nobody has used

  // The function that computes the gradient of `function`, or "".
  std::string gradient_of(std::string_view function) const;
  std::map<std::string, std::string, std::less<>> gradients() const;
  bool add_gradient(const std::string& function, const std::string& gradient);  // as add()
  void remove_gradient(std::string_view function);

  // How a program builds the gradient of a call itself; nothing when it does not. Not part of what
  // is written to files.
  // Returns false where it cannot; then the gradient is derived.
  using BuildGradient = std::function<bool(GradCtx&)>;
  BuildGradient gradient_builder(std::string_view function) const;
  void set_gradient_builder(const std::string& function, BuildGradient build);

 private:
  mutable std::shared_mutex mutex_;
  std::vector<std::shared_ptr<const Function>> ordered_;
  std::map<std::string, std::shared_ptr<const Function>, std::less<>> by_name_;
  std::map<std::string, std::string, std::less<>> gradients_;
  std::map<std::string, BuildGradient, std::less<>> builders_;
};

}  // namespace rill
