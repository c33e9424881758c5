// What kernels may do: threads, Eigen's expressions, later answers, state, references; and what
// they may do wrong.
#define EIGEN_USE_THREADS
#include <stdexcept>
#include <thread>

#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/resource_op_kernel.h"
#include "tensorflow/core/framework/resource_var.h"
#include "tensorflow/core/framework/shape_inference.h"
#include "tensorflow/core/lib/strings/str_util.h"
#include "tensorflow/core/platform/mutex.h"
#include "tensorflow/core/util/work_sharder.h"
#include "third_party/eigen3/unsupported/Eigen/CXX11/Tensor"

using namespace tensorflow;
typedef Eigen::ThreadPoolDevice CPUDevice;

template <typename Device, typename T>
struct AxpyFunctor {
  void operator()(const Device& d, T a, typename TTypes<T>::ConstFlat x,
                  typename TTypes<T>::ConstFlat y, typename TTypes<T>::Flat out) {
    out.device(d) = x * a + y;
  }
};

REGISTER_OP("Axpy")
    .Input("x: T")
    .Input("y: T")
    .Output("z: T")
    .Attr("a: float")
    .Attr("T: {float, double}");
template <typename Device, typename T>
class AxpyOp : public OpKernel {
 public:
  explicit AxpyOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("a", &a_));
  }
  void Compute(OpKernelContext* ctx) override {
    if (!ctx->ValidateInputsAreSameShape(this)) return;
    Tensor* out = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, ctx->input(0).shape(), &out));
    AxpyFunctor<Device, T>()(ctx->eigen_device<Device>(), static_cast<T>(a_),
                             ctx->input(0).flat<T>(), ctx->input(1).flat<T>(), out->flat<T>());
  }

 private:
  float a_;
};
REGISTER_KERNEL_BUILDER(Name("Axpy").Device(DEVICE_CPU).TypeConstraint<float>("T"),
                        AxpyOp<CPUDevice, float>);
REGISTER_KERNEL_BUILDER(Name("Axpy").Device(DEVICE_CPU).TypeConstraint<double>("T"),
                        AxpyOp<CPUDevice, double>);

REGISTER_OP("SquareSharded").Input("x: int64").Output("y: int64");
class SquareShardedOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    const Tensor& x = ctx->input(0);
    Tensor* y = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, x.shape(), &y));
    auto in = x.flat<int64>();
    auto out = y->flat<int64>();
    auto workers = ctx->device()->tensorflow_cpu_worker_threads();
    Shard(workers->num_threads, workers->workers, in.size(), 100, [&](int64 begin, int64 end) {
      for (int64 i = begin; i < end; ++i) out(i) = in(i)*in(i);
    });
  }
};
REGISTER_KERNEL_BUILDER(Name("SquareSharded").Device(DEVICE_CPU), SquareShardedOp);

// Matrices by element, and strings.
REGISTER_OP("TransposeText").Input("x: string").Output("y: string");
class TransposeTextOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    const Tensor& x = ctx->input(0);
    OP_REQUIRES(ctx, TensorShapeUtils::IsMatrix(x.shape()),
                errors::InvalidArgument("expected a matrix, got ", x.shape().DebugString()));
    auto in = x.matrix<string>();
    Tensor y(DT_STRING, TensorShape({in.dimension(1), in.dimension(0)}));
    auto out = y.tensor<string, 2>();
    for (int i = 0; i < in.dimension(0); ++i)
      for (int j = 0; j < in.dimension(1); ++j) out(j, i) = str_util::Uppercase(in(i, j));
    ctx->set_output(0, y);
  }
};
REGISTER_KERNEL_BUILDER(Name("TransposeText").Device(DEVICE_CPU), TransposeTextOp);

REGISTER_OP("AddLater").Input("x: float").Input("fail: bool").Output("y: float").SetIsStateful();
class AddLaterOp : public AsyncOpKernel {
 public:
  using AsyncOpKernel::AsyncOpKernel;
  void ComputeAsync(OpKernelContext* ctx, DoneCallback done) override {
    OP_REQUIRES_ASYNC(ctx, TensorShapeUtils::IsScalar(ctx->input(0).shape()),
                      errors::InvalidArgument("x must be a scalar"), done);
    ctx->env()->SchedClosure([ctx, done]() {
      OP_REQUIRES_ASYNC(ctx, !ctx->input(1).scalar<bool>()(), errors::Aborted("asked to fail"),
                        done);
      Tensor* y = nullptr;
      OP_REQUIRES_OK_ASYNC(ctx, ctx->allocate_output(0, TensorShape(), &y), done);
      y->scalar<float>()() = ctx->input(0).scalar<float>()() + 1;
      done();
    });
  }
};
REGISTER_KERNEL_BUILDER(Name("AddLater").Device(DEVICE_CPU), AddLaterOp);

// A counter that lives as long as the session.
class Counter : public ResourceBase {
 public:
  string DebugString() const override { return "a counter"; }
  int64 Next() {
    mutex_lock l(mu_);
    return ++count_;
  }

 private:
  mutex mu_;
  int64 count_ GUARDED_BY(mu_) = 0;
};
REGISTER_OP("MyCounter")
    .Attr("container: string = ''")
    .Attr("shared_name: string = ''")
    .Output("handle: resource")
    .SetIsStateful()
    .SetShapeFn(shape_inference::ScalarShape);
class MyCounterOp : public ResourceOpKernel<Counter> {
 public:
  explicit MyCounterOp(OpKernelConstruction* ctx) : ResourceOpKernel(ctx) {}

 private:
  Status CreateResource(Counter** counter) override {
    *counter = new Counter;
    return Status::OK();
  }
};
REGISTER_KERNEL_BUILDER(Name("MyCounter").Device(DEVICE_CPU), MyCounterOp);
REGISTER_OP("MyCounterNext").Input("handle: resource").Output("count: int64").SetIsStateful();
class MyCounterNextOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    Counter* counter = nullptr;
    OP_REQUIRES_OK(ctx, LookupResource(ctx, HandleFromInput(ctx, 0), &counter));
    core::ScopedUnref unref(counter);
    Tensor* out = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, {}, &out));
    out->scalar<int64>()() = counter->Next();
  }
};
REGISTER_KERNEL_BUILDER(Name("MyCounterNext").Device(DEVICE_CPU), MyCounterNextOp);

// State of the kernel itself, and of variables of both kinds.
REGISTER_OP("CallCount").Output("count: int32").SetIsStateful();
class CallCountOp : public OpKernel {
 public:
  explicit CallCountOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    Tensor* kept = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_persistent(DT_INT32, TensorShape({}), &kept_, &kept));
    kept->scalar<int32>()() = 0;
  }
  void Compute(OpKernelContext* ctx) override {
    mutex_lock l(mu_);
    Tensor* kept = kept_.AccessTensor(ctx);
    kept->scalar<int32>()() += 1;
    ctx->set_output(0, Tensor(kept->scalar<int32>()()));
  }

 private:
  mutex mu_;
  PersistentTensor kept_;
};
REGISTER_KERNEL_BUILDER(Name("CallCount").Device(DEVICE_CPU), CallCountOp);

REGISTER_OP("HalveRef").Input("v: Ref(float)").Output("out: Ref(float)");
class HalveRefOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    mutex_lock l(*ctx->input_ref_mutex(0));
    Tensor v = ctx->mutable_input(0, true);
    OP_REQUIRES(ctx, v.IsInitialized(), errors::FailedPrecondition("not initialized"));
    auto flat = v.flat<float>();
    flat = flat * 0.5f;
    ctx->forward_ref_input_to_ref_output(0, 0);
  }
};
REGISTER_KERNEL_BUILDER(Name("HalveRef").Device(DEVICE_CPU), HalveRefOp);

REGISTER_OP("HalveResource").Input("v: resource").SetIsStateful();
class HalveResourceOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    core::RefCountPtr<Var> v;
    OP_REQUIRES_OK(ctx, LookupResource(ctx, HandleFromInput(ctx, 0), &v));
    mutex_lock l(*v->mu());
    auto flat = v->tensor()->flat<float>();
    for (int i = 0; i < flat.size(); ++i) flat(i) *= 0.5f;
  }
};
REGISTER_KERNEL_BUILDER(Name("HalveResource").Device(DEVICE_CPU), HalveResourceOp);

// Mistakes. None may end the process.
REGISTER_OP("Misbehave").Input("x: float").Attr("how: string").Output("y: float").SetIsStateful();
class MisbehaveOp : public OpKernel {
 public:
  explicit MisbehaveOp(OpKernelConstruction* ctx) : OpKernel(ctx) {
    OP_REQUIRES_OK(ctx, ctx->GetAttr("how", &how_));
    OP_REQUIRES(ctx, how_ != "construct", errors::FailedPrecondition("refuses to be made"));
    if (how_ == "construct_throw") throw std::runtime_error("thrown by a constructor");
  }
  void Compute(OpKernelContext* ctx) override {
    if (how_ == "throw") throw std::runtime_error("thrown by a kernel");
    if (how_ == "throw_int") throw 7;
    if (how_ == "check") CHECK_EQ(1 + 1, 3) << "arithmetic is broken";
    if (how_ == "fatal") LOG(FATAL) << "no way on";
    if (how_ == "no_output") return;
    Tensor* y = nullptr;
    if (how_ == "huge")
      OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({1ll << 40, 1ll << 40}), &y));
    if (how_ == "memory")
      OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({1ll << 55}), &y));
    if (how_ == "wrong_type") ctx->set_output(0, Tensor(DT_INT32, TensorShape({1})));
    if (how_ == "wrong_input") ctx->input(3);
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, TensorShape({2, 2}), &y));
    if (how_ == "wrong_view") y->flat<int32>()(0) = 1;
    if (how_ == "wrong_rank") y->vec<float>()(0) = 1;
    if (how_ == "outside") y->matrix<float>()(0, 5) = 1;
    if (how_ == "outside_flat") y->flat<float>()(-3) = 1;
    if (how_ == "shard") {
      auto workers = ctx->device()->tensorflow_cpu_worker_threads();
      Shard(workers->num_threads, workers->workers, 1000, 100000,
            [](int64, int64) { throw std::runtime_error("thrown by a worker"); });
    }
    y->flat<float>().setConstant(1);
  }

 private:
  string how_;
};
REGISTER_KERNEL_BUILDER(Name("Misbehave").Device(DEVICE_CPU), MisbehaveOp);
