#include "rill/serve/model/op_policy.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/io/saved_model.h"
#include "rill/ops/register.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::serve {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

NodeDef* add(auto* nodes, const std::string& name, const std::string& op,
             std::initializer_list<const char*> inputs = {}) {
  NodeDef* node = nodes->Add();
  node->set_name(name);
  node->set_op(op);
  for (const char* input : inputs) node->add_input(input);
  return node;
}

// A model whose only output is "y", which is what `x` gives; and a way to save it.
MetaGraphDef model() {
  MetaGraphDef graph;
  auto* nodes = graph.mutable_graph_def()->mutable_node();
  add(nodes, "x", "Placeholder");
  add(nodes, "y", "Identity", {"x"});
  add(nodes, "save/SaveV2", "SaveV2", {"x"});
  add(nodes, "save/restore", "RestoreV2");
  graph.mutable_saver_def()->set_restore_op_name("save/restore");
  auto& signature = (*graph.mutable_signature_def())["serving_default"];
  (*signature.mutable_outputs())["y"].set_name("y:0");
  return graph;
}
std::string refusal(const MetaGraphDef& graph, const std::string& allowed = {}) {
  return error_of([&] { OpPolicy(allowed).check({"m", 1}, graph); });
}

TEST(OpPolicy, unreachable_save_ops_are_allowed) { EXPECT_EQ(refusal(model()), ""); }

TEST(OpPolicy, ops_a_request_would_run_are_checked) {
  MetaGraphDef graph = model();
  auto* nodes = graph.mutable_graph_def()->mutable_node();
  add(nodes, "file", "ReadFile");
  EXPECT_EQ(refusal(graph), "");  // nothing leads there
  nodes->Mutable(1)->add_input("^file");
  EXPECT_EQ(
      refusal(graph),
      "PermissionDenied: Model {name: m version: 1} would run ReadFile in node file, which is "
      "not allowed: --allowed_ops=m:ReadFile would allow it");
  EXPECT_EQ(refusal(graph, "ReadFile"), "");
  EXPECT_EQ(refusal(graph, "m:ReadFile"), "");
  EXPECT_NE(refusal(graph, "other:ReadFile"), "");
  EXPECT_NE(refusal(graph, "Add").find("is not an op that is refused"), std::string::npos);
}

TEST(OpPolicy, restoring_is_for_loading) {
  MetaGraphDef graph = model();
  graph.mutable_graph_def()->mutable_node(1)->add_input("save/restore");
  EXPECT_NE(refusal(graph).find("would run RestoreV2"), std::string::npos);
}

// The groups that the model server refuses, by what their declarations state.
TEST(OpPolicy, every_op_that_reaches_out_is_refused) {
  int refused = 0;
  for (const Op* op : standard_ops().all()) {
    const bool reaches_out = op->has(kReachesOut), of_the_runtime = op->has(kRuntimeOnly);
    MetaGraphDef graph = model();
    add(graph.mutable_graph_def()->mutable_node(), "it", op->name);
    graph.mutable_graph_def()->mutable_node(1)->add_input("^it");
    const bool is_refused = refusal(graph).find("would run " + op->name) != std::string::npos;
    EXPECT_EQ(is_refused, reaches_out || of_the_runtime) << op->name;
    if (!is_refused) continue;
    EXPECT_EQ(refusal(graph, op->name), "") << op->name;
    ++refused;
  }
  EXPECT_GE(refused, 59);
}

TEST(OpPolicy, access_traits_are_declared) {
  for (const char* op : {"ReadFile",
                         "WriteFile",
                         "MatchingFiles",
                         "TextLineReaderV2",
                         "RecordInput",
                         "TFRecordDataset",
                         "ExperimentalCSVDataset",
                         "SqlDataset",
                         "ExperimentalLMDBDataset",
                         "SnapshotDataset",
                         "CacheDataset",
                         "DatasetFromGraph",
                         "ImmutableConst",
                         "Skipgram",
                         "SaveV2",
                         "RestoreV2",
                         "MergeV2Checkpoints",
                         "CreateSummaryFileWriter",
                         "DebugIdentity",
                         "PrintV2",
                         "DatasetToTFRecord",
                         "Rpc",
                         "PyFunc",
                         "EagerPyFunc",
                         "Abort"})
    EXPECT_TRUE(standard_ops().at(op).has(kReachesOut)) << op;
}

TEST(OpPolicy, an_attribute_that_names_a_file) {
  MetaGraphDef graph = model();
  NodeDef* proto = add(graph.mutable_graph_def()->mutable_node(), "proto", "DecodeProtoV2");
  graph.mutable_graph_def()->mutable_node(1)->add_input("proto");
  auto& source = (*proto->mutable_attr())["descriptor_source"];
  for (const char* harmless : {"", "local://", "bytes://abc"}) {
    source.set_s(harmless);
    EXPECT_EQ(refusal(graph), "") << harmless;
  }
  source.set_s("/etc/passwd");
  EXPECT_NE(refusal(graph).find("would run DecodeProtoV2"), std::string::npos);
  EXPECT_EQ(refusal(graph, "DecodeProtoV2"), "");
}

TEST(OpPolicy, functions_however_deep) {
  MetaGraphDef graph = model();
  auto* library = graph.mutable_graph_def()->mutable_library();
  auto* inner = library->add_function();
  inner->mutable_signature()->set_name("inner");
  add(inner->mutable_node_def(), "secret", "WriteFile");
  auto* outer = library->add_function();
  outer->mutable_signature()->set_name("outer");
  add(outer->mutable_node_def(), "call", "inner");
  EXPECT_EQ(refusal(graph), "");
  auto* call = add(graph.mutable_graph_def()->mutable_node(), "z", "MapDataset", {"x"});
  (*call->mutable_attr())["f"].mutable_func()->set_name("outer");
  graph.mutable_graph_def()->mutable_node(1)->add_input("z:0");
  EXPECT_NE(refusal(graph).find("WriteFile in node secret of function inner"), std::string::npos);
}

TEST(OpPolicy, ops_run_at_loading_are_checked) {
  MetaGraphDef graph = model();
  add(graph.mutable_graph_def()->mutable_node(), "init", "Rpc");
  (*graph.mutable_collection_def())["legacy_init_op"].mutable_node_list()->add_value("init");
  EXPECT_NE(refusal(graph).find("would run Rpc"), std::string::npos);
}

TEST(OpPolicy, models_of_tensorflow_are_fine) {
  for (const char* name :
       {"saved_models/predict", "saved_models/classify", "saved_models/resources",
        "saved_models/main_op", "tf2_models/table_of_a_file", "tf2_keras/lstm",
        "tf2_keras/vocabulary"}) {
    const auto file =
        saved_model::read_saved_model(str_cat("tests/golden/models/", name, "/model"));
    EXPECT_EQ(refusal(file.meta_graphs(0)), "") << name;
  }
  const auto reads = saved_model::read_saved_model("tests/golden/models/tf2_models/asset/model");
  EXPECT_NE(refusal(reads.meta_graphs(0)).find("would run ReadFile"), std::string::npos);
  EXPECT_EQ(refusal(reads.meta_graphs(0), "m:ReadFile"), "");
}

}  // namespace
}  // namespace rill::serve
