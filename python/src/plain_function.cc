#include "plain_function.h"

#include "attrs.h"
#include "errors.h"
#include "inputs.h"
#include "raw_ops.h"
#include "rill/api/core/default_graph.h"
#include "rill/ops/register.h"

namespace rill::python {
namespace {

// The function's name of an argument of the op.
std::string_view parameter_of(const PlainOp& plain, std::string_view argument) {
  for (const std::string_view rename : split(plain.renames, ' ')) {
    const std::size_t equals = rename.find('=');
    if (equals != rename.npos && rename.substr(equals + 1) == argument)
      return rename.substr(0, equals);
  }
  return argument;
}

}  // namespace

nb::object run_plain(const PlainOp& plain, const Call& call) {
  const Op& op = standard_ops().at(plain.op);
  std::vector<InputArg> inputs;
  for (const Arg& arg : op.inputs) {
    const nb::handle value = call[parameter_of(plain, arg.name)];
    if (value.is_none()) value_error("None values not supported.");
    inputs.push_back(input_arg(op, arg, value));
  }
  AttrMap attrs;
  for (const AttrSpec& attr : op.attrs) {
    const std::string_view parameter = parameter_of(plain, attr.name);
    if (op.is_inferred(attr.name) || !call.knows(parameter) || !call.has(parameter)) continue;
    attrs.emplace(attr.name, attr_from_python(attr, call[parameter]));
  }
  const std::string name = call.name();
  Node& node = current_scope().add(op, std::move(inputs), std::move(attrs),
                                   name.empty() ? plain.node_name : name);
  return op_result(node);
}

}  // namespace rill::python
