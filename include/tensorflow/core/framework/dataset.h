#ifndef TENSORFLOW_CORE_FRAMEWORK_DATASET_H_
#define TENSORFLOW_CORE_FRAMEWORK_DATASET_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/partial_tensor_shape.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/lib/core/errors.h"
#include "tensorflow/core/lib/core/refcount.h"
#include "tensorflow/core/lib/strings/strcat.h"
#include "tensorflow/core/platform/env.h"

namespace tensorflow {

class Node;

namespace data {

class DatasetBase;

// What datasets without a known number of elements answer.
constexpr int64 kInfiniteCardinality = -1;
constexpr int64 kUnknownCardinality = -2;

// Where the position of an iterator is read from; NotFound for keys that are not there.
class IteratorStateReader {
 public:
  virtual ~IteratorStateReader() {}
  virtual Status ReadScalar(StringPiece key, int64* value) = 0;
  virtual Status ReadScalar(StringPiece key, string* value) = 0;
  virtual Status ReadTensor(StringPiece key, Tensor* value) = 0;
  virtual bool Contains(StringPiece key) = 0;
};

// Where it is written to.
class IteratorStateWriter {
 public:
  virtual ~IteratorStateWriter() {}
  virtual Status WriteScalar(StringPiece key, const int64 value) = 0;
  virtual Status WriteScalar(StringPiece key, const string& value) = 0;
  virtual Status WriteTensor(StringPiece key, const Tensor& value) = 0;
};

// What an iterator may ask while it works.
class IteratorContext {
 public:
  Env* env() const { return Env::Default(); }
  Allocator* allocator(AllocatorAttributes) const { return cpu_allocator(); }
  // Runs something on another thread.
  std::function<void(std::function<void()>)>* runner() { return &runner_; }
  FunctionLibraryRuntime* lib() const { return nullptr; }
  bool is_restoring() const { return false; }

  struct Impl;
  explicit IteratorContext(const Impl* impl);
  const Impl* impl() const { return impl_; }

 private:
  const Impl* impl_;
  std::function<void(std::function<void()>)> runner_;
};

class SerializationContext {};

// The state of one walk through a dataset. GetNext may be called from several threads.
class IteratorBase {
 public:
  virtual ~IteratorBase() {}
  virtual Status GetNext(IteratorContext* ctx, std::vector<Tensor>* out_tensors,
                         bool* end_of_sequence) = 0;
  virtual const DataTypeVector& output_dtypes() const = 0;
  virtual const std::vector<PartialTensorShape>& output_shapes() const = 0;
  virtual const string& prefix() const = 0;
  virtual Status Initialize(IteratorContext*) { return Status::OK(); }

  Status Save(SerializationContext*, IteratorStateWriter* writer) { return SaveInternal(writer); }
  Status Restore(IteratorContext* ctx, IteratorStateReader* reader) {
    return RestoreInternal(ctx, reader);
  }

 protected:
  Status SaveInput(IteratorStateWriter* writer, const std::unique_ptr<IteratorBase>& input) {
    return input->SaveInternal(writer);
  }
  Status RestoreInput(IteratorContext* ctx, IteratorStateReader* reader,
                      const std::unique_ptr<IteratorBase>& input) {
    return input->RestoreInternal(ctx, reader);
  }
  // What the position consists of. Without these an iterator works but cannot be saved.
  virtual Status SaveInternal(IteratorStateWriter*) {
    return errors::Unimplemented("SaveInternal of ", prefix());
  }
  virtual Status RestoreInternal(IteratorContext*, IteratorStateReader*) {
    return errors::Unimplemented("RestoreInternal of ", prefix());
  }
  friend struct DatasetAccess;
};

class DatasetContext {
 public:
  explicit DatasetContext(OpKernelContext*) {}
};

// A sequence of elements; never changes.
class DatasetBase : public core::RefCounted {
 public:
  explicit DatasetBase(DatasetContext&&) {}
  explicit DatasetBase(OpKernelContext*) {}

  virtual const DataTypeVector& output_dtypes() const = 0;
  virtual const std::vector<PartialTensorShape>& output_shapes() const = 0;
  virtual string DebugString() const = 0;
  virtual int64 Cardinality() const { return kUnknownCardinality; }

  Status MakeIterator(IteratorContext* ctx, const string& output_prefix,
                      std::unique_ptr<IteratorBase>* iterator) const {
    *iterator = MakeIteratorInternal(output_prefix);
    if (*iterator == nullptr) return errors::Internal("no iterator was made of ", DebugString());
    return (*iterator)->Initialize(ctx);
  }

  // Writes a dataset as nodes of a graph. Nobody asks for that here: a dataset is written as the
  // node that made it, so every answer is Unimplemented.
  class DatasetGraphDefBuilder {
   public:
    Status AddInputDataset(SerializationContext*, const DatasetBase*, Node**) { return NotAsked(); }
    Status AddDataset(const DatasetBase*, const std::vector<Node*>&, Node**) { return NotAsked(); }
    Status AddDataset(const DatasetBase*, const std::vector<Node*>&,
                      const std::vector<std::pair<StringPiece, AttrValue>>&, Node**) {
      return NotAsked();
    }
    Status AddDataset(const DatasetBase*, const std::vector<std::pair<size_t, Node*>>&,
                      const std::vector<std::pair<size_t, gtl::ArraySlice<Node*>>>&,
                      const std::vector<std::pair<StringPiece, AttrValue>>&, Node**) {
      return NotAsked();
    }
    template <typename T>
    Status AddScalar(const T&, Node**) {
      return NotAsked();
    }
    template <typename T>
    Status AddVector(const std::vector<T>&, Node**) {
      return NotAsked();
    }
    Status AddTensor(const Tensor&, Node**) { return NotAsked(); }

   private:
    static Status NotAsked() {
      return errors::Unimplemented("datasets are written as the nodes that made them");
    }
  };

 protected:
  virtual std::unique_ptr<IteratorBase> MakeIteratorInternal(const string& prefix) const = 0;
  virtual Status AsGraphDefInternal(SerializationContext*, DatasetGraphDefBuilder*, Node**) const {
    return errors::Unimplemented("AsGraphDefInternal of ", DebugString());
  }
  // As releases before 1.13 declared it.
  virtual Status AsGraphDefInternal(DatasetGraphDefBuilder*, Node**) const {
    return errors::Unimplemented("AsGraphDefInternal of ", DebugString());
  }
};

using GraphDatasetBase = DatasetBase;

class DatasetBaseIterator : public IteratorBase {
 public:
  struct BaseParams {
    const DatasetBase* dataset;
    const string prefix;
  };
  explicit DatasetBaseIterator(const BaseParams& params) : params_(params) {
    params_.dataset->Ref();
  }
  ~DatasetBaseIterator() override { params_.dataset->Unref(); }

  const DataTypeVector& output_dtypes() const override { return params_.dataset->output_dtypes(); }
  const std::vector<PartialTensorShape>& output_shapes() const override {
    return params_.dataset->output_shapes();
  }
  const string& prefix() const override { return params_.prefix; }

  Status GetNext(IteratorContext* ctx, std::vector<Tensor>* out_tensors,
                 bool* end_of_sequence) final {
    *end_of_sequence = false;
    out_tensors->clear();
    return GetNextInternal(ctx, out_tensors, end_of_sequence);
  }

 protected:
  virtual Status GetNextInternal(IteratorContext* ctx, std::vector<Tensor>* out_tensors,
                                 bool* end_of_sequence) = 0;
  string full_name(const string& name) const { return strings::StrCat(prefix(), ":", name); }

 private:
  const BaseParams params_;
};

// The base of a program's own iterators.
template <class DatasetType>
class DatasetIterator : public DatasetBaseIterator {
 public:
  struct Params {
    const DatasetType* dataset;
    const string prefix;
  };
  explicit DatasetIterator(const Params& params)
      : DatasetBaseIterator({params.dataset, params.prefix}), typed_dataset_(params.dataset) {}
  const DatasetType* dataset() const { return typed_dataset_; }

 private:
  const DatasetType* const typed_dataset_;
};

// The dataset that a scalar of variants holds, borrowed from it, and the reverse, which takes the
// caller's reference over.
Status GetDatasetFromVariantTensor(const Tensor& tensor, DatasetBase** out_dataset);
Status StoreDatasetInVariantTensor(DatasetBase* dataset, Tensor* tensor);

// The base of kernels that make datasets.
class DatasetOpKernel : public OpKernel {
 public:
  explicit DatasetOpKernel(OpKernelConstruction* ctx) : OpKernel(ctx) {}
  void Compute(OpKernelContext* ctx) final;

 protected:
  virtual void MakeDataset(OpKernelContext* ctx, DatasetBase** output) = 0;

  template <typename T>
  Status ParseScalarArgument(OpKernelContext* ctx, const StringPiece& argument_name, T* output) {
    const Tensor* argument = nullptr;
    TF_RETURN_IF_ERROR(ctx->input(argument_name, &argument));
    if (!TensorShapeUtils::IsScalar(argument->shape()))
      return errors::InvalidArgument(argument_name, " must be a scalar");
    *output = argument->scalar<T>()();
    return Status::OK();
  }
  template <typename T>
  Status ParseVectorArgument(OpKernelContext* ctx, const StringPiece& argument_name,
                             std::vector<T>* output) {
    const Tensor* argument = nullptr;
    TF_RETURN_IF_ERROR(ctx->input(argument_name, &argument));
    if (!TensorShapeUtils::IsVector(argument->shape()))
      return errors::InvalidArgument(argument_name, " must be a vector");
    for (int64 i = 0; i < argument->NumElements(); ++i) output->push_back(argument->vec<T>()(i));
    return Status::OK();
  }
};

// The same for transformations of one dataset, their first input.
class UnaryDatasetOpKernel : public DatasetOpKernel {
 public:
  explicit UnaryDatasetOpKernel(OpKernelConstruction* ctx) : DatasetOpKernel(ctx) {}

 protected:
  void MakeDataset(OpKernelContext* ctx, DatasetBase** output) final;
  virtual void MakeDataset(OpKernelContext* ctx, DatasetBase* input, DatasetBase** output) = 0;
};

// And of two.
class BinaryDatasetOpKernel : public DatasetOpKernel {
 public:
  explicit BinaryDatasetOpKernel(OpKernelConstruction* ctx) : DatasetOpKernel(ctx) {}

 protected:
  void MakeDataset(OpKernelContext* ctx, DatasetBase** output) final;
  virtual void MakeDataset(OpKernelContext* ctx, DatasetBase* input, DatasetBase* another_input,
                           DatasetBase** output) = 0;
};

}  // namespace data

// The names that older sources use.
using data::BinaryDatasetOpKernel;
using data::DatasetBase;
using data::DatasetContext;
using data::DatasetIterator;
using data::DatasetOpKernel;
using data::GetDatasetFromVariantTensor;
using data::GraphDatasetBase;
using data::IteratorBase;
using data::IteratorContext;
using data::IteratorStateReader;
using data::IteratorStateWriter;
using data::SerializationContext;
using data::StoreDatasetInVariantTensor;
using data::UnaryDatasetOpKernel;

}  // namespace tensorflow

#endif
