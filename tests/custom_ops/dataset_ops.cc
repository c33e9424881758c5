// A source and a transformation, as the guide to custom datasets describes them.
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/dataset.h"
#include "tensorflow/core/framework/op.h"

namespace myproject {
namespace {

using tensorflow::DT_STRING;
using tensorflow::PartialTensorShape;
using tensorflow::Status;

class MyReaderDatasetOp : public tensorflow::DatasetOpKernel {
 public:
  explicit MyReaderDatasetOp(tensorflow::OpKernelConstruction* ctx) : DatasetOpKernel(ctx) {}

  void MakeDataset(tensorflow::OpKernelContext* ctx, tensorflow::DatasetBase** output) override {
    tensorflow::int64 count = 0;
    OP_REQUIRES_OK(ctx, ParseScalarArgument<tensorflow::int64>(ctx, "count", &count));
    OP_REQUIRES(ctx, count >= 0, tensorflow::errors::InvalidArgument("count is ", count));
    *output = new Dataset(ctx, count);
  }

 private:
  class Dataset : public tensorflow::DatasetBase {
   public:
    Dataset(tensorflow::OpKernelContext* ctx, tensorflow::int64 count)
        : DatasetBase(tensorflow::DatasetContext(ctx)), count_(count) {}

    std::unique_ptr<tensorflow::IteratorBase> MakeIteratorInternal(
        const std::string& prefix) const override {
      return std::unique_ptr<tensorflow::IteratorBase>(
          new Iterator({this, tensorflow::strings::StrCat(prefix, "::MyReader")}));
    }
    const tensorflow::DataTypeVector& output_dtypes() const override {
      static auto* const dtypes = new tensorflow::DataTypeVector({DT_STRING});
      return *dtypes;
    }
    const std::vector<PartialTensorShape>& output_shapes() const override {
      static std::vector<PartialTensorShape>* shapes =
          new std::vector<PartialTensorShape>({PartialTensorShape({})});
      return *shapes;
    }
    std::string DebugString() const override { return "MyReaderDatasetOp::Dataset"; }
    tensorflow::int64 Cardinality() const override { return count_; }

   protected:
    Status AsGraphDefInternal(tensorflow::SerializationContext*, DatasetGraphDefBuilder* b,
                              tensorflow::Node** output) const override {
      tensorflow::Node* count = nullptr;
      TF_RETURN_IF_ERROR(b->AddScalar(count_, &count));
      return b->AddDataset(this, {count}, output);
    }

   private:
    class Iterator : public tensorflow::DatasetIterator<Dataset> {
     public:
      explicit Iterator(const Params& params) : DatasetIterator<Dataset>(params), i_(0) {}

      Status GetNextInternal(tensorflow::IteratorContext* ctx,
                             std::vector<tensorflow::Tensor>* out_tensors,
                             bool* end_of_sequence) override {
        tensorflow::mutex_lock l(mu_);
        if (i_ >= dataset()->count_) {
          *end_of_sequence = true;
          return Status::OK();
        }
        if (i_++ == 3) return tensorflow::errors::DataLoss("record 3 is damaged");
        tensorflow::Tensor record(ctx->allocator({}), DT_STRING, {});
        record.scalar<std::string>()() = tensorflow::strings::StrCat("MyReader!", i_ - 1);
        out_tensors->emplace_back(std::move(record));
        *end_of_sequence = false;
        return Status::OK();
      }

     protected:
      Status SaveInternal(tensorflow::IteratorStateWriter* writer) override {
        tensorflow::mutex_lock l(mu_);
        return writer->WriteScalar(full_name("i"), i_);
      }
      Status RestoreInternal(tensorflow::IteratorContext*,
                             tensorflow::IteratorStateReader* reader) override {
        tensorflow::mutex_lock l(mu_);
        return reader->ReadScalar(full_name("i"), &i_);
      }

     private:
      tensorflow::mutex mu_;
      tensorflow::int64 i_ TF_GUARDED_BY(mu_);
    };
    const tensorflow::int64 count_;
  };
};

// Every second element of its input.
class EverySecondDatasetOp : public tensorflow::data::UnaryDatasetOpKernel {
 public:
  using UnaryDatasetOpKernel::UnaryDatasetOpKernel;

 protected:
  void MakeDataset(tensorflow::OpKernelContext* ctx, tensorflow::data::DatasetBase* input,
                   tensorflow::data::DatasetBase** output) override {
    *output = new Dataset(ctx, input);
  }

 private:
  class Dataset : public tensorflow::data::DatasetBase {
   public:
    Dataset(tensorflow::OpKernelContext* ctx, const tensorflow::data::DatasetBase* input)
        : DatasetBase(tensorflow::data::DatasetContext(ctx)), input_(input) {
      input_->Ref();
    }
    ~Dataset() override { input_->Unref(); }
    std::unique_ptr<tensorflow::data::IteratorBase> MakeIteratorInternal(
        const std::string& prefix) const override {
      return std::unique_ptr<tensorflow::data::IteratorBase>(
          new Iterator({this, prefix + "::EverySecond"}));
    }
    const tensorflow::DataTypeVector& output_dtypes() const override {
      return input_->output_dtypes();
    }
    const std::vector<PartialTensorShape>& output_shapes() const override {
      return input_->output_shapes();
    }
    std::string DebugString() const override { return "EverySecond"; }

   private:
    class Iterator : public tensorflow::data::DatasetIterator<Dataset> {
     public:
      explicit Iterator(const Params& params) : DatasetIterator<Dataset>(params) {}
      Status Initialize(tensorflow::data::IteratorContext* ctx) override {
        return dataset()->input_->MakeIterator(ctx, prefix(), &input_);
      }
      Status GetNextInternal(tensorflow::data::IteratorContext* ctx,
                             std::vector<tensorflow::Tensor>* out_tensors,
                             bool* end_of_sequence) override {
        TF_RETURN_IF_ERROR(input_->GetNext(ctx, out_tensors, end_of_sequence));
        if (*end_of_sequence) return Status::OK();
        std::vector<tensorflow::Tensor> left_out;
        bool ended = false;
        return input_->GetNext(ctx, &left_out, &ended);
      }

     protected:
      Status SaveInternal(tensorflow::data::IteratorStateWriter* writer) override {
        return SaveInput(writer, input_);
      }
      Status RestoreInternal(tensorflow::data::IteratorContext* ctx,
                             tensorflow::data::IteratorStateReader* reader) override {
        return RestoreInput(ctx, reader, input_);
      }

     private:
      std::unique_ptr<tensorflow::data::IteratorBase> input_;
    };
    const tensorflow::data::DatasetBase* const input_;
  };
};

REGISTER_OP("MyReaderDataset")
    .Input("count: int64")
    .Output("handle: variant")
    .SetIsStateful()
    .SetShapeFn(tensorflow::shape_inference::ScalarShape);
REGISTER_KERNEL_BUILDER(Name("MyReaderDataset").Device(tensorflow::DEVICE_CPU), MyReaderDatasetOp);

REGISTER_OP("EverySecondDataset")
    .Input("input_dataset: variant")
    .Output("handle: variant")
    .SetShapeFn(tensorflow::shape_inference::ScalarShape);
REGISTER_KERNEL_BUILDER(Name("EverySecondDataset").Device(tensorflow::DEVICE_CPU),
                        EverySecondDatasetOp);

}  // namespace
}  // namespace myproject
