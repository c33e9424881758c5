#include "rill/graph/op_def.h"

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/shape_ctx.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill {
namespace {

void write_declared(const Arg& arg, tensorflow::OpDef::ArgDef* proto) {
  proto->set_name(arg.name);
  proto->set_description(arg.doc);
  proto->set_type(static_cast<tensorflow::DataType>(arg.type));
  proto->set_type_attr(arg.type_attr);
  proto->set_number_attr(arg.number_attr);
  proto->set_type_list_attr(arg.type_list_attr);
  proto->set_is_ref(arg.is_ref);
}

Arg read_declared(const tensorflow::OpDef::ArgDef& proto) {
  return {.name = proto.name(),
          .doc = proto.description(),
          .type = proto.type() == 0 ? DType::invalid : dtype_from_proto(proto.type()),
          .type_attr = proto.type_attr(),
          .number_attr = proto.number_attr(),
          .type_list_attr = proto.type_list_attr(),
          .is_ref = proto.is_ref()};
}

void write_declared(const AttrSpec& attr, tensorflow::OpDef::AttrDef* proto) {
  proto->set_name(attr.name);
  proto->set_type(attr.kind_text());
  proto->set_description(attr.doc);
  if (attr.default_value) to_proto(*attr.default_value, proto->mutable_default_value());
  proto->set_has_minimum(attr.minimum.has_value());
  proto->set_minimum(attr.minimum.value_or(0));
  if (!attr.allowed_types.empty()) to_proto(attr.allowed_types, proto->mutable_allowed_values());
  if (!attr.allowed_strings.empty())
    to_proto(attr.allowed_strings, proto->mutable_allowed_values());
}

AttrSpec read_declared(const tensorflow::OpDef::AttrDef& proto) {
  AttrSpec attr = parse_attr(str_cat(proto.name(), ": ", proto.type()));
  attr.doc = proto.description();
  if (proto.has_minimum()) attr.minimum = proto.minimum();
  if (proto.has_allowed_values()) {
    const AttrValue allowed = from_proto(proto.allowed_values());
    if (const auto* types = allowed.get_if<std::vector<DType>>()) attr.allowed_types = *types;
    if (const auto* strings = allowed.get_if<std::vector<std::string>>())
      attr.allowed_strings = *strings;
  }
  if (proto.has_default_value()) {
    attr.default_value = from_proto(proto.default_value());
    attr.adapt(*attr.default_value);
    attr.check(*attr.default_value, "");
  }
  return attr;
}

}  // namespace

void to_proto(const Op& op, tensorflow::OpDef* proto) {
  proto->Clear();
  proto->set_name(op.name);
  for (const Arg& arg : op.inputs) write_declared(arg, proto->add_input_arg());
  for (const Arg& arg : op.outputs) write_declared(arg, proto->add_output_arg());
  for (const AttrSpec& attr : op.attrs) write_declared(attr, proto->add_attr());
  const auto end_of_line = std::min(op.doc.find('\n'), op.doc.size());
  proto->set_summary(op.doc.substr(0, end_of_line));
  proto->set_description(std::string(strip(std::string_view(op.doc).substr(end_of_line))));
  proto->set_is_commutative(op.has(kCommutative));
  proto->set_is_aggregate(op.has(kAggregate));
  proto->set_is_stateful(op.has(kStateful));
  proto->set_allows_uninitialized_input(op.has(kUninitializedOk));
  if (op.deprecated == 0) return;
  proto->mutable_deprecation()->set_version(op.deprecated);
  proto->mutable_deprecation()->set_explanation(op.deprecated_why);
}

Op from_proto(const tensorflow::OpDef& proto) {
  Op op;
  op.name = proto.name();
  op.doc = proto.summary();
  if (!proto.description().empty()) op.doc += "\n\n" + proto.description();
  for (const auto& arg : proto.input_arg()) op.inputs.push_back(read_declared(arg));
  for (const auto& arg : proto.output_arg()) op.outputs.push_back(read_declared(arg));
  for (const auto& attr : proto.attr()) op.attrs.push_back(read_declared(attr));
  if (proto.is_commutative()) op.traits |= kCommutative;
  if (proto.is_aggregate()) op.traits |= kAggregate;
  if (proto.is_stateful()) op.traits |= kStateful;
  if (proto.allows_uninitialized_input()) op.traits |= kUninitializedOk;
  op.shape = unknown_outputs;
  op.deprecated = proto.deprecation().version();
  op.deprecated_why = proto.deprecation().explanation();
  op.check();
  return op;
}

}  // namespace rill
