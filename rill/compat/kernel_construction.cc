#include "rill/compat/arg_ranges.h"
#include "rill/compat/convert.h"
#include "rill/compat/kernel_state.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/graph.h"
#include "rill/ops/register.h"
#include "tensorflow/core/lib/core/notification.h"

namespace tensorflow {

Status match_signature(const DataTypeSlice expected_inputs, const DataTypeVector& inputs,
                       const DataTypeSlice expected_outputs, const DataTypeVector& outputs) {
  bool same = expected_inputs.size() == inputs.size() && expected_outputs.size() == outputs.size();
  for (size_t i = 0; same && i < inputs.size(); ++i)
    same = TypesCompatible(expected_inputs[i], inputs[i]);
  for (size_t i = 0; same && i < outputs.size(); ++i)
    same = TypesCompatible(expected_outputs[i], outputs[i]);
  if (same) return Status::OK();
  return errors::InvalidArgument("Signature mismatch, have: ", DataTypeSliceString(inputs), "->",
                                 DataTypeSliceString(outputs),
                                 " expected: ", DataTypeSliceString(expected_inputs), "->",
                                 DataTypeSliceString(expected_outputs));
}

const Tensor& OpInputList::operator[](int i) const {
  rill::require(i >= 0 && i < size(), "a list of ", size(), " inputs has no element ", i);
  return ctx_->input(start_ + i);
}
Tensor OpMutableInputList::at(int i, bool lock_held) {
  return ctx_->mutable_input(start_ + i, lock_held);
}
mutex* OpMutableInputList::ref_mutex(int i) { return ctx_->input_ref_mutex(start_ + i); }
Tensor* OpOutputList::operator[](int i) { return ctx_->mutable_output(start_ + i); }
DataType OpOutputList::expected_output_dtype(int i) const {
  return ctx_->expected_output_dtype(start_ + i);
}
Status OpOutputList::allocate(int i, const TensorShape& shape, Tensor** output) {
  return ctx_->allocate_output(start_ + i, shape, output);
}
void OpOutputList::set(int i, const Tensor& tensor) { ctx_->set_output(start_ + i, tensor); }
void OpOutputList::set_ref(int i, mutex* mu, Tensor* tensor_for_ref) {
  ctx_->set_output_ref(start_ + i, mu, tensor_for_ref);
}

// --- construction ------------------------------------------------------------------------------

const NodeDef& OpKernelConstruction::def() const { return impl_->def; }
const DataTypeVector& OpKernelConstruction::input_types() const { return impl_->input_types; }
const DataTypeVector& OpKernelConstruction::output_types() const { return impl_->output_types; }
DeviceBase* OpKernelConstruction::device() const { return impl_->device; }
const DeviceType& OpKernelConstruction::device_type() const { return impl_->device_type; }
int OpKernelConstruction::graph_def_version() const { return rill::kGraphDefVersion; }
Status OpKernelConstruction::MatchSignature(const DataTypeSlice expected_inputs,
                                            const DataTypeSlice expected_outputs) {
  return match_signature(expected_inputs, input_types(), expected_outputs, output_types());
}
Status OpKernelConstruction::allocate_temp(DataType type, const TensorShape& shape,
                                           Tensor* out_temp) {
  return guarded([&] { *out_temp = Tensor(type, shape); });
}
Status OpKernelConstruction::allocate_persistent(DataType type, const TensorShape& shape,
                                                 PersistentTensor* out_persistent,
                                                 Tensor** out_tensor) {
  Tensor made;
  TF_RETURN_IF_ERROR(allocate_temp(type, shape, &made));
  *out_persistent = PersistentTensor(made);
  if (out_tensor != nullptr) *out_tensor = out_persistent->AccessTensor(this);
  return Status::OK();
}
void OpKernelConstruction::SetStatus(const Status& status) { impl_->status.Update(status); }
const Status& OpKernelConstruction::status() const { return impl_->status; }
void OpKernelConstruction::CtxFailure(const char*, int, const Status& s) { SetStatus(s); }
void OpKernelConstruction::CtxFailureWithWarning(const char*, int, const Status& s) {
  SetStatus(s);
}

OpKernel::OpKernel(OpKernelConstruction* context)
    : def_(context->def()),
      input_types_(context->input_types()),
      output_types_(context->output_types()) {}
OpKernel::~OpKernel() {}

namespace {
Status range_of_def(const NodeDef& def, bool inputs, StringPiece name, int* start, int* stop) {
  return guarded([&] {
    const rill::Op& op = rill::standard_ops().at(def.op());
    rill::AttrMap attrs;
    for (const auto& [attr, value] : def.attr()) attrs.emplace(attr, rill::from_proto(value));
    const Status status = range_of(inputs ? op.inputs : op.outputs, attrs, name, start, stop);
    if (!status.ok()) throw to_error(status);
  });
}
}  // namespace

Status OpKernel::InputRange(StringPiece input_name, int* start, int* stop) const {
  return range_of_def(def_, true, input_name, start, stop);
}
Status OpKernel::OutputRange(StringPiece output_name, int* start, int* stop) const {
  return range_of_def(def_, false, output_name, start, stop);
}

void AsyncOpKernel::Compute(OpKernelContext* context) {
  Notification done;
  ComputeAsync(context, [&done] { done.Notify(); });
  done.WaitForNotification();
}

}  // namespace tensorflow
