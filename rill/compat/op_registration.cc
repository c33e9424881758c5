#include <mutex>
#include <set>
#include <unordered_map>

#include "rill/compat/convert.h"
#include "rill/compat/library.h"
#include "rill/compat/op_text.h"
#include "rill/compat/shape_call.h"
#include "rill/graph/op_def.h"
#include "rill/ops/register.h"
#include "tensorflow/core/framework/op.h"

namespace tensorflow {

struct OpDefBuilderAccess {
  static rill::OpText text(const OpDefBuilder& b) {
    rill::OpText text;
    text.name = b.name_;
    text.doc = b.doc_;
    text.attrs = b.attrs_;
    text.inputs = b.inputs_;
    text.outputs = b.outputs_;
    // Never kPure: authors forget SetIsStateful, and folding would run their kernels without a
    // session behind them.
    if (b.is_stateful_) text.traits |= rill::kStateful;
    if (b.is_commutative_) text.traits |= rill::kCommutative;
    if (b.is_aggregate_) text.traits |= rill::kAggregate;
    if (b.allows_uninitialized_input_) text.traits |= rill::kUninitializedOk;
    text.deprecated = b.deprecated_;
    text.deprecated_why = b.deprecated_why_;
    return text;
  }
  static const OpShapeInferenceFn& shape_fn(const OpDefBuilder& b) { return b.shape_fn_; }
};

Status OpDefBuilder::Finalize(OpRegistrationData* op_reg_data) const {
  return guarded([&] {
    rill::to_proto(rill::parse_op(OpDefBuilderAccess::text(*this)), &op_reg_data->op_def);
    op_reg_data->shape_inference_fn = shape_fn_;
  });
}

namespace register_op {

OpDefBuilderReceiver::OpDefBuilderReceiver(const OpDefBuilderWrapper& wrapper) {
  const rill::OpText text = OpDefBuilderAccess::text(wrapper.builder());
  rill::note_registration(text.name, [&]() -> const rill::Op* {
    rill::Op op = rill::parse_op(text);
    const OpShapeInferenceFn& shape_fn = OpDefBuilderAccess::shape_fn(wrapper.builder());
    if (shape_fn) op.shape = call_shape_function;
    const rill::Op& added = rill::standard_ops().add(std::move(op));
    if (shape_fn) set_shape_function(added, shape_fn);
    return &added;
  });
}

}  // namespace register_op

OpRegistry* OpRegistry::Global() {
  static OpRegistry& registry = *new OpRegistry;
  return &registry;
}

Status OpRegistry::LookUp(const string& op_type_name, const OpRegistrationData** data) const {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::unordered_map<string, std::unique_ptr<OpRegistrationData>>;
  return guarded([&] {
    const rill::Op& op = rill::standard_ops().at(op_type_name);
    const std::lock_guard lock(mutex);
    auto& entry = known[op_type_name];
    if (entry == nullptr) {
      entry = std::make_unique<OpRegistrationData>();
      rill::to_proto(op, &entry->op_def);
    }
    *data = entry.get();
  });
}

Status OpRegistryInterface::LookUpOpDef(const string& op_type_name, const OpDef** op_def) const {
  const OpRegistrationData* data = nullptr;
  TF_RETURN_IF_ERROR(LookUp(op_type_name, &data));
  *op_def = &data->op_def;
  return Status::OK();
}

void OpRegistry::Export(bool include_internal, OpList* ops) const {
  ops->Clear();
  for (const rill::Op* op : rill::standard_ops().all())
    if (include_internal || !op->name.starts_with("_")) rill::to_proto(*op, ops->add_op());
}

string OpRegistry::DebugString(bool include_internal) const {
  OpList ops;
  Export(include_internal, &ops);
  string text;
  for (const OpDef& op : ops.op())
    text += rill::str_cat(op.name(), ": ", op.ShortDebugString(), "\n");
  return text;
}

}  // namespace tensorflow
