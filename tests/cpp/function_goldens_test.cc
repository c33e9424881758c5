// Graphs that call functions, built and run by TensorFlow (tools/function_graphs.py): Rill must
// read them, libraries included, and come to the same results.
#include "rill/graph/function.h"
#include "tests/cpp/stored_graphs.h"

namespace rill {
namespace {

const std::filesystem::path kFunctionGraphs = "tests/golden/functions";

class FunctionGolden : public testing::TestWithParam<std::string> {};

TEST_P(FunctionGolden, gives_what_tensorflow_gave) {
  run_stored_graph(kFunctionGraphs, GetParam(), {});
}

TEST_P(FunctionGolden, gives_the_same_without_passes) {
  run_stored_graph(kFunctionGraphs, GetParam(),
                   {.fold = false, .share = false, .simplify = false, .inline_calls = false});
}

TEST_P(FunctionGolden, gives_the_same_with_calls_kept) {
  run_stored_graph(kFunctionGraphs, GetParam(), {.inline_calls = false});
}

TEST_P(FunctionGolden, gives_the_same_on_two_devices) {
  for (const bool inlined : {true, false}) {
    SessionOptions options{.inline_calls = inlined};
    options.device_count["CPU"] = 2;
    options.allow_soft_placement = true;
    run_stored_graph(kFunctionGraphs, GetParam(), options, [](int node) { return node % 2; });
  }
}

// What is written again and read again still means the same.
TEST_P(FunctionGolden, survives_export) {
  const auto meta = load_meta_graph(kFunctionGraphs / (GetParam() + ".pb"));
  Graph graph(standard_ops());
  import_graph_def(graph, meta.graph_def());
  const tensorflow::GraphDef written = export_graph_def(graph);
  EXPECT_EQ(written.library().function_size(), meta.graph_def().library().function_size());
  Graph again(standard_ops());
  import_graph_def(again, written);
  for (const auto& function : graph.functions()->all())
    EXPECT_TRUE(same_definition(*function, *again.functions()->at(function->name())));
}

INSTANTIATE_TEST_SUITE_P(Graphs, FunctionGolden, testing::ValuesIn(stored_graphs(kFunctionGraphs)),
                         [](const auto& info) { return info.param; });

TEST(FunctionGoldens, are_there) { EXPECT_GE(stored_graphs(kFunctionGraphs).size(), 45u); }

}  // namespace
}  // namespace rill
