// Variables, scopes and initializers as C++ programs write them: the same nodes as Python's.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class VariablesApi : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const tf::Node* node : graph_->nodes()) found.push_back(node->name());
    return found;
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

using Names = std::vector<std::string>;

TEST_F(VariablesApi, plain_variable) {
  const tf::Variable v(tf::Tensor::vector<float>({1, 2}), {.name = "v"});
  EXPECT_EQ(names(), (Names{"v/initial_value", "v", "v/Assign", "v/read"}));
  const tf::Output more = v.assign_add(tf::Tensor::vector<float>({10, 10}));
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  EXPECT_EQ(sess.run(more).flat<float>()[1], 12);
  EXPECT_EQ(sess.run(v.value()).flat<float>()[0], 11);
  EXPECT_EQ(tf::trainable_variables().size(), 1u);
}

TEST_F(VariablesApi, resource_variable) {
  const tf::Variable v(2.0f, {.use_resource = true, .name = "v"});
  EXPECT_EQ(names(),
            (Names{"v/Initializer/initial_value", "v", "v/IsInitialized/VarIsInitializedOp",
                   "v/Assign", "v/Read/ReadVariableOp"}));
  const tf::Output written = v.assign(5.0f);
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  EXPECT_EQ(sess.run(written).scalar_value<float>(), 5);
}

TEST_F(VariablesApi, scopes_and_reuse) {
  tf::Variable first, again;
  {
    const tf::VariableScopeBlock scope("a", {.initializer = tf::ones_initializer()});
    first = tf::get_variable("v", {3});
    EXPECT_THROW(tf::get_variable("v", {3}), tf::Error);
  }
  {
    const tf::VariableScopeBlock scope("a", {.reuse = tf::Reuse::kYes});
    again = tf::get_variable("v", {3});
    EXPECT_THROW(tf::get_variable("w", {3}), tf::Error);
    EXPECT_THROW(tf::get_variable("v", {4}), tf::Error);
  }
  EXPECT_EQ(first, again);
  EXPECT_EQ(first.name(), "a/v:0");
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  EXPECT_EQ(sess.run(first.value()).flat<float>()[2], 1);
}

TEST_F(VariablesApi, default_names) {
  Names found;
  for (int i = 0; i < 2; ++i) {
    const auto scope = tf::VariableScopeBlock::with_default_name("layer");
    found.push_back(tf::get_variable("v", {1}).name());
  }
  EXPECT_EQ(found, (Names{"layer/v:0", "layer_1/v:0"}));
}

TEST_F(VariablesApi, custom_getter_and_regularizer) {
  tf::CustomGetter renaming;
  renaming.get = [](const tf::Getter& getter, const std::string& name,
                    const tf::GetVariableOptions& options) {
    return getter(name + "_mine", options);
  };
  tf::Regularizer none;
  none.loss = [](const tf::AnyVariable&) { return tf::Output(); };
  const tf::VariableScopeBlock scope("a", {.regularizer = none, .custom_getter = renaming});
  EXPECT_EQ(tf::get_variable("v", {1}).name(), "a/v_mine:0");
  EXPECT_TRUE(tf::get_collection(tf::GraphKeys::REGULARIZATION_LOSSES).empty());
}

TEST_F(VariablesApi, partitions) {
  const tf::AnyVariable found =
      tf::get_any_variable("v", {.shape = tf::PartialShape{5, 2},
                                 .initializer = tf::ones_initializer(),
                                 .partitioner = tf::fixed_size_partitioner(2)});
  const auto parts = std::get<tf::PartitionedVariableRef>(found);
  ASSERT_EQ(parts->parts().size(), 2u);
  EXPECT_EQ(parts->parts()[0]->save_slice_info->spec(), "5 2 0,3:0,2");
  const tf::Output whole = parts->as_tensor();
  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  EXPECT_EQ(sess.run(whole).shape(), (tf::Shape{5, 2}));
}

TEST_F(VariablesApi, templates) {
  tf::Template scale("scale");
  const auto part = [] { return tf::get_variable("s", tf::PartialShape(tf::Shape())).value(); };
  const tf::Output a = scale(part), b = scale(part);
  EXPECT_EQ(a, b);
  EXPECT_EQ(tf::global_variables().at(0).name(), "scale/s:0");
}

TEST_F(VariablesApi, errors) {
  EXPECT_THROW(tf::Variable(tf::placeholder(tf::float32, {tf::None})), tf::Error);
  EXPECT_THROW(tf::variance_scaling_initializer({.scale = -1}), tf::Error);
  EXPECT_THROW(tf::get_variable("v", tf::PartialShape{tf::None}), tf::Error);
}

TEST_F(VariablesApi, collections) {
  tf::add_to_collection("things", std::string("a"));
  tf::add_to_collections({"things", "others"}, tf::constant(1));
  EXPECT_EQ(tf::get_collection("things").size(), 2u);
  EXPECT_EQ(tf::get_collection("things", "Const").size(), 1u);
  EXPECT_THROW(tf::get_collection("things", "("), tf::Error);
}

}  // namespace
