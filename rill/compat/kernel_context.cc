#include <unordered_map>

#include "rill/compat/arg_ranges.h"
#include "rill/compat/convert.h"
#include "rill/compat/kernel_state.h"
#include "rill/kernel/variable.h"

namespace tensorflow {
namespace {

// A tensor that shares a variable's storage, which nobody else sees after this.
Tensor writable(rill::VariableResource& variable) {
  rill::Tensor value;
  variable.access([&](rill::Tensor& stored) {
    if (stored.has_value()) {
      const auto address = reinterpret_cast<std::uintptr_t>(stored.raw_data());
      if (!stored.is_exclusive() || address % Allocator::kAllocatorAlignment != 0)
        stored = stored.clone();
    }
    value = stored;
  });
  return TensorAccess::wrap(value);
}

class StepCancellation final : public CancellationManager {
 public:
  explicit StepCancellation(rill::Cancellation& step) : step_(step) {}
  ~StepCancellation() override {
    for (const auto& [token, inner] : registered_) step_.forget(inner);
  }
  bool IsCancelled() override { return step_.cancelled(); }
  CancellationToken get_cancellation_token() override { return next_++; }
  bool RegisterCallback(CancellationToken token, CancelCallback callback) override {
    if (step_.cancelled()) return false;
    const auto inner = step_.on_cancel(std::move(callback));
    const std::lock_guard lock(mutex_);
    registered_[token] = inner;
    return true;
  }
  bool DeregisterCallback(CancellationToken token) override {
    std::int64_t inner = 0;
    {
      const std::lock_guard lock(mutex_);
      const auto it = registered_.find(token);
      if (it == registered_.end()) return false;
      inner = it->second;
      registered_.erase(it);
    }
    step_.forget(inner);
    return !step_.cancelled();
  }

 private:
  rill::Cancellation& step_;
  std::atomic<CancellationToken> next_ = 0;
  std::mutex mutex_;
  std::unordered_map<CancellationToken, std::int64_t> registered_;
};

}  // namespace

mutex* mutex_of(const void* variable) {
  static std::mutex& guard = *new std::mutex;
  static auto& locks = *new std::unordered_map<const void*, std::unique_ptr<mutex>>;
  const std::lock_guard lock(guard);
  auto& found = locks[variable];
  if (found == nullptr) found.reset(new mutex);
  return found.get();
}

int OpKernelContext::num_inputs() const { return impl_->call.input_count(); }
int OpKernelContext::num_outputs() const { return impl_->call.output_count(); }
DataType OpKernelContext::input_dtype(int index) const {
  return from_rill(impl_->call.node().input_type(index));
}
DataType OpKernelContext::expected_output_dtype(int index) const {
  return from_rill(impl_->call.node().output_type(index));
}
bool OpKernelContext::input_is_ref(int index) const { return IsRefType(input_dtype(index)); }
bool OpKernelContext::has_input(int index) const {
  return index >= 0 && index < num_inputs() &&
         (input_is_ref(index) || impl_->call.input_tensor(index).has_value());
}

const Tensor& OpKernelContext::input(int index) {
  const std::lock_guard lock(impl_->mutex);
  rill::require(index >= 0 && index < num_inputs(), "there is no input ", index);
  auto& kept = impl_->inputs[static_cast<size_t>(index)];
  if (kept == nullptr) {
    rill::require(!input_is_ref(index), "input ", index, " is a reference: use mutable_input");
    kept.reset(new Tensor(TensorAccess::wrap_aligned(impl_->call.input_tensor(index))));
  }
  return *kept;
}

// The place of an argument that is not a list, or a return from the function around it.
#define RILL_SINGLE(args, name, index) \
  int index = 0;                       \
  TF_RETURN_IF_ERROR(place_of(impl_->call.node().op->args, impl_->call.node().attrs, name, &index))

Status OpKernelContext::input_dtype(StringPiece name, DataType* dtype) const {
  RILL_SINGLE(inputs, name, i);
  *dtype = input_dtype(i);
  return Status::OK();
}
Status OpKernelContext::input(StringPiece name, const Tensor** tensor) {
  RILL_SINGLE(inputs, name, i);
  *tensor = &input(i);
  return Status::OK();
}
Status OpKernelContext::input_list(StringPiece name, OpInputList* list) {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->call.node().op->inputs, impl_->call.node().attrs, name, &begin, &end));
  *list = OpInputList(this, begin, end);
  return Status::OK();
}
Status OpKernelContext::mutable_input_list(StringPiece name, OpMutableInputList* list) {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->call.node().op->inputs, impl_->call.node().attrs, name, &begin, &end));
  *list = OpMutableInputList(this, begin, end);
  return Status::OK();
}
Status OpKernelContext::output_list(StringPiece name, OpOutputList* list) {
  int begin = 0, end = 0;
  TF_RETURN_IF_ERROR(
      range_of(impl_->call.node().op->outputs, impl_->call.node().attrs, name, &begin, &end));
  *list = OpOutputList(this, begin, end);
  return Status::OK();
}

Tensor OpKernelContext::mutable_input(int index, bool) {
  return writable(*impl_->call.ref_input(index));
}
Status OpKernelContext::mutable_input(StringPiece name, Tensor* tensor, bool lock_held) {
  RILL_SINGLE(inputs, name, i);
  *tensor = mutable_input(i, lock_held);
  return Status::OK();
}
mutex* OpKernelContext::input_ref_mutex(int index) {
  return mutex_of(impl_->call.ref_input(index).get());
}
Status OpKernelContext::input_ref_mutex(StringPiece name, mutex** out_mutex) {
  RILL_SINGLE(inputs, name, i);
  *out_mutex = input_ref_mutex(i);
  return Status::OK();
}
void OpKernelContext::replace_ref_input(int index, const Tensor& tensor, bool) {
  impl_->call.ref_input(index)->assign(TensorAccess::unwrap(tensor));
}
Status OpKernelContext::replace_ref_input(StringPiece name, const Tensor& tensor, bool lock_held) {
  RILL_SINGLE(inputs, name, i);
  replace_ref_input(i, tensor, lock_held);
  return Status::OK();
}
void OpKernelContext::forward_ref_input_to_ref_output(int input_index, int output_index) {
  impl_->call.set_ref_output(output_index, impl_->call.ref_input(input_index));
  impl_->ref_is_set[static_cast<size_t>(output_index)] = true;
}
void OpKernelContext::delete_ref_input(int input_index, bool) {
  impl_->call.ref_input(input_index)->assign(rill::Tensor());
}

Status OpKernelContext::allocate_output(int index, const TensorShape& shape, Tensor** tensor) {
  *tensor = nullptr;
  return guarded([&] {
    rill::require(index >= 0 && index < num_outputs(), "there is no output ", index);
    const DataType type = expected_output_dtype(index);
    rill::require(!IsRefType(type), "output ", index, " is a reference and cannot be allocated");
    rill::Tensor made(to_rill(type), to_rill(shape), impl_->call.node().output_allocator(index));
    const std::lock_guard lock(impl_->mutex);
    auto& output = impl_->outputs[static_cast<size_t>(index)];
    output.reset(new Tensor(TensorAccess::wrap(made)));
    *tensor = output.get();
  });
}
Status OpKernelContext::allocate_output(StringPiece name, const TensorShape& shape,
                                        Tensor** tensor) {
  RILL_SINGLE(outputs, name, i);
  return allocate_output(i, shape, tensor);
}
Status OpKernelContext::allocate_output(int index, const TensorShape& shape, Tensor** tensor,
                                        AllocatorAttributes) {
  return allocate_output(index, shape, tensor);
}
Status OpKernelContext::allocate_temp(DataType type, const TensorShape& shape, Tensor* out_temp) {
  return allocate_temp(type, shape, out_temp, AllocatorAttributes(), AllocationAttributes());
}
Status OpKernelContext::allocate_temp(DataType type, const TensorShape& shape, Tensor* out_temp,
                                      AllocatorAttributes where, const AllocationAttributes&) {
  return guarded([&] {
    rill::Device& device = impl_->call.device();
    const bool is_host = where.on_host() || !rill::is_trivial(to_rill(type)) ||
                         device.memory_kind() == rill::MemoryKind::host;
    *out_temp = is_host ? Tensor(type, shape)
                        : TensorAccess::wrap(rill::Tensor(to_rill(type), to_rill(shape),
                                                          device.allocator(device.memory_kind())));
  });
}
Status OpKernelContext::allocate_persistent(DataType type, const TensorShape& shape,
                                            PersistentTensor* out_persistent, Tensor** out_tensor) {
  Tensor made;
  TF_RETURN_IF_ERROR(allocate_temp(type, shape, &made));
  *out_persistent = PersistentTensor(made);
  if (out_tensor != nullptr) *out_tensor = out_persistent->AccessTensor(this);
  return Status::OK();
}
Status OpKernelContext::allocate_persistent(DataType type, const TensorShape& shape,
                                            PersistentTensor* out_persistent, Tensor** out_tensor,
                                            AllocatorAttributes) {
  return allocate_persistent(type, shape, out_persistent, out_tensor);
}

// The plan does not say which inputs nobody reads afterwards, so none is taken over.
std::unique_ptr<Tensor> OpKernelContext::forward_input(int, int, DataType, const TensorShape&,
                                                       MemoryType, const AllocatorAttributes&) {
  return nullptr;
}
bool OpKernelContext::forward_input_to_output_with_shape(int, int, const TensorShape&, Tensor**) {
  return false;
}
Status OpKernelContext::forward_input_or_allocate_output(gtl::ArraySlice<int>, int output_index,
                                                         const TensorShape& output_shape,
                                                         Tensor** output, int* forwarded_input) {
  if (forwarded_input != nullptr) *forwarded_input = -1;
  return allocate_output(output_index, output_shape, output);
}
Status OpKernelContext::forward_input_or_allocate_output(gtl::ArraySlice<StringPiece>,
                                                         StringPiece output_name,
                                                         const TensorShape& output_shape,
                                                         Tensor** output) {
  return allocate_output(output_name, output_shape, output);
}
Status OpKernelContext::forward_input_or_allocate_temp(gtl::ArraySlice<int>, DataType type,
                                                       const TensorShape& shape,
                                                       const AllocatorAttributes&,
                                                       Tensor* out_temp) {
  return allocate_temp(type, shape, out_temp);
}

void OpKernelContext::set_output(int index, const Tensor& tensor) {
  rill::require(index >= 0 && index < num_outputs(), "there is no output ", index);
  if (tensor.dtype() != expected_output_dtype(index))
    raise(rill::Code::kInternal, "output ", index, " must be of type ",
          DataTypeString(expected_output_dtype(index)), " but was set to one of type ",
          DataTypeString(tensor.dtype()));
  const std::lock_guard lock(impl_->mutex);
  impl_->outputs[static_cast<size_t>(index)].reset(new Tensor(tensor));
}
Status OpKernelContext::set_output(StringPiece name, const Tensor& tensor) {
  RILL_SINGLE(outputs, name, i);
  set_output(i, tensor);
  return Status::OK();
}
void OpKernelContext::set_output_ref(int, mutex*, Tensor*) {
  raise(rill::Code::kUnimplemented, "OpKernelContext::set_output_ref: a kernel cannot own a ",
        "reference; keep a variable, or forward one with forward_ref_input_to_ref_output");
}
Tensor* OpKernelContext::mutable_output(int index) {
  rill::require(index >= 0 && index < num_outputs(), "there is no output ", index);
  const std::lock_guard lock(impl_->mutex);
  return impl_->outputs[static_cast<size_t>(index)].get();
}
Status OpKernelContext::mutable_output(StringPiece name, Tensor** tensor) {
  RILL_SINGLE(outputs, name, i);
  *tensor = mutable_output(i);
  return Status::OK();
}
TensorValue OpKernelContext::release_output(int index) {
  mutable_output(index);
  const std::lock_guard lock(impl_->mutex);
  return TensorValue(impl_->outputs[static_cast<size_t>(index)].release());
}
#undef RILL_SINGLE

bool OpKernelContext::ValidateInputsAreSameShape(OpKernel*) {
  for (int i = 1; i < num_inputs(); ++i) {
    if (input(0).IsSameSize(input(i))) continue;
    SetStatus(errors::InvalidArgument(
        "Inputs to operation ", op_kernel().name(), " of type ", op_kernel().type_string(),
        " must have the same size and shape.  Input 0: ", input(0).shape().DebugString(),
        " != input ", i, ": ", input(i).shape().DebugString()));
    return false;
  }
  return true;
}

Status OpKernelContext::MatchSignature(const DataTypeSlice expected_inputs,
                                       const DataTypeSlice expected_outputs) {
  return match_signature(expected_inputs, op_kernel().input_types(), expected_outputs,
                         op_kernel().output_types());
}

DeviceBase* OpKernelContext::device() const { return impl_->holder.device.get(); }
const OpKernel& OpKernelContext::op_kernel() const { return *impl_->holder.kernel; }
int64 OpKernelContext::step_id() const { return impl_->call.step().step_id; }
ResourceMgr* OpKernelContext::resource_manager() const {
  KernelHolder& holder = impl_->holder;
  std::call_once(holder.resources_made,
                 [&] { holder.resources.reset(new ResourceMgr(impl_->call.step().resources)); });
  return holder.resources.get();
}
CancellationManager* OpKernelContext::cancellation_manager() const {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->cancellation == nullptr)
    impl_->cancellation.reset(new StepCancellation(*impl_->call.step().cancellation));
  return impl_->cancellation.get();
}

void OpKernelContext::SetStatus(const Status& status) {
  const std::lock_guard lock(impl_->mutex);
  impl_->status.Update(status);
}
Status OpKernelContext::status() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->status;
}
void OpKernelContext::CtxFailure(const char*, int, const Status& s) { SetStatus(s); }
void OpKernelContext::CtxFailureWithWarning(const char*, int, const Status& s) { SetStatus(s); }

void KernelAccess::finish(OpKernelContext::Impl& impl) {
  impl.cancellation.reset();
  if (!impl.status.ok()) throw to_error(impl.status);
  for (size_t i = 0; i < impl.outputs.size(); ++i) {
    if (impl.ref_is_set[i]) continue;
    if (impl.outputs[i] == nullptr)
      raise(rill::Code::kInternal, "Missing ", i, "-th output from node ", impl.call.node().name);
    rill::Tensor value = TensorAccess::unwrap(*impl.outputs[i]);
    if (!value.has_value())
      raise(rill::Code::kInternal, "the ", i, "-th output of node ", impl.call.node().name,
            " was set to a tensor without value");
    impl.call.set_output(static_cast<int>(i), std::move(value));
  }
}

}  // namespace tensorflow
