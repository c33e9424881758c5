// Functions as a C++ program defines, calls and differentiates them.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace {

namespace tf = rill;
using Outputs = std::vector<tf::Output>;

class FunctionsApi : public ::testing::Test {
 protected:
  std::shared_ptr<tf::Graph> graph = tf::make_graph();
  tf::AsDefault as_default{graph};

  float run(tf::Output fetch, tf::Output feed, float value) {
    tf::Session session(graph);
    const std::vector<tf::Feed> feeds{{feed, tf::Tensor::scalar(value)}};
    return session.run(feeds, {{fetch}})[0].scalar_value<float>();
  }
  static tf::DefinedFunction square() {
    return tf::define_function({tf::float32},
                               [](const Outputs& x) { return Outputs{tf::raw::Square(x[0])}; });
  }
  tf::Output gradient(tf::Output y, tf::Output x) {
    return tf::gradients(Outputs{y}, Outputs{x})[0].dense();
  }
};

TEST_F(FunctionsApi, are_defined_and_called) {
  const auto f = tf::define_function({tf::float32, tf::float32},
                                     [](const Outputs& x) {
                                       return Outputs{tf::raw::Mul(x[0], x[1]), x[1]};
                                     },
                                     {.func_name = "Times", .arg_names = {"a", "b"}});
  const auto x = tf::placeholder(tf::float32);
  const Outputs y = f({x, 3.0f});
  EXPECT_EQ(y[0].node->name(), "Times");
  EXPECT_EQ(run(y[0], x, 2.0f), 6.0f);
  EXPECT_EQ(run(y[1], x, 2.0f), 3.0f);
}

TEST_F(FunctionsApi, capture_and_nest) {
  const auto x = tf::placeholder(tf::float32);
  const auto doubled = tf::raw::AddV2(x, x);
  const auto inner = tf::define_function(
      {tf::float32}, [&](const Outputs& a) { return Outputs{tf::raw::Mul(a[0], doubled)}; });
  EXPECT_EQ(inner.captured_inputs(), Outputs{doubled});
  const auto outer = tf::define_function(
      {tf::float32}, [&](const Outputs& a) { return inner({inner({a[0]})[0]}); });
  EXPECT_EQ(run(outer({x})[0], x, 3.0f), 3.0f * 36);
}

TEST_F(FunctionsApi, are_differentiated) {
  const auto f = square();
  const auto x = tf::placeholder(tf::float32);
  EXPECT_EQ(run(gradient(f({f({x})[0]})[0], x), x, 2.0f), 32.0f);
}

TEST_F(FunctionsApi, may_bring_their_gradient) {
  const auto f = tf::define_function(
      {tf::float32}, [](const Outputs& x) { return Outputs{tf::raw::Square(x[0])}; },
      {.build_gradient = [](tf::GradCtx& g) {
        g.set(0, g.add("Mul", {g.dy(), 7.0f}));
        return true;
      }});
  const auto x = tf::placeholder(tf::float32);
  EXPECT_EQ(run(gradient(f({x})[0], x), x, 2.0f), 7.0f);
  const auto named = tf::define_function(
      {tf::float32}, [](const Outputs& x) { return Outputs{tf::raw::Square(x[0])}; },
      {.grad_func = tf::define_function({tf::float32, tf::float32}, [](const Outputs& x) {
                      return Outputs{tf::raw::Mul(x[1], 11.0f)};
                    }).name()});
  EXPECT_EQ(run(gradient(named({x})[0], x), x, 2.0f), 11.0f);
}

TEST_F(FunctionsApi, serve_functional_control_flow_and_its_gradients) {
  const auto x = tf::placeholder(tf::float32, tf::PartialShape::scalar());
  const auto triple = tf::define_function(
      {tf::float32}, [](const Outputs& a) { return Outputs{tf::raw::Mul(a[0], 3.0f)}; });
  const tf::FuncName sq{square().name(), {}}, tr{triple.name(), {}};
  const auto small = tf::raw::Less(x, 2.0f);
  const Outputs chosen = tf::raw::If(small, {x}, {tf::float32}, sq, tr);
  EXPECT_EQ(run(chosen[0], x, 1.0f), 1.0f);
  EXPECT_EQ(run(chosen[0], x, 4.0f), 12.0f);
  const auto dx = gradient(chosen[0], x);
  EXPECT_EQ(run(dx, x, 1.5f), 3.0f);
  EXPECT_EQ(run(dx, x, 4.0f), 3.0f);
  const auto which = tf::raw::Cast(x, tf::int32);
  const Outputs cased = tf::raw::Case(which, {x}, {tf::float32}, {tr, sq});
  EXPECT_EQ(run(gradient(cased[0], x), x, 0.5f), 3.0f);
  EXPECT_EQ(run(gradient(cased[0], x), x, 5.0f), 10.0f);

  const auto test = tf::define_function(
      {tf::float32}, [](const Outputs& a) { return Outputs{tf::raw::Less(a[0], 100.0f)}; });
  const Outputs grown = tf::raw::While({x}, {test.name(), {}}, sq);
  EXPECT_EQ(run(grown[0], x, 3.0f), 6561.0f);  // ((3^2)^2)^2
  EXPECT_EQ(run(gradient(grown[0], x), x, 3.0f), 8 * 2187.0f);
  EXPECT_EQ(run(gradient(grown[0], x), x, 200.0f), 1.0f);  // no round at all
}

// A gradient keeps what the branch computed, so nothing of it runs again.
TEST_F(FunctionsApi, gradients_of_branches_with_effects) {
  const auto x = tf::placeholder(tf::float32, tf::PartialShape::scalar());
  const auto prints = tf::define_function({tf::float32}, [](const Outputs& a) {
    return Outputs{tf::raw::Square(tf::raw::Print(a[0], {a[0]}))};
  });
  const tf::FuncName f{prints.name(), {}};
  const Outputs y = tf::raw::If(tf::raw::Less(x, 2.0f), {x}, {tf::float32}, f, f);
  const tf::Output dx = gradient(y[0], x);
  testing::internal::CaptureStderr();
  EXPECT_EQ(run(dx, x, 3.0f), 6.0f);
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed.find('['), printed.rfind('[')) << printed;
}

}  // namespace
