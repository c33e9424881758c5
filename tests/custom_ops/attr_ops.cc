// Attributes of every kind, list arguments, constraints, and several kernels of one op.
#include <numeric>

#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/register_types.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/core/framework/tensor_util.h"
#include "tensorflow/core/lib/strings/str_util.h"

namespace tensorflow {

using shape_inference::DimensionHandle;
using shape_inference::InferenceContext;
using shape_inference::ShapeHandle;

REGISTER_OP("DescribeAttrs")
    .Attr("i: int >= 1 = 3")
    .Attr("f: float = 0.5")
    .Attr("b: bool = true")
    .Attr("s: string = 'hello'")
    .Attr("mode: {'fast', 'exact'} = 'fast'")
    .Attr("t: type = DT_FLOAT")
    .Attr("shape: shape = { dim { size: 2 } dim { size: -1 } }")
    .Attr("tensor: tensor = { dtype: DT_INT32 tensor_shape { } int_val: 7 }")
    .Attr("ints: list(int) = [1, 2]")
    .Attr("floats: list(float) >= 0 = []")
    .Attr("bools: list(bool) = [true, false]")
    .Attr("strings: list(string) = ['a', 'b']")
    .Attr("types: list(type) = [DT_INT32, DT_STRING]")
    .Attr("shapes: list(shape) = []")
    .Attr("fn: func")
    .Output("text: string")
    .SetShapeFn(shape_inference::ScalarShape)
    .Doc(R"doc(
Says what its attributes are.

i: a number.
text: all of it.
)doc");

class DescribeAttrsOp : public OpKernel {
 public:
  explicit DescribeAttrsOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("i", &i_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("f", &f_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("b", &b_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("s", &s_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("mode", &mode_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("t", &t_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("shape", &shape_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("tensor", &tensor_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("ints", &ints_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("floats", &floats_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("bools", &bools_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("strings", &strings_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("types", &types_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("shapes", &shapes_));
    OP_REQUIRES_OK(ctx, ctx->GetAttr("fn", &fn_));
    int missing = 0;
    const Status status = ctx->GetAttr("no_such_attr", &missing);
    OP_REQUIRES(ctx, errors::IsNotFound(status), errors::Internal("found what is not there"));
    OP_REQUIRES(ctx, errors::IsInvalidArgument(ctx->GetAttr("s", &missing)),
                errors::Internal("a string is no number"));
  }

  void Compute(OpKernelContext* ctx) override {
    Tensor* out = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output("text", TensorShape({}), &out));
    std::vector<string> parts;
    parts.push_back(strings::StrCat(i_, " ", f_, " ", b_, " ", s_, " ", mode_));
    parts.push_back(DataTypeString(t_));
    parts.push_back(shape_.DebugString());
    parts.push_back(strings::StrCat(tensor_.scalar<int32>()()));
    parts.push_back(str_util::Join(ints_, "/"));
    parts.push_back(strings::StrCat(floats_.size(), bools_.size(), shapes_.size()));
    parts.push_back(str_util::Join(strings_, "/"));
    parts.push_back(DataTypeVectorString(types_));
    parts.push_back(fn_.name());
    out->scalar<string>()() = str_util::Join(parts, "; ");
  }

 private:
  int32 i_;
  float f_;
  bool b_;
  string s_, mode_;
  DataType t_;
  PartialTensorShape shape_;
  Tensor tensor_;
  std::vector<int64> ints_;
  std::vector<float> floats_;
  std::vector<bool> bools_;
  std::vector<string> strings_;
  DataTypeVector types_;
  std::vector<PartialTensorShape> shapes_;
  NameAttrList fn_;
};
REGISTER_KERNEL_BUILDER(Name("DescribeAttrs").Device(DEVICE_CPU), DescribeAttrsOp);

// N tensors of one type.
REGISTER_OP("SumAll")
    .Input("values: N * T")
    .Output("sum: T")
    .Attr("N: int >= 1")
    .Attr("T: {int32, float, double}")
    .SetIsCommutative()
    .SetIsAggregate()
    .SetShapeFn([](InferenceContext* c) {
      ShapeHandle sum = c->input(0);
      for (int i = 1; i < c->num_inputs(); ++i)
        TF_RETURN_IF_ERROR(c->Merge(sum, c->input(i), &sum));
      c->set_output(0, sum);
      return Status::OK();
    });

template <typename T>
class SumAllOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    OpInputList values;
    OP_REQUIRES_OK(ctx, ctx->input_list("values", &values));
    Tensor* sum = nullptr;
    OP_REQUIRES_OK(ctx, ctx->forward_input_or_allocate_output({0}, 0, values[0].shape(), &sum));
    auto out = sum->flat<T>();
    out.setZero();
    for (const Tensor& value : values) {
      OP_REQUIRES(ctx, value.shape() == values[0].shape(),
                  errors::InvalidArgument("shapes differ: ", value.shape().DebugString(), " and ",
                                          values[0].shape().DebugString()));
      out += value.flat<T>();
    }
  }
};
#define REGISTER(T) \
  REGISTER_KERNEL_BUILDER(Name("SumAll").Device(DEVICE_CPU).TypeConstraint<T>("T"), SumAllOp<T>)
REGISTER(int32);
TF_CALL_float(REGISTER);
#undef REGISTER

// Tensors of any types, back in the other order.
REGISTER_OP("Reversed")
    .Input("things: Tin")
    .Output("reversed: Tout")
    .Attr("Tin: list(type) >= 1")
    .Attr("Tout: list(type)");

class ReversedOp : public OpKernel {
 public:
  explicit ReversedOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES(ctx, ctx->num_inputs() == ctx->num_outputs(),
                errors::InvalidArgument("as many out as in"));
  }
  void Compute(OpKernelContext* ctx) override {
    OpOutputList out;
    OP_REQUIRES_OK(ctx, ctx->output_list("reversed", &out));
    for (int i = 0; i < ctx->num_inputs(); ++i) out.set(i, ctx->input(ctx->num_inputs() - 1 - i));
  }
};
REGISTER_KERNEL_BUILDER(Name("Reversed").Device(DEVICE_CPU), ReversedOp);

// One class for all types of numbers, registered by a list of types.
REGISTER_OP("ZeroOutT")
    .Attr("preserve_index: int = 0")
    .Attr("T: realnumbertype = DT_INT32")
    .Input("to_zero: T")
    .Output("zeroed: T")
    .SetShapeFn([](shape_inference::InferenceContext* c) {
      shape_inference::ShapeHandle input;
      TF_RETURN_IF_ERROR(c->WithRank(c->input(0), 1, &input));
      c->set_output(0, input);
      return Status::OK();
    });
template <typename T>
class ZeroOutTOp : public OpKernel {
 public:
  explicit ZeroOutTOp(OpKernelConstruction* context) : OpKernel(context) {
    OP_REQUIRES_OK(context, context->GetAttr("preserve_index", &preserve_index_));
    OP_REQUIRES(context, preserve_index_ >= 0,
                errors::InvalidArgument("Need preserve_index >= 0, got ", preserve_index_));
  }
  void Compute(OpKernelContext* context) override {
    const Tensor& input_tensor = context->input(0);
    auto input = input_tensor.flat<T>();
    OP_REQUIRES(context, TensorShapeUtils::IsVector(input_tensor.shape()),
                errors::InvalidArgument("ZeroOut expects a 1-D vector."));
    OP_REQUIRES(context, preserve_index_ < input.dimension(0),
                errors::InvalidArgument("preserve_index out of range"));
    Tensor* output_tensor = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, input_tensor.shape(), &output_tensor));
    auto output_flat = output_tensor->template flat<T>();
    const int N = input.size();
    for (int i = 0; i < N; i++) output_flat(i) = T(0);
    output_flat(preserve_index_) = input(preserve_index_);
    VLOG(1) << "done " << DataTypeToEnum<T>::value << " " << input_tensor.DebugString();
  }

 private:
  int preserve_index_;
};
#define REGISTER_KERNEL(type)                                                            \
  REGISTER_KERNEL_BUILDER(Name("ZeroOutT").Device(DEVICE_CPU).TypeConstraint<type>("T"), \
                          ZeroOutTOp<type>)
TF_CALL_REAL_NUMBER_TYPES(REGISTER_KERNEL);
#undef REGISTER_KERNEL

// Which kernel a node gets: by type, by label, by priority.
REGISTER_OP("WhichKernel").Input("x: T").Output("name: string").Attr("T: type");
class WhichKernelBase : public OpKernel {
 public:
  WhichKernelBase(OpKernelConstruction* ctx, const char* name) : OpKernel(ctx), name_(name) {}
  void Compute(OpKernelContext* ctx) override { ctx->set_output(0, Tensor(string(name_))); }

 private:
  const char* name_;
};
#define KERNEL_NAMED(NAME)                                                        \
  class NAME##Kernel : public WhichKernelBase {                                   \
   public:                                                                        \
    explicit NAME##Kernel(OpKernelConstruction* c) : WhichKernelBase(c, #NAME) {} \
  }
KERNEL_NAMED(Any);
KERNEL_NAMED(Float);
KERNEL_NAMED(Labelled);
REGISTER_KERNEL_BUILDER(Name("WhichKernel").Device(DEVICE_CPU).HostMemory("x"), AnyKernel);
REGISTER_KERNEL_BUILDER(
    Name("WhichKernel").Device(DEVICE_CPU).TypeConstraint<float>("T").Priority(1), FloatKernel);
REGISTER_KERNEL_BUILDER(Name("WhichKernel").Device(DEVICE_CPU).Label("special"), LabelledKernel);

// Shape functions: everything that an InferenceContext offers.
REGISTER_OP("ShapeExercise")
    .Input("matrix: float")
    .Input("size: int32")
    .Output("tiled: float")
    .Output("vector: float")
    .Attr("factor: int = 2")
    .SetShapeFn([](InferenceContext* c) {
      ShapeHandle matrix, scalar, head, out;
      TF_RETURN_IF_ERROR(c->WithRank(c->input(0), 2, &matrix));
      TF_RETURN_IF_ERROR(c->WithRank(c->input(1), 0, &scalar));
      int factor = 0;
      TF_RETURN_IF_ERROR(c->GetAttr("factor", &factor));
      DimensionHandle rows, size, cols;
      TF_RETURN_IF_ERROR(c->Multiply(c->Dim(matrix, 0), factor, &rows));
      TF_RETURN_IF_ERROR(c->Subshape(matrix, 1, &head));
      TF_RETURN_IF_ERROR(c->Concatenate(c->Vector(rows), head, &out));
      TF_RETURN_IF_ERROR(c->MakeDimForScalarInput(1, &size));
      TF_RETURN_IF_ERROR(c->Add(c->Dim(matrix, -1), size, &cols));
      c->set_output(0, out);
      c->set_output(1, c->MakeShape({cols}));
      return Status::OK();
    });

}  // namespace tensorflow
