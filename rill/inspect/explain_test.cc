#include "rill/inspect/explain.h"

#include <gtest/gtest.h>

#include <set>

#include "rill/base/json.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/scope.h"
#include "rill/inspect/model_speed.h"
#include "rill/ops/register.h"

namespace rill::inspect {
namespace {

constexpr Peaks kPeaks{.threads = 1,
                       .float_flops = 1e11,
                       .double_flops = 5e10,
                       .cache_bytes = 1e11,
                       .memory_bytes = 1e10};

// y = tanh(x w + b), with a constant that is computed from constants and an identity on the way.
tensorflow::GraphDef dense_layer() {
  Graph graph(standard_ops());
  Scope scope(graph);
  const Output x =
      scope.add("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{-1, 3}}}, "x")
          .output();
  const Output half = scope.constant(Tensor::scalar(0.5f));
  const Output b = scope.add("Add", {half, half}, {}, "b").output();
  const Output w = scope.constant(Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Output product = scope.add("MatMul", {x, w}, {}, "product").output();
  const Output same = scope.add("Identity", {product}, {}, "same").output();
  scope.add("Tanh", {scope.add("Sub", {same, b}, {}, "less").output()}, {}, "y");
  return export_graph_def(graph);
}

std::set<std::string> names_of(const std::vector<FiredPass>& passes) {
  std::set<std::string> names;
  for (const FiredPass& pass : passes) names.insert(pass.name);
  return names;
}

const KernelShare* find(const std::vector<KernelShare>& shares, const std::string& op) {
  for (const KernelShare& share : shares)
    if (share.op == op) return &share;
  return nullptr;
}

TEST(BenchedModel, fetches_are_the_outputs_nobody_reads) {
  const BenchedModel model = open_graph(dense_layer());
  ASSERT_EQ(model.inputs.size(), 1u);
  EXPECT_EQ(model.inputs[0].name, "x");
  ASSERT_EQ(model.outputs.size(), 1u);
  EXPECT_EQ(model.outputs[0].name, "y");
}

TEST(BenchedModel, feeds_have_the_batch_and_are_the_same_every_time) {
  const BenchedModel model = open_graph(dense_layer());
  const std::vector<Tensor> feeds = made_feeds(model, {.batch = 4});
  ASSERT_EQ(feeds.size(), 1u);
  EXPECT_EQ(feeds[0].shape(), Shape({4, 3}));
  EXPECT_TRUE(identical(feeds[0], made_feeds(model, {.batch = 4})[0]));
  for (const float value : feeds[0].flat<float>()) EXPECT_TRUE(value >= 0 && value < 1);
  const Tensor own = Tensor::of<float>({1, 3}, {7, 8, 9});
  EXPECT_TRUE(identical(made_feeds(model, {.values = {{"x", own}}})[0], own));
  EXPECT_EQ(made_feeds(model, {.shapes = {{"x", Shape({2, 3})}}})[0].shape(), Shape({2, 3}));
}

TEST(BenchedModel, wishes_about_unknown_inputs_are_refused) {
  const BenchedModel model = open_graph(dense_layer());
  EXPECT_THROW(made_feeds(model, {.shapes = {{"z", Shape({1})}}}), Error);
  EXPECT_THROW(open_graph(dense_layer(), {.outputs = {"nothing"}}), Error);
  EXPECT_THROW(open_graph(dense_layer(), {.outputs = {"y:1"}}), Error);
}

TEST(BenchedModel, an_unknown_rank_must_be_given) {
  Graph graph(standard_ops());
  Scope scope(graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::i32}}, "x").output();
  scope.add("Neg", {x}, {}, "y");
  const BenchedModel model = open_graph(export_graph_def(graph));
  EXPECT_THROW(made_feeds(model), Error);
  const Tensor value = made_feeds(model, {.shapes = {{"x", Shape({50})}}, .largest_integer = 3})[0];
  for (const std::int32_t one : value.flat<std::int32_t>()) EXPECT_TRUE(one >= 0 && one <= 3);
}

TEST(ModelSpeed, percentiles_of_known_times) {
  std::vector<double> times;
  for (int i = 100; i >= 0; --i) times.push_back(i);
  const Latency latency = latency_of(times);
  EXPECT_EQ(latency.runs, 101);
  EXPECT_EQ(latency.best, 0);
  EXPECT_EQ(latency.p50, 50);
  EXPECT_EQ(latency.p90, 90);
  EXPECT_EQ(latency.p99, 99);
  EXPECT_EQ(latency.mean, 50);
  EXPECT_THROW(latency_of({}), Error);
}

TEST(ModelSpeed, every_number_of_threads_sends_requests) {
  const BenchedModel model = open_graph(dense_layer());
  const std::vector<Tensor> feeds = made_feeds(model, {.batch = 2});
  const ModelSpeed speed = measure_speed(model, feeds, {.seconds = 0.01, .max_threads = 3});
  EXPECT_EQ(speed.batch, 2);
  EXPECT_GE(speed.latency.runs, 10);
  ASSERT_EQ(speed.throughput.size(), 3u);
  EXPECT_EQ(speed.throughput[1].threads, 2);
  EXPECT_EQ(speed.throughput[2].threads, 3);
  for (const Throughput& one : speed.throughput) EXPECT_GT(one.runs_per_second, 0);
  EXPECT_GE(speed.memory.peak, speed.memory.loaded);
  const Json json = parse_json(to_json(speed));
  EXPECT_EQ(json.find("throughput")->items.size(), 3u);
}

TEST(Explain, names_passes_and_kernels) {
  const BenchedModel model = open_graph(dense_layer());
  const std::vector<Tensor> feeds = made_feeds(model, {.batch = 4});
  const Explanation found = explain(model, feeds, kPeaks, 2);
  const std::set<std::string> passes = names_of(found.passes);
  EXPECT_TRUE(passes.contains("fold_constants"));
  EXPECT_TRUE(passes.contains("drop_identities"));
  EXPECT_EQ(find(found.ops, "Identity"), nullptr);
  // Rewrites may have joined what follows the product to it.
  const KernelShare* const product =
      find(found.ops, "MatMul") ? find(found.ops, "MatMul") : find(found.ops, "_MatMulEpilogue");
  ASSERT_NE(product, nullptr);
  EXPECT_EQ(product->calls, 1);
  EXPECT_EQ(product->flops, 2 * 4 * 3 * 2);
  EXPECT_TRUE(product->is_known);
  double sum = 0;
  for (const KernelShare& share : found.kernels) sum += share.seconds;
  EXPECT_NEAR(sum, found.kernel_seconds, 1e-9);
  EXPECT_TRUE(std::ranges::is_sorted(found.kernels, std::greater<>(), &KernelShare::seconds));
}

TEST(Explain, a_total_has_the_bound_of_its_largest_part) {
  KernelShare share{.min_seconds = 3, .memory_seconds = 1};
  EXPECT_FALSE(share.by_memory());
  share.memory_seconds = 2;
  EXPECT_TRUE(share.by_memory());
}

TEST(Explain, writes_tables_and_json) {
  const BenchedModel model = open_graph(dense_layer());
  const Explanation found = explain(model, made_feeds(model), kPeaks, 1);
  const std::string text = to_text(found, 1);
  for (const char* part : {"fold_constants", "GFLOP/s", "of peak", "more"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  const Json json = parse_json(to_json(found));
  EXPECT_EQ(json.find("kernels")->items.size(), found.kernels.size());
  EXPECT_EQ(json.find("passes")->items.size(), found.passes.size());
}

TEST(Peaks, are_measured_for_as_many_threads_as_wanted) {
  const Peaks peaks = measure_peaks(1);
  EXPECT_EQ(peaks.threads, 1);
  for (const double figure :
       {peaks.float_flops, peaks.double_flops, peaks.cache_bytes, peaks.memory_bytes})
    EXPECT_GT(figure, 0);
  EXPECT_TRUE(parse_json(to_json(peaks)).find("gflops_float") != nullptr);
}

}  // namespace
}  // namespace rill::inspect
