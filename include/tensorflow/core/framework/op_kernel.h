#ifndef TENSORFLOW_CORE_FRAMEWORK_OP_KERNEL_H_
#define TENSORFLOW_CORE_FRAMEWORK_OP_KERNEL_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/core/framework/allocator.h"
#include "tensorflow/core/framework/cancellation.h"
#include "tensorflow/core/framework/device_base.h"
#include "tensorflow/core/framework/kernel_def_builder.h"
#include "tensorflow/core/framework/node_def.pb.h"
#include "tensorflow/core/framework/node_def_util.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/framework/tensor_shape.h"
#include "tensorflow/core/framework/types.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/gtl/array_slice.h"
#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/mutex.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

class AsyncOpKernel;
class FunctionLibraryRuntime;
class OpKernelConstruction;
class OpKernelContext;
class ResourceMgr;
class PersistentTensor;

// The implementation of an op for one node. Compute may run in several threads at once; what it
// throws fails the step and names the node.
class OpKernel {
 public:
  explicit OpKernel(OpKernelConstruction* context);
  virtual ~OpKernel();
  virtual void Compute(OpKernelContext* context) = 0;
  virtual AsyncOpKernel* AsAsync() { return nullptr; }
  virtual bool IsExpensive() { return true; }

  const NodeDef& def() const { return def_; }
  const string& name() const { return def_.name(); }
  const string& type_string() const { return def_.op(); }
  const string& requested_device() const { return def_.device(); }
  int num_inputs() const { return static_cast<int>(input_types_.size()); }
  DataType input_type(int i) const { return input_types_.at(static_cast<size_t>(i)); }
  const DataTypeVector& input_types() const { return input_types_; }
  int num_outputs() const { return static_cast<int>(output_types_.size()); }
  DataType output_type(int o) const { return output_types_.at(static_cast<size_t>(o)); }
  const DataTypeVector& output_types() const { return output_types_; }
  MemoryType input_memory_type(int) const { return HOST_MEMORY; }
  MemoryType output_memory_type(int) const { return HOST_MEMORY; }
  Status InputRange(StringPiece input_name, int* start, int* stop) const;
  Status OutputRange(StringPiece output_name, int* start, int* stop) const;
  string ShapeTraceString(const OpKernelContext&) const { return name(); }

 private:
  friend struct KernelAccess;
  NodeDef def_;
  DataTypeVector input_types_, output_types_;
  TF_DISALLOW_COPY_AND_ASSIGN(OpKernel);
};

// A kernel that may be done later; it calls `done` once, from any thread.
class AsyncOpKernel : public OpKernel {
 public:
  using OpKernel::OpKernel;
  typedef std::function<void()> DoneCallback;
  virtual void ComputeAsync(OpKernelContext* context, DoneCallback done) = 0;
  AsyncOpKernel* AsAsync() final { return this; }
  void Compute(OpKernelContext* context) final;
};

// What a kernel's constructor may ask.
class OpKernelConstruction {
 public:
  // A name without value fails with NotFound, one of another kind with InvalidArgument.
  template <class T>
  Status GetAttr(StringPiece attr_name, T* value) const {
    return GetNodeAttr(AttrSlice(def()), attr_name, value);
  }
  bool HasAttr(StringPiece attr_name) const { return HasNodeAttr(def(), attr_name); }
  const NodeDef& def() const;
  int num_inputs() const { return static_cast<int>(input_types().size()); }
  DataType input_type(int i) const { return input_types().at(static_cast<size_t>(i)); }
  const DataTypeVector& input_types() const;
  int num_outputs() const { return static_cast<int>(output_types().size()); }
  DataType output_type(int i) const { return output_types().at(static_cast<size_t>(i)); }
  const DataTypeVector& output_types() const;
  Status MatchSignature(const DataTypeSlice expected_inputs, const DataTypeSlice expected_outputs);

  Status allocate_temp(DataType type, const TensorShape& shape, Tensor* out_temp);
  Status allocate_persistent(DataType type, const TensorShape& shape,
                             PersistentTensor* out_persistent, Tensor** out_tensor);

  DeviceBase* device() const;
  const DeviceType& device_type() const;
  Env* env() const { return Env::Default(); }
  FunctionLibraryRuntime* function_library() const { return nullptr; }
  int graph_def_version() const;

  void SetStatus(const Status& status);
  const Status& status() const;
  void CtxFailure(const Status& s) { SetStatus(s); }
  void CtxFailureWithWarning(const Status& s) { SetStatus(s); }
  void CtxFailure(const char* file, int line, const Status& s);
  void CtxFailureWithWarning(const char* file, int line, const Status& s);

  struct Impl;
  explicit OpKernelConstruction(Impl* impl) : impl_(impl) {}

 private:
  friend struct KernelAccess;
  Impl* impl_;
  TF_DISALLOW_COPY_AND_ASSIGN(OpKernelConstruction);
};

// The inputs of a list argument.
class OpInputList {
 public:
  OpInputList() : ctx_(nullptr), start_(0), stop_(0) {}
  OpInputList(OpKernelContext* ctx, int start, int stop) : ctx_(ctx), start_(start), stop_(stop) {}
  int size() const { return stop_ - start_; }
  const Tensor& operator[](int i) const;

  class Iterator {
   public:
    Iterator(const OpInputList* list, int i) : list_(list), i_(i) {}
    bool operator==(const Iterator& o) const { return i_ == o.i_; }
    bool operator!=(const Iterator& o) const { return i_ != o.i_; }
    Iterator& operator++() { return ++i_, *this; }
    const Tensor& operator*() const { return (*list_)[i_]; }
    const Tensor* operator->() const { return &(*list_)[i_]; }

   private:
    const OpInputList* list_;
    int i_;
  };
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, size()); }

 private:
  OpKernelContext* ctx_;
  int start_, stop_;
};

class OpMutableInputList {
 public:
  OpMutableInputList() : ctx_(nullptr), start_(0), stop_(0) {}
  OpMutableInputList(OpKernelContext* ctx, int start, int stop)
      : ctx_(ctx), start_(start), stop_(stop) {}
  int size() const { return stop_ - start_; }
  Tensor at(int i, bool lock_held);
  mutex* ref_mutex(int i);

 private:
  OpKernelContext* ctx_;
  int start_, stop_;
};

// The outputs of a list argument.
class OpOutputList {
 public:
  OpOutputList() : ctx_(nullptr), start_(0), stop_(0) {}
  OpOutputList(OpKernelContext* ctx, int start, int stop) : ctx_(ctx), start_(start), stop_(stop) {}
  int size() const { return stop_ - start_; }
  Tensor* operator[](int i);
  bool required(int) const { return true; }
  DataType expected_output_dtype(int i) const;
  Status allocate(int i, const TensorShape& shape, Tensor** output);
  void set(int i, const Tensor& tensor);
  void set_ref(int i, mutex* mu, Tensor* tensor_for_ref);

 private:
  OpKernelContext* ctx_;
  int start_, stop_;
};

// A tensor that a kernel keeps between calls.
class PersistentTensor {
 public:
  PersistentTensor() {}
  explicit PersistentTensor(const Tensor& tensor) : tensor_(tensor) {}
  Tensor* AccessTensor(OpKernelConstruction*) { return &tensor_; }
  Tensor* AccessTensor(OpKernelContext*) { return &tensor_; }
  bool IsInitialized() const { return tensor_.IsInitialized(); }
  int64 NumElements() const { return tensor_.NumElements(); }

 private:
  Tensor tensor_;
};

struct TensorValue {
  TensorValue() : mutex_if_ref(nullptr), tensor(nullptr) {}
  explicit TensorValue(Tensor* t) : mutex_if_ref(nullptr), tensor(t) {}
  Tensor* operator->() const { return tensor; }
  bool is_ref() const { return mutex_if_ref != nullptr; }
  mutex* mutex_if_ref;
  Tensor* tensor;
};

// One run of a kernel: its inputs, its outputs and its surroundings.
class OpKernelContext {
 public:
  int num_inputs() const;
  DataType input_dtype(int index) const;
  Status input_dtype(StringPiece name, DataType* dtype) const;
  MemoryType input_memory_type(int) const { return HOST_MEMORY; }
  bool input_is_ref(int index) const;
  bool has_input(int index) const;
  // Throws when there is no such input, or when it is a reference.
  const Tensor& input(int index);
  Status input(StringPiece name, const Tensor** tensor);
  Status input_list(StringPiece name, OpInputList* list);
  Status mutable_input_list(StringPiece name, OpMutableInputList* list);

  // Reference inputs. What is written into the tensor is written into the variable.
  Tensor mutable_input(int index, bool lock_held);
  Status mutable_input(StringPiece name, Tensor* tensor, bool lock_held);
  mutex* input_ref_mutex(int index);
  Status input_ref_mutex(StringPiece name, mutex** out_mutex);
  void replace_ref_input(int index, const Tensor& tensor, bool lock_held);
  Status replace_ref_input(StringPiece name, const Tensor& tensor, bool lock_held);
  void forward_ref_input_to_ref_output(int input_index, int output_index);
  void delete_ref_input(int input_index, bool lock_held);

  int num_outputs() const;
  DataType expected_output_dtype(int index) const;
  MemoryType output_memory_type(int) const { return HOST_MEMORY; }
  bool output_required(int) const { return true; }
  Status allocate_output(int index, const TensorShape& shape, Tensor** tensor);
  Status allocate_output(StringPiece name, const TensorShape& shape, Tensor** tensor);
  Status allocate_output(int index, const TensorShape& shape, Tensor** tensor,
                         AllocatorAttributes attr);
  Status allocate_temp(DataType type, const TensorShape& shape, Tensor* out_temp);
  Status allocate_temp(DataType type, const TensorShape& shape, Tensor* out_temp,
                       AllocatorAttributes attr, const AllocationAttributes& = {});
  Status allocate_persistent(DataType type, const TensorShape& shape,
                             PersistentTensor* out_persistent, Tensor** out_tensor);
  Status allocate_persistent(DataType type, const TensorShape& shape,
                             PersistentTensor* out_persistent, Tensor** out_tensor,
                             AllocatorAttributes attr);
  // An input's storage is never taken over here: these always allocate, and forward_input finds
  // nothing to forward.
  std::unique_ptr<Tensor> forward_input(int input_index, int output_index, DataType output_dtype,
                                        const TensorShape& output_shape, MemoryType memory,
                                        const AllocatorAttributes& attr);
  bool forward_input_to_output_with_shape(int input_index, int output_index,
                                          const TensorShape& output_shape, Tensor** output);
  Status forward_input_or_allocate_output(gtl::ArraySlice<int> candidate_input_indices,
                                          int output_index, const TensorShape& output_shape,
                                          Tensor** output, int* forwarded_input = nullptr);
  Status forward_input_or_allocate_output(gtl::ArraySlice<StringPiece> candidate_input_names,
                                          StringPiece output_name, const TensorShape& output_shape,
                                          Tensor** output);
  Status forward_input_or_allocate_temp(gtl::ArraySlice<int> candidate_input_indices, DataType type,
                                        const TensorShape& shape, const AllocatorAttributes& attr,
                                        Tensor* out_temp);
  void set_output(int index, const Tensor& tensor);
  Status set_output(StringPiece name, const Tensor& tensor);
  void set_output_ref(int index, mutex* mu, Tensor* tensor_for_ref);
  Tensor* mutable_output(int index);  // nullptr until it is allocated or set
  Status mutable_output(StringPiece name, Tensor** tensor);
  Status output_list(StringPiece name, OpOutputList* list);
  TensorValue release_output(int index);

  bool ValidateInputsAreSameShape(OpKernel* op);
  Status MatchSignature(const DataTypeSlice expected_inputs, const DataTypeSlice expected_outputs);

  DeviceBase* device() const;
  const Eigen::ThreadPoolDevice& eigen_cpu_device() const { return *device()->eigen_cpu_device(); }
  template <typename EigenDeviceType>
  const EigenDeviceType& eigen_device() const;
  Env* env() const { return Env::Default(); }
  Allocator* get_allocator(AllocatorAttributes attr) { return device()->GetAllocator(attr); }
  AllocatorAttributes input_alloc_attr(int) const { return AllocatorAttributes(); }
  AllocatorAttributes output_alloc_attr(int) const { return AllocatorAttributes(); }
  ResourceMgr* resource_manager() const;
  CancellationManager* cancellation_manager() const;
  FunctionLibraryRuntime* function_library() const { return nullptr; }
  const OpKernel& op_kernel() const;
  int64 step_id() const;
  int64 frame_id() const { return 0; }
  int64 iter_id() const { return 0; }
  bool is_input_dead() const { return false; }
  string session_handle() const { return string(); }

  void SetStatus(const Status& status);
  Status status() const;
  void CtxFailure(const Status& s) { SetStatus(s); }
  void CtxFailureWithWarning(const Status& s) { SetStatus(s); }
  void CtxFailure(const char* file, int line, const Status& s);
  void CtxFailureWithWarning(const char* file, int line, const Status& s);

  struct Impl;
  explicit OpKernelContext(Impl* impl) : impl_(impl) {}

 private:
  friend struct KernelAccess;
  Impl* impl_;
  TF_DISALLOW_COPY_AND_ASSIGN(OpKernelContext);
};

template <>
const Eigen::ThreadPoolDevice& OpKernelContext::eigen_device() const;
template <>
const Eigen::DefaultDevice& OpKernelContext::eigen_device() const;

// --- registration ------------------------------------------------------------------------------

namespace register_kernel {
class Name : public KernelDefBuilder {
 public:
  explicit Name(const char* op) : KernelDefBuilder(op) {}
};
}  // namespace register_kernel

namespace kernel_factory {

typedef OpKernel* (*Factory)(OpKernelConstruction*);

// Registers a kernel. Which kernel a node gets is decided when the node is first run.
class OpKernelRegistrar {
 public:
  OpKernelRegistrar(const KernelDefinition& definition, const char* class_name, Factory create,
                    bool is_async);
};

}  // namespace kernel_factory
}  // namespace tensorflow

// Ends with its own semicolon: lists of types put several of these side by side.
#define REGISTER_KERNEL_BUILDER(kernel_builder, ...) \
  REGISTER_KERNEL_BUILDER_UNIQ_HELPER(__COUNTER__, kernel_builder, __VA_ARGS__)
#define REGISTER_KERNEL_BUILDER_UNIQ_HELPER(ctr, kernel_builder, ...) \
  REGISTER_KERNEL_BUILDER_UNIQ(ctr, kernel_builder, __VA_ARGS__)
#define REGISTER_KERNEL_BUILDER_UNIQ(ctr, kernel_builder, ...)                                  \
  static const ::tensorflow::kernel_factory::OpKernelRegistrar registrar__body__##ctr##__object \
  TF_ATTRIBUTE_UNUSED(                                                                          \
      ::tensorflow::register_kernel::kernel_builder.Build(), #__VA_ARGS__,                      \
      [](::tensorflow::OpKernelConstruction* context) -> ::tensorflow::OpKernel* {              \
        return new __VA_ARGS__(context);                                                        \
      },                                                                                        \
      std::is_base_of<::tensorflow::AsyncOpKernel, __VA_ARGS__>::value);
#define REGISTER_SYSTEM_KERNEL_BUILDER(kernel_builder, ...) \
  REGISTER_KERNEL_BUILDER(kernel_builder, __VA_ARGS__)

// --- leaving a kernel with an error ------------------------------------------------------------

#define OP_REQUIRES(CTX, EXP, STATUS)                  \
  do {                                                 \
    if (!TF_PREDICT_TRUE(EXP)) {                       \
      (CTX)->CtxFailure(__FILE__, __LINE__, (STATUS)); \
      return;                                          \
    }                                                  \
  } while (0)
#define OP_REQUIRES_OK(CTX, ...)                            \
  do {                                                      \
    ::tensorflow::Status _s(__VA_ARGS__);                   \
    if (!TF_PREDICT_TRUE(_s.ok())) {                        \
      (CTX)->CtxFailureWithWarning(__FILE__, __LINE__, _s); \
      return;                                               \
    }                                                       \
  } while (0)
#define OP_REQUIRES_ASYNC(CTX, EXP, STATUS, CALLBACK)  \
  do {                                                 \
    if (!TF_PREDICT_TRUE(EXP)) {                       \
      (CTX)->CtxFailure(__FILE__, __LINE__, (STATUS)); \
      (CALLBACK)();                                    \
      return;                                          \
    }                                                  \
  } while (0)
#define OP_REQUIRES_OK_ASYNC(CTX, STATUS, CALLBACK)         \
  do {                                                      \
    const ::tensorflow::Status _s(STATUS);                  \
    if (!TF_PREDICT_TRUE(_s.ok())) {                        \
      (CTX)->CtxFailureWithWarning(__FILE__, __LINE__, _s); \
      (CALLBACK)();                                         \
      return;                                               \
    }                                                       \
  } while (0)

#endif
