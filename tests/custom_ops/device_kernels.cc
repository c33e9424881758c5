// Kernels for a type of device that another library adds; they say which arguments the host gets.
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"

using namespace tensorflow;

REGISTER_OP("ReshapeThere")
    .Input("x: T")
    .Input("shape: int64")
    .Output("y: T")
    .Attr("T: {float, double}")
    .SetShapeFn([](shape_inference::InferenceContext* c) {
      c->set_output(0, c->UnknownShape());
      return Status::OK();
    });

// Never looks at an element of x, which may lie where the host cannot.
class ReshapeThereOp : public OpKernel {
 public:
  explicit ReshapeThereOp(OpKernelConstruction* context) : OpKernel(context) {}
  void Compute(OpKernelContext* context) override {
    TensorShape shape;
    const auto dims = context->input(1).vec<int64>();
    for (int i = 0; i < dims.size(); ++i) shape.AddDim(dims(i));
    Tensor temporary;
    OP_REQUIRES_OK(context, context->allocate_temp(DT_FLOAT, shape, &temporary));
    Tensor y;
    OP_REQUIRES(context, y.CopyFrom(context->input(0), shape),
                errors::InvalidArgument("x has ", context->input(0).NumElements(), " elements"));
    context->set_output(0, y);
  }
};
REGISTER_KERNEL_BUILDER(
    Name("ReshapeThere").Device(DEVICE_GPU).TypeConstraint<float>("T").HostMemory("shape"),
    ReshapeThereOp);

// Of double, all is the host's.
class ReshapeOnHostOp : public ReshapeThereOp {
 public:
  using ReshapeThereOp::ReshapeThereOp;
  void Compute(OpKernelContext* context) override {
    OP_REQUIRES(context, context->input(0).flat<double>()(0) > 0,
                errors::InvalidArgument("x begins with ", context->input(0).flat<double>()(0)));
    ReshapeThereOp::Compute(context);
  }
};
REGISTER_KERNEL_BUILDER(Name("ReshapeThere")
                            .Device(DEVICE_GPU)
                            .TypeConstraint<double>("T")
                            .HostMemory("x")
                            .HostMemory("shape")
                            .HostMemory("y"),
                        ReshapeOnHostOp);
