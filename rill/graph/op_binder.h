#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// Binds arguments and attributes to an op as TensorFlow's wrappers do: arguments in order, each one
// fixing the attributes that it determines for those that follow. Values become constants in
// `scope`, which is the op's own name scope.
class OpBinder {
 public:
  OpBinder(const Op& op, Scope& scope, AttrMap attrs)
      : op_(op), scope_(scope), attrs_(std::move(attrs)) {}

  // Throws InvalidArgument naming the op and the argument or attribute that does not fit.
  NodeSpec bind(const std::vector<InputArg>& inputs);

 private:
  void bind_single(const Arg& arg, const Input& input);
  void bind_repeated(const Arg& arg, const std::vector<Input>& items);
  void bind_type_list(const Arg& arg, const std::vector<Input>& items);
  void set_length(const Arg& arg, std::size_t length);
  void set_type(const Arg& arg, DType type);
  void check_mutable(const Arg& arg, Output output) const;
  void check_attrs();

  // The type that the argument must have, or invalid; and the one it has unless its value says
  // otherwise.
  DType wanted_type(const Arg& arg) const;
  DType preferred_type(const Arg& arg) const;
  const AttrValue* default_of(const std::string& attr) const;
  Output convert(const Arg& arg, const Input& input, DType wanted, DType preferred,
                 const std::string& name);
  Tensor make_value(const Arg& arg, const Input& input, DType wanted, DType preferred) const;

  const Op& op_;
  Scope& scope_;
  AttrMap attrs_;
  std::vector<Output> inputs_;
  std::map<std::string, std::string, std::less<>> fixed_by_;  // attribute, argument
};

}  // namespace rill
