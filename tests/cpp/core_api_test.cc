#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Core : public ::testing::Test {
 protected:
  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

std::vector<std::string> node_names(const tf::Graph& graph) {
  std::vector<std::string> result;
  for (const tf::Node* node : graph.nodes()) result.push_back(node->name());
  return result;
}

TEST_F(Core, builds_as_python_does) {
  const auto x = tf::placeholder(tf::float32, {tf::None, 2}, {.name = "x"});
  const auto y = tf::raw::AddV2(x, tf::constant({1.0F, 2.0F}), {.name = "y"});
  tf::no_op({.name = "done"});
  EXPECT_EQ(node_names(*graph_), (std::vector<std::string>{"x", "Const", "y", "done"}));
  EXPECT_EQ(tf::to_text(y.shape()), "[?,2]");

  tf::Session session(graph_);
  const auto fed = tf::Tensor::of<float>({1, 2}, {10, 20});
  const tf::Feed feed{x, fed};
  const auto result = session.run({&feed, 1}, {&y, 1});
  EXPECT_EQ(result[0].flat<float>()[1], 22);
}

TEST_F(Core, scopes_nest_and_end) {
  {
    const tf::NameScope outer("a");
    const tf::NameScope inner("b");
    EXPECT_EQ(tf::constant(1).name(), "a/b/Const:0");
  }
  EXPECT_EQ(tf::constant(1).name(), "Const:0");
  tf::Node* first = &tf::no_op();
  const tf::ControlDependencies after({first});
  EXPECT_EQ(tf::no_op().control_inputs(), std::vector<tf::Node*>{first});
}

TEST_F(Core, constants_fill_their_shape) {
  const auto c = tf::constant({1, 2}, {.shape = tf::Shape{2, 2}});
  const auto& value = c.node->attr<tf::Tensor>("value");
  EXPECT_EQ(value.flat<int>()[3], 2);
  EXPECT_THROW(tf::constant({1, 2}, {.shape = tf::Shape{1}}), tf::Error);
}

TEST_F(Core, nodes_remember_the_line_that_made_them) {
  const auto x = tf::placeholder(tf::float32);
  const auto& frame = x.node->origin()->frames.at(0);
  EXPECT_TRUE(frame.file.ends_with("core_api_test.cc")) << frame.file;
}

TEST_F(Core, each_graph_has_its_scope) {
  const tf::NameScope outer("a");
  {
    const tf::AsDefault other(tf::make_graph());
    EXPECT_EQ(tf::constant(1).name(), "Const:0");
    EXPECT_THROW(tf::reset_default_graph(), tf::Error);
  }
  EXPECT_EQ(tf::constant(1).name(), "a/Const:0");
}

TEST_F(Core, devices_of_a_block) {
  const tf::DeviceScope job("/job:w");
  const auto a = tf::constant(1);
  EXPECT_EQ(a.node->device(), "/job:w");
  {
    const tf::DeviceScope choose([](tf::Node& node) {
      return node.op().name == "Const" ? std::string("/cpu:1") : std::string();
    });
    EXPECT_EQ(tf::constant(1).node->device(), "/job:w/device:CPU:1");
    const tf::DeviceScope nowhere(nullptr);
    EXPECT_EQ(tf::constant(1).node->device(), "");
    const tf::ColocateWith beside(*a.node);
    EXPECT_EQ(tf::constant(1).node->device(), "/job:w");
  }
}

TEST_F(Core, builders_return_what_the_op_has) {
  const auto parts = tf::raw::Unpack(tf::constant({1.0F, 2.0F}), 2);
  EXPECT_EQ(parts.size(), 2U);
  const auto both = tf::raw::IdentityN({parts[0], 3});
  EXPECT_EQ(both[1].dtype(), tf::int32);
}

TEST_F(Core, gradients_of_a_product) {
  const auto x = tf::placeholder(tf::float32, {});
  const auto y = tf::raw::Mul(x, tf::raw::Square(x));
  const auto dx = tf::gradients({y}, {x}).at(0).dense();
  tf::Session session(tf::default_graph());
  const auto out =
      session.run(std::vector<tf::Feed>{{x, tf::Tensor::scalar(3.0F)}}, std::vector{dx});
  EXPECT_EQ(out.at(0).scalar_value<float>(), 27.0F);
}

}  // namespace
