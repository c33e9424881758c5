#include "rill/grad/gradient_registry.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/grad/gradients.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct RegistryProgram {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};
  Output x = scope.constant(Tensor::scalar(3.0f));

  Output square(const char* gradient) {
    AttrMap attrs;
    if (gradient != nullptr) attrs.emplace("_gradient_op_type", gradient);
    return scope.add("Square", {x}, std::move(attrs)).output();
  }
  Gradient gradient_of(Output y) { return gradients(scope, {{y}}, {{x}}).at(0); }
  float value(const Gradient& gradient) {
    Session session(graph);
    return session.run({}, {{gradient.dense()}}).at(0).scalar_value<float>();
  }
};

TEST(GradientRegistry, a_node_asks_for_a_gradient_by_name) {
  register_gradient("CppSeven", [](GradCtx& g) { g.set(0, g.add("Mul", {g.dy(), 7.0f})); });
  RegistryProgram p;
  EXPECT_EQ(p.value(p.gradient_of(p.square("CppSeven"))), 7);
  EXPECT_EQ(p.value(p.gradient_of(p.square(nullptr))), 6);
}

TEST(GradientRegistry, none_on_purpose) {
  register_gradient("CppNone", {});
  RegistryProgram p;
  EXPECT_TRUE(p.gradient_of(p.square("CppNone")).empty());
}

TEST(GradientRegistry, a_second_one_is_refused) {
  register_gradient("CppTwice", {});
  EXPECT_THROW(register_gradient("CppTwice", {}), Error);
  RegistryProgram p;
  EXPECT_THROW(p.gradient_of(p.square("CppNobody")), Error);
}

}  // namespace
}  // namespace rill
