#include "tensorflow/core/framework/dataset.h"

#include "rill/base/background.h"
#include "rill/compat/convert.h"
#include "rill/compat/kernel_state.h"
#include "rill/ops/data/core/data_iterator.h"

namespace tensorflow {
namespace data {

struct IteratorContext::Impl {
  rill::PipelineRef pipeline;
};

IteratorContext::IteratorContext(const Impl* impl)
    : impl_(impl),
      runner_([](std::function<void()> task) { rill::run_in_background(std::move(task)); }) {}

struct DatasetAccess {
  static Status save(IteratorBase& iterator, IteratorStateWriter* writer) {
    return iterator.SaveInternal(writer);
  }
  static Status restore(IteratorBase& iterator, IteratorContext* ctx, IteratorStateReader* reader) {
    return iterator.RestoreInternal(ctx, reader);
  }
};

namespace {

class StateWriterAdapter final : public IteratorStateWriter {
 public:
  explicit StateWriterAdapter(rill::StateWriter& state) : state_(state) {}
  Status WriteScalar(StringPiece key, const int64 value) override {
    state_.put(to_rill(key), static_cast<std::int64_t>(value));
    return Status::OK();
  }
  Status WriteScalar(StringPiece key, const string& value) override {
    state_.put(to_rill(key), value);
    return Status::OK();
  }
  Status WriteTensor(StringPiece key, const Tensor& value) override {
    state_.put(to_rill(key), TensorAccess::unwrap(value));
    return Status::OK();
  }
  rill::StateWriter& state() { return state_; }

 private:
  rill::StateWriter& state_;
};

class StateReaderAdapter final : public IteratorStateReader {
 public:
  explicit StateReaderAdapter(const rill::StateReader& state) : state_(state) {}
  Status ReadScalar(StringPiece key, int64* value) override {
    return found(key, [&] { *value = state_.bits(to_rill(key)); });
  }
  Status ReadScalar(StringPiece key, string* value) override {
    return found(key, [&] { *value = state_.text(to_rill(key)); });
  }
  Status ReadTensor(StringPiece key, Tensor* value) override {
    return found(key, [&] { *value = TensorAccess::wrap_aligned(state_.tensor(to_rill(key))); });
  }
  bool Contains(StringPiece key) override { return state_.has(to_rill(key)); }
  const rill::StateReader& state() const { return state_; }

 private:
  template <class F>
  Status found(StringPiece key, F&& read) {
    if (!Contains(key)) return errors::NotFound("the saved position has no ", string(key));
    return guarded(read);
  }
  const rill::StateReader& state_;
};

rill::ElementSpec spec_of(const DatasetBase& dataset) {
  rill::ElementSpec spec;
  for (const DataType type : dataset.output_dtypes()) spec.types.push_back(to_rill(type));
  for (const PartialTensorShape& shape : dataset.output_shapes())
    spec.shapes.push_back(to_rill(shape));
  rill::require(spec.types.size() == spec.shapes.size(), dataset.DebugString(), " states ",
                spec.types.size(), " types and ", spec.shapes.size(), " shapes");
  return spec;
}

// A program's dataset, as the library sees it.
class OwnDataset final : public rill::Dataset {
 public:
  explicit OwnDataset(DatasetBase* dataset) : Dataset(spec_of(*dataset)), dataset_(dataset) {}
  ~OwnDataset() override { dataset_->Unref(); }
  std::unique_ptr<rill::DataIterator> iterate(const rill::PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return dataset_->Cardinality(); }
  DatasetBase* get() const { return dataset_; }

 private:
  class Iterator final : public rill::IteratorOf<OwnDataset> {
   public:
    Iterator(const OwnDataset& dataset, const rill::PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), around_{pipeline}, context_(&around_) {
      throw_if_error(dataset.dataset_->MakeIterator(&context_, "Iterator", &iterator_));
    }

    bool produce(rill::Element& element) override {
      bool ended = false;
      std::vector<Tensor> values;
      throw_if_error(iterator_->GetNext(&context_, &values, &ended));
      if (ended) return false;
      element.clear();
      for (const Tensor& value : values) element.push_back(TensorAccess::unwrap(value));
      check_element(element);
      return true;
    }
    bool would_wait() const override { return true; }  // nobody knows what it does
    void save_stage(rill::StateWriter& state) const override {
      StateWriterAdapter writer(state);
      throw_if_error(DatasetAccess::save(*iterator_, &writer));
    }
    void restore_stage(const rill::StateReader& state) override {
      StateReaderAdapter reader(state);
      throw_if_error(DatasetAccess::restore(*iterator_, &context_, &reader));
    }

   private:
    // Later stages rely on what the dataset states.
    void check_element(const rill::Element& element) const {
      const auto& types = dataset().spec().types;
      rill::require(element.size() == types.size(), dataset().dataset_->DebugString(), " gave ",
                    element.size(), " components instead of ", types.size());
      for (std::size_t i = 0; i < types.size(); ++i)
        rill::require(element[i].dtype() == types[i], dataset().dataset_->DebugString(),
                      " gave component ", i, " as ", element[i].dtype(), " instead of ", types[i]);
    }

    IteratorContext::Impl around_;
    IteratorContext context_;
    std::unique_ptr<IteratorBase> iterator_;
  };
  DatasetBase* const dataset_;
};

// The library's dataset, as a program's kernel sees it. Belongs to it, so it holds no reference.
class BuiltInDataset final : public DatasetBase {
 public:
  explicit BuiltInDataset(const rill::Dataset& dataset)
      : DatasetBase(DatasetContext(nullptr)), dataset_(dataset) {
    for (const rill::DType type : dataset.spec().types) types_.push_back(from_rill(type));
    for (const auto& shape : dataset.spec().shapes) shapes_.push_back(from_rill(shape));
  }
  const DataTypeVector& output_dtypes() const override { return types_; }
  const std::vector<PartialTensorShape>& output_shapes() const override { return shapes_; }
  string DebugString() const override { return dataset_.origin().op; }
  int64 Cardinality() const override { return dataset_.size(); }

 protected:
  std::unique_ptr<IteratorBase> MakeIteratorInternal(const string& prefix) const override {
    return std::unique_ptr<IteratorBase>(
        new Iterator({this, strings::StrCat(prefix, "::", DebugString())}));
  }

 private:
  class Iterator final : public DatasetIterator<BuiltInDataset> {
   public:
    using DatasetIterator::DatasetIterator;
    Status Initialize(IteratorContext* ctx) override {
      return guarded([&] { inner_ = dataset()->dataset_.iterate(ctx->impl()->pipeline); });
    }

   protected:
    Status GetNextInternal(IteratorContext*, std::vector<Tensor>* out_tensors,
                           bool* end_of_sequence) override {
      const std::lock_guard lock(mutex_);
      return guarded([&] {
        rill::Element element;
        *end_of_sequence = !inner_->next(element);
        for (const auto& value : element) out_tensors->push_back(TensorAccess::wrap_aligned(value));
      });
    }
    Status SaveInternal(IteratorStateWriter* writer) override {
      return guarded([&] {
        rill::StateWriter below = static_cast<StateWriterAdapter*>(writer)->state().below(prefix());
        inner_->save(below);
      });
    }
    Status RestoreInternal(IteratorContext*, IteratorStateReader* reader) override {
      return guarded([&] {
        inner_->restore(static_cast<StateReaderAdapter*>(reader)->state().below(prefix()));
      });
    }

   private:
    std::mutex mutex_;
    std::unique_ptr<rill::DataIterator> inner_;
  };
  const rill::Dataset& dataset_;
  DataTypeVector types_;
  std::vector<PartialTensorShape> shapes_;
};

}  // namespace

Status GetDatasetFromVariantTensor(const Tensor& tensor, DatasetBase** out_dataset) {
  return guarded([&] {
    const rill::DatasetRef found = rill::dataset_in(TensorAccess::unwrap(tensor));
    if (const auto* own = dynamic_cast<const OwnDataset*>(found.get())) {
      *out_dataset = own->get();
      return;
    }
    const auto face = found->companion([&] {
      return std::shared_ptr<void>(new BuiltInDataset(*found),
                                   [](void* made) { static_cast<BuiltInDataset*>(made)->Unref(); });
    });
    *out_dataset = static_cast<BuiltInDataset*>(face.get());
  });
}

Status StoreDatasetInVariantTensor(DatasetBase* dataset, Tensor* tensor) {
  return guarded([&] {
    *tensor = TensorAccess::wrap(rill::dataset_tensor(std::make_shared<OwnDataset>(dataset)));
  });
}

// The inputs stay with the dataset: its kernel may have borrowed datasets from them.
void DatasetOpKernel::Compute(OpKernelContext* ctx) {
  DatasetBase* made = nullptr;
  MakeDataset(ctx, &made);
  if (!ctx->status().ok()) {
    if (made != nullptr) made->Unref();
    return;
  }
  OP_REQUIRES(ctx, made != nullptr, errors::Internal(name(), " made no dataset"));
  OP_REQUIRES_OK(ctx, guarded([&] {
                   auto dataset = std::make_shared<OwnDataset>(made);
                   rill::DatasetOrigin origin{
                       .node = name(), .op = type_string(), .attrs = {}, .inputs = {}};
                   const rill::KernelCall& call = KernelAccess::impl(*ctx).call;
                   origin.attrs = call.node().attrs;
                   for (int i = 0; i < call.input_count(); ++i)
                     origin.inputs.push_back(call.input_tensor(i));
                   dataset->set_origin(std::move(origin));
                   ctx->set_output(0, TensorAccess::wrap(rill::dataset_tensor(std::move(dataset))));
                 }));
}

void UnaryDatasetOpKernel::MakeDataset(OpKernelContext* ctx, DatasetBase** output) {
  DatasetBase* input = nullptr;
  OP_REQUIRES_OK(ctx, GetDatasetFromVariantTensor(ctx->input(0), &input));
  MakeDataset(ctx, input, output);
}

void BinaryDatasetOpKernel::MakeDataset(OpKernelContext* ctx, DatasetBase** output) {
  DatasetBase *input = nullptr, *another = nullptr;
  OP_REQUIRES_OK(ctx, GetDatasetFromVariantTensor(ctx->input(0), &input));
  OP_REQUIRES_OK(ctx, GetDatasetFromVariantTensor(ctx->input(1), &another));
  MakeDataset(ctx, input, another, output);
}

}  // namespace data
}  // namespace tensorflow
