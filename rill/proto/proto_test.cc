#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include <string>

#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

tensorflow::GraphDef one_node_graph() {
  tensorflow::GraphDef graph;
  graph.mutable_versions()->set_producer(134);
  tensorflow::NodeDef& node = *graph.add_node();
  node.set_name("x");
  node.set_op("Placeholder");
  (*node.mutable_attr())["dtype"].set_type(tensorflow::DT_FLOAT);
  return graph;
}

TEST(Proto, a_graph_survives_a_round_trip) {
  tensorflow::GraphDef copy;
  ASSERT_TRUE(copy.ParseFromString(one_node_graph().SerializeAsString()));
  ASSERT_EQ(copy.node_size(), 1);
  EXPECT_EQ(copy.node(0).op(), "Placeholder");
  EXPECT_EQ(copy.node(0).attr().at("dtype").type(), tensorflow::DT_FLOAT);
  EXPECT_EQ(copy.versions().producer(), 134);
}

TEST(Proto, bytes_are_those_of_the_wire_format) {
  tensorflow::GraphDef graph;
  graph.add_node()->set_name("x");
  EXPECT_EQ(graph.SerializeAsString(), std::string("\x0a\x03\x0a\x01x"));
}

TEST(Proto, fields_of_newer_writers_are_kept) {
  constexpr int kFutureField = 1000;
  tensorflow::GraphDef newer = one_node_graph();
  tensorflow::NodeDef& node = *newer.mutable_node(0);
  node.GetReflection()->MutableUnknownFields(&node)->AddLengthDelimited(kFutureField, "later");

  tensorflow::GraphDef copy;
  ASSERT_TRUE(copy.ParseFromString(newer.SerializeAsString()));
  EXPECT_EQ(copy.SerializeAsString(), newer.SerializeAsString());
  EXPECT_EQ(node.GetReflection()->GetUnknownFields(copy.node(0)).field_count(), 1);
}

TEST(Proto, truncated_bytes_are_refused) {
  const std::string bytes = one_node_graph().SerializeAsString();
  tensorflow::GraphDef graph;
  EXPECT_FALSE(graph.ParseFromString(bytes.substr(0, bytes.size() - 1)));
}

}  // namespace
}  // namespace rill
