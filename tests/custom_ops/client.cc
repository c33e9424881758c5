// The C++ client: scopes, builders, a session, symbolic gradients, and a small model that learns.
#include <cmath>
#include <iostream>
#include <vector>

#include "tensorflow/cc/client/client_session.h"
#include "tensorflow/cc/framework/gradients.h"
#include "tensorflow/cc/ops/standard_ops.h"
#include "tensorflow/cc/saved_model/loader.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/tensor.h"
#include "tensorflow/core/public/session.h"

using namespace tensorflow;
using namespace tensorflow::ops;

// An op of the program itself.
REGISTER_OP("Doubled").Input("x: float").Output("y: float");
class DoubledOp : public OpKernel {
 public:
  using OpKernel::OpKernel;
  void Compute(OpKernelContext* ctx) override {
    Tensor* y = nullptr;
    OP_REQUIRES_OK(ctx, ctx->allocate_output(0, ctx->input(0).shape(), &y));
    y->flat<float>() = ctx->input(0).flat<float>() * 2.0f;
  }
};
REGISTER_KERNEL_BUILDER(Name("Doubled").Device(DEVICE_CPU), DoubledOp);

void OwnOp() {
  Scope root = Scope::NewRootScope();
  Const(root.WithOpName("x"), {1.0f, 2.5f});
  GraphDef def;
  TF_CHECK_OK(root.ToGraphDef(&def));
  NodeDef* node = def.add_node();
  node->set_name("doubled");
  node->set_op("Doubled");
  node->add_input("x");
  std::unique_ptr<Session> session(NewSession(SessionOptions()));
  TF_CHECK_OK(session->Create(def));
  std::vector<Tensor> outputs;
  TF_CHECK_OK(session->Run({}, {"doubled:0"}, {}, &outputs));
  std::cout << outputs[0].vec<float>()(1) << "\n";
}

void Multiply2x2() {
  Scope root = Scope::NewRootScope();
  auto A = Const(root, {{3.f, 2.f}, {-1.f, 0.f}});
  auto b = Const(root, {{3.f, 5.f}});
  auto v = MatMul(root.WithOpName("v"), A, b, MatMul::TransposeB(true));
  std::vector<Tensor> outputs;
  ClientSession session(root);
  TF_CHECK_OK(session.Run({v}, &outputs));
  std::cout << outputs[0].matrix<float>() << "\n";
  std::cout << v.product.name() << " " << v.node()->type_string() << "\n";
}

void Names() {
  Scope root = Scope::NewRootScope();
  auto a = Const(root, 1.0f), b = Const(root, 2.0f);
  auto sub = root.NewSubScope("part");
  auto sum = Add(sub, a, b);
  auto more = Add(sub.WithOpName("more"), sum, 3.0f);
  Identity(root.WithControlDependencies(more.z).WithOpName("held"), a);
  GraphDef def;
  TF_CHECK_OK(root.ToGraphDef(&def));
  for (const NodeDef& node : def.node()) {
    std::cout << node.name() << "(";
    for (const auto& input : node.input()) std::cout << " " << input;
    std::cout << " )\n";
  }
}

void Feeds() {
  Scope root = Scope::NewRootScope();
  auto x = Placeholder(root, DT_INT32, Placeholder::Shape({2}));
  auto y = ops::Multiply(root, x, {10, 20});
  auto parts = ops::Split(root, 0, y, 2);
  ClientSession session(root);
  std::vector<Tensor> outputs;
  TF_CHECK_OK(session.Run({{x, {4, 5}}}, {y, parts[1]}, &outputs));
  std::cout << outputs[0].vec<int32>()(1) << " " << outputs[1].vec<int32>()(0) << "\n";
  const Status wrong = session.Run({{x, {1.0f, 2.0f}}}, {y}, &outputs);
  std::cout << error::Code_Name(wrong.code()) << "\n";
}

void Errors() {
  Scope root = Scope::NewRootScope();
  auto bad = MatMul(root, {{1.0f}}, {{1, 2}});
  CHECK(!root.ok());
  CHECK(bad.node() == nullptr);
  auto after = Identity(root, bad);  // does nothing
  std::vector<Tensor> outputs;
  std::cout << error::Code_Name(ClientSession(root).Run({after}, &outputs).code()) << "\n";
  SavedModelBundle bundle;
  const Status status =
      LoadSavedModel(SessionOptions(), RunOptions(), "/nowhere", {"serve"}, &bundle);
  CHECK(!status.ok());
}

// y = 2 x + 1 from five points.
void Learn() {
  Scope root = Scope::NewRootScope();
  auto x = Placeholder(root.WithOpName("x"), DT_FLOAT);
  auto y = Placeholder(root.WithOpName("y"), DT_FLOAT);
  auto w = Variable(root.WithOpName("w"), {1, 1}, DT_FLOAT);
  auto b = Variable(root.WithOpName("b"), {1}, DT_FLOAT);
  auto init_w = Assign(root, w, Const(root, {{0.0f}}));
  auto init_b = Assign(root, b, Const(root, {0.0f}));
  auto predicted = BiasAdd(root, MatMul(root, x, w), b);
  auto loss = ReduceMean(root.WithOpName("loss"), Square(root, Sub(root, predicted, y)), {0, 1});
  std::vector<Output> gradients;
  TF_CHECK_OK(AddSymbolicGradients(root, {loss}, {w, b}, &gradients));
  auto step_w = ApplyGradientDescent(root, w, Const<float>(root, 0.1), gradients[0]);
  auto step_b = ApplyGradientDescent(root, b, 0.1f, gradients[1]);
  ClientSession session(root);
  std::vector<Tensor> outputs;
  TF_CHECK_OK(session.Run({init_w, init_b}, nullptr));
  Input::Initializer points({-1.0f, -0.5f, 0.0f, 0.5f, 1.0f}, TensorShape({5, 1}));
  Input::Initializer values({-1.0f, 0.0f, 1.0f, 2.0f, 3.0f}, TensorShape({5, 1}));
  for (int i = 0; i < 200; ++i)
    TF_CHECK_OK(session.Run({{x, points}, {y, values}}, {loss},
                            {step_w.operation, step_b.operation}, &outputs));
  TF_CHECK_OK(session.Run({w, b}, &outputs));
  std::cout << std::round(outputs[0].flat<float>()(0) * 100) / 100 << " "
            << std::round(outputs[1].flat<float>()(0) * 100) / 100 << "\n";
}

int main() {
  Multiply2x2();
  Names();
  Feeds();
  Errors();
  Learn();
  OwnOp();
  return 0;
}
