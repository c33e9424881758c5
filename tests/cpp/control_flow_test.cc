// Branches, loops and TensorArrays as C++ programs build them.
#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/graph/flow_context_def.h"
#include "rill/graph/graph_def.h"
#include "rill/rill.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/protobuf/control_flow.pb.h"

namespace tf = rill;

namespace {

using Outputs = std::vector<tf::Output>;

class Flow : public ::testing::Test {
 protected:
  float run(tf::Output fetch, std::vector<tf::Feed> feeds = {}) {
    tf::Session session(graph_);
    return session.run(feeds, {&fetch, 1})[0].scalar_value<float>();
  }
  tf::Feed feed(tf::Output x, float value) { return {x, tf::Tensor::scalar<float>(value)}; }
  tf::Output scalar(const char* name) { return tf::placeholder(tf::float32, {}, {.name = name}); }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

// s * x three times, from x.
Outputs cube_loop(tf::Output x) {
  return tf::while_loop([](const Outputs& v) { return tf::raw::Less(v[0], 3); },
                        [x](const Outputs& v) {
                          return Outputs{tf::raw::AddV2(v[0], 1), tf::raw::Mul(v[1], x)};
                        },
                        {0, x});
}

TEST_F(Flow, cond_takes_one_branch) {
  const auto x = scalar("x");
  const auto y = tf::cond_one(
      tf::raw::Greater(x, 0.0F), [&] { return tf::raw::Mul(x, 2.0F); },
      [&] { return tf::raw::Neg(x); });
  EXPECT_EQ(y.name(), "cond/Merge:0");
  EXPECT_EQ(run(y, {feed(x, 3)}), 6);
  EXPECT_EQ(run(y, {feed(x, -3)}), 3);
  const auto g = tf::gradients({y}, {x})[0].dense();
  EXPECT_EQ(run(g, {feed(x, 3)}), 2);
  EXPECT_EQ(run(g, {feed(x, -3)}), -1);
}

TEST_F(Flow, branches_must_agree) {
  const auto x = scalar("x");
  const auto p = tf::raw::Greater(x, 0.0F);
  EXPECT_NE(tf::thrown_by([&] {
              tf::cond_one(
                  p, [&] { return x; }, [] { return tf::constant(1); });
            })
                .message()
                .find("must have the same type"),
            std::string::npos);
  EXPECT_NE(tf::thrown_by([&] {
              tf::cond(
                  p,
                  [&] {
                    return Outputs{x, x};
                  },
                  [&] { return Outputs{x}; });
            })
                .message()
                .find("true_fn returned 2 results and false_fn 1"),
            std::string::npos);
  EXPECT_EQ(tf::current_scope().flow(), nullptr);  // also after the errors
}

TEST_F(Flow, case_takes_the_first_true_one) {
  const auto x = scalar("x");
  const auto times = [&](float factor) {
    return [x, factor] { return Outputs{tf::raw::Mul(x, factor)}; };
  };
  const auto y = tf::case_of(
      {{tf::raw::Less(x, 1.0F), times(10)}, {tf::raw::Less(x, 2.0F), times(20)}}, times(30))[0];
  EXPECT_EQ(run(y, {feed(x, 0.5F)}), 5);
  EXPECT_EQ(run(y, {feed(x, 1.5F)}), 30);
  EXPECT_EQ(run(y, {feed(x, 2)}), 60);
}

TEST_F(Flow, case_without_default_fails_when_none_is_true) {
  const auto x = scalar("x");
  const auto same = [&] { return Outputs{tf::raw::Neg(x)}; };
  const auto y =
      tf::case_of({{tf::raw::Less(x, 1.0F), same}, {tf::raw::Greater(x, 2.0F), same}})[0];
  EXPECT_EQ(run(y, {feed(x, 3)}), -3);
  EXPECT_NE(tf::thrown_by([&] { run(y, {feed(x, 1.5F)}); })
                .message()
                .find("None of conditions evaluated as True"),
            std::string::npos);
}

TEST_F(Flow, while_loop_and_its_gradient) {
  const auto x = scalar("x");
  const auto s = cube_loop(x)[1];
  EXPECT_EQ(s.name(), "while/Exit_1:0");
  const auto g = tf::gradients({s}, {x})[0].dense();
  EXPECT_EQ(run(s, {feed(x, 2)}), 16);
  EXPECT_EQ(run(g, {feed(x, 2)}), 32);  // 4 x^3
}

TEST_F(Flow, loops_keep_their_shapes) {
  const auto x = tf::placeholder(tf::float32, {1});
  const auto grow = [&](const Outputs& v) { return Outputs{tf::raw::ConcatV2({v[0], x}, 0)}; };
  const auto always = [](const Outputs&) { return tf::constant(true); };
  EXPECT_NE(tf::thrown_by([&] { tf::while_loop(always, grow, {x}); })
                .message()
                .find("enters the loop with shape [1], but has shape [2] after one iteration"),
            std::string::npos);
  tf::WhileLoopOptions options;
  options.shape_invariants = {{tf::None}};
  options.maximum_iterations = 3;
  const auto y = tf::while_loop(always, grow, {x}, options)[0];
  tf::Session session(graph_);
  const tf::Feed one{x, tf::Tensor::vector<float>({1})};
  EXPECT_EQ(session.run({&one, 1}, {&y, 1})[0].element_count(), 4);
}

TEST_F(Flow, values_of_a_loop_body_cannot_be_used_outside) {
  const auto x = scalar("x");
  tf::Output inside;
  tf::while_loop([](const Outputs& v) { return tf::raw::Less(v[0], 3.0F); },
                 [&](const Outputs& v) {
                   inside = tf::raw::AddV2(v[0], 1.0F);
                   return Outputs{inside};
                 },
                 {x});
  EXPECT_FALSE(inside.node->is_fetchable());
  EXPECT_FALSE(inside.node->is_feedable());
  EXPECT_NE(tf::thrown_by([&] { tf::raw::Neg(inside); }).message().find("is in a while loop"),
            std::string::npos);
}

TEST_F(Flow, no_gradients_of_gradients_of_loops) {
  const auto x = scalar("x");
  const auto g = tf::gradients({cube_loop(x)[1]}, {x})[0].dense();
  EXPECT_NE(tf::thrown_by([&] { tf::gradients({g}, {x}); }).message().find("Second-order gradient"),
            std::string::npos);
}

TEST_F(Flow, arrays_travel_as_their_flow) {
  const auto x = tf::placeholder(tf::float32, {3});
  const auto in = tf::TensorArray(tf::float32, 3).unstack(x);
  const tf::TensorArray out(tf::float32, 3);
  const auto ends = tf::while_loop(
      [](const Outputs& v) { return tf::raw::Less(v[0], 3); },
      [&](const Outputs& v) {
        const auto square = tf::raw::Square(in.read(v[0]));
        return Outputs{tf::raw::AddV2(v[0], 1), out.with_flow(v[1]).write(v[0], square).flow()};
      },
      {0, out.flow()});
  const auto y = out.with_flow(ends[1]).stack();
  const auto g = tf::gradients({y}, {x})[0].dense();
  tf::Session session(graph_);
  const tf::Feed three{x, tf::Tensor::vector<float>({1, 2, 3})};
  const Outputs fetches{y, g};
  const auto results = session.run({&three, 1}, fetches);
  EXPECT_EQ(results[0].flat<float>()[2], 9);
  EXPECT_EQ(results[1].flat<float>()[2], 6);
}

TEST_F(Flow, slices_as_python_does) {
  const auto x = tf::placeholder(tf::float32, {3, 4});
  const auto y = tf::slice(x, {1, tf::SliceRange{.start = 1, .step = 2}});
  EXPECT_EQ(tf::to_text(y.shape()), "[2]");
  EXPECT_EQ(tf::to_text(tf::slice(x, {tf::Ellipsis{}, tf::NewAxis{}}).shape()), "[3,4,1]");
}

// What a MetaGraph keeps of contexts is enough to differentiate the imported graph.
TEST_F(Flow, contexts_round_trip_through_protos) {
  const auto x = scalar("x");
  const auto y = tf::cond_one(
      tf::raw::Greater(x, 0.0F), [&] { return cube_loop(x)[1]; }, [&] { return tf::raw::Neg(x); });
  const auto copy = tf::make_graph();
  tf::import_graph_def(*copy, tf::export_graph_def(*graph_));
  for (const tf::FlowContext* context : graph_->flows()) {
    if (context->outer() != nullptr) continue;
    tensorflow::CondContextDef def;
    export_flow(static_cast<const tf::CondContext&>(*context), &def);
    import_flow(*copy, def);
  }
  ASSERT_EQ(copy->flows().size(), graph_->flows().size());
  const tf::AsDefault as_default(copy);
  const auto copied_x = copy->tensor(x.name());
  const auto copied_g = tf::gradients({copy->tensor(y.name())}, {copied_x})[0].dense();
  tf::Session session(copy);
  const tf::Feed two{copied_x, tf::Tensor::scalar<float>(2)};
  EXPECT_EQ(session.run({&two, 1}, {&copied_g, 1})[0].scalar_value<float>(), 32);
}

}  // namespace
