// Every rewrite, one after the other, switched off in a step that it would change: it does not
// happen, the others do, and training gives the same numbers within rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "rill/base/thread_pool.h"
#include "rill/graph/random_seed.h"
#include "rill/ops/fusion/rewrite_switches.h"
#include "rill/ops/fusion/rewrites.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/memory/cpu_device.h"
#include "tests/cpp/bench_models.h"

namespace rill {
namespace {

using bench_models::TrainingStep;
using RewriteNames = std::set<std::string, std::less<>>;

Tensor small(const Shape& shape) {
  Tensor t(DType::f32, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.data<float>()[i] = static_cast<float>(i * 31 % 17 - 8) / 40;
  return t;
}

// A block of a residual network and one of depthwise convolutions, trained.
TrainingStep pictures() {
  TrainingStep step;
  Output net = bench_models::floats(step, {4, 10, 10, 3});
  const auto normalised = [](const Output& x) {
    const std::int64_t n = x.shape().dim(3);
    const Variable scale(small({n})), offset(small({n}));
    const Tensor none(DType::f32, {0});
    return raw::FusedBatchNormV3(x, scale, offset, none, none, {.is_training = true}).y;
  };
  const auto conv = [](const Output& x, std::int64_t out) {
    const Variable filter(small({3, 3, x.shape().dim(3), out}));
    return raw::Conv2D(x, filter, {1, 1, 1, 1}, "SAME");
  };
  net = raw::Relu(normalised(conv(net, 6)));
  net = raw::Relu(raw::AddV2(normalised(conv(net, 6)), net));
  const Variable taps(small({3, 3, 6, 1})), bias(small({6})), more(small({6}));
  net = raw::Relu(raw::BiasAdd(raw::DepthwiseConv2dNative(net, taps, {1, 1, 1, 1}, "SAME"), bias));
  net = raw::Relu(raw::BiasAdd(conv(net, 6), more));
  net = raw::Mean(net, Tensor::vector<std::int32_t>({1, 2}));
  return bench_models::trained(step, layers::dense(net, 10), 4,
                               train::MomentumOptimizer(0.01, 0.9));
}

// Networks that are asked: weights stay what they are.
TrainingStep asked() {
  TrainingStep step;
  const Output x = bench_models::floats(step, {3, 6, 8});
  nn::rnn_cell::LSTMCell cell(5);
  const Output seen = nn::dynamic_rnn(cell, x, {.dtype = DType::f32}).output();
  const Output rows = raw::Reshape(raw::Transpose(seen, Tensor::vector<std::int32_t>({0, 1, 2})),
                                   Tensor::vector<std::int32_t>({-1, 5}));
  const Output wide = raw::Relu(raw::BiasAdd(raw::MatMul(rows, small({5, 512})), small({512})));
  const Output dense = raw::Relu(raw::BiasAdd(raw::MatMul(wide, small({512, 8})), small({8})));
  const auto gates = [](const Output& a, const Output& b, std::int64_t out) {
    return raw::BiasAdd(raw::MatMul(raw::ConcatV2({a, b}, Tensor::scalar(1)), small({12, out})),
                        small({out}));
  };
  const Output h = raw::Tanh(raw::MatMul(dense, small({8, 4})));
  const auto both = raw::Split(Tensor::scalar(1), raw::Sigmoid(gates(dense, h, 8)), 2);
  const Output made = raw::Tanh(gates(dense, raw::Mul(both[0], h), 4));
  step.loss =
      raw::AddV2(raw::Mul(both[1], h), raw::Mul(raw::Sub(Tensor::scalar(1.0f), both[1]), made));
  return step;
}

// Adam of a table of which rows are read.
TrainingStep looked_up() {
  TrainingStep step;
  const Variable table(small({40, 6}));
  const Output rows = gather(table, bench_models::ids(step, {9}, 40));
  step.loss = raw::L2Loss(raw::Mul(rows, raw::Sin(rows)));
  step.train = &train::AdamOptimizer(0.1).minimize(step.loss);
  return step;
}

// Two steps of a cell with nodes of their own.
template <class Cell>
TrainingStep unrolled() {
  TrainingStep step;
  const Output x = bench_models::floats(step, {6, 2, 7});
  Cell cell(8);
  const std::vector<Output> steps = raw::Unpack(x, 2, {.axis = 1});
  const auto made = nn::static_rnn(cell, steps, {.dtype = DType::f32}).output();
  return bench_models::trained(step, layers::dense(made.back(), 10), 6, train::AdamOptimizer());
}

struct NamedProgram {
  const char* name;
  TrainingStep (*make)();
};
const NamedProgram kPrograms[] = {{"softmax_regression", bench_models::softmax_regression},
                                  {"mlp", bench_models::mlp},
                                  {"wide_and_deep", bench_models::wide_and_deep},
                                  {"lstm_dynamic", bench_models::lstm_dynamic},
                                  {"transformer", bench_models::transformer},
                                  {"pictures", pictures},
                                  {"asked", asked},
                                  {"looked_up", looked_up},
                                  {"unrolled", unrolled<nn::rnn_cell::LSTMCell>},
                                  {"unrolled_gru", unrolled<nn::rnn_cell::GRUCell>}};

class SwitchedStep {
 public:
  explicit SwitchedStep(const NamedProgram& program) {
    set_graph_seed(*graph_, 7);
    step_ = program.make();
    initializer_ = &global_variables_initializer();
    if (step_.train != nullptr) targets_.push_back(step_.train);
  }

  // The rewrites that change the step, and in how many places.
  std::map<std::string, int> fired(const RewriteNames& off) const {
    ThreadPool pool(1);
    CpuDevice device(0, pool);
    KernelCache kernels(standard_kernels(), device);
    InlinedBodies bodies;
    std::vector<Output> feeds;
    for (const Feed& feed : step_.feeds) feeds.push_back(feed.target);
    CompileOptions options{.bodies = &bodies};
    options.rewrites.off = off;
    const Subgraph compiled =
        compile_subgraph(feeds, std::vector{step_.loss}, targets_, options, kernels, nullptr);
    std::map<std::string, int> found;
    for (const Subgraph::Fired& one : compiled.fired)
      for (const Rewrite* rewrite : standard_rewrites())
        if (std::string_view(rewrite->name) == one.rewrite) found[rewrite->name] += one.places;
    return found;
  }
  // What some steps fetch, the variables after them, and how many kernels the last one ran.
  struct Trained {
    std::vector<Tensor> values;
    std::size_t kernels = 0;
  };
  Trained train(const RewriteNames& off) const {
    Session session(graph_, {.rewrites_off = off});
    session.run(*initializer_);
    Trained trained;
    for (int i = 0; i < 3; ++i) {
      StepStats stats;
      trained.values.push_back(
          session.run(step_.feeds, std::vector{step_.loss}, targets_, {.trace = true}, &stats)[0]);
      trained.kernels = stats.nodes.size();
    }
    for (const Variable& variable : global_variables())
      trained.values.push_back(session.run(std::vector{variable.value()})[0]);
    return trained;
  }

 private:
  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault in_graph_{graph_};
  TrainingStep step_;
  Node* initializer_ = nullptr;
  std::vector<Node*> targets_;
};

double largest_difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::int64_t k = 0; k < a[i].element_count(); ++k)
      most = std::max(most, std::abs(static_cast<double>(a[i].data<float>()[k]) -
                                     static_cast<double>(b[i].data<float>()[k])));
  return most;
}

class EveryRewrite : public testing::TestWithParam<NamedProgram> {};

TEST_P(EveryRewrite, CanBeSwitchedOffAlone) {
  constexpr double kRounding = 2e-4;  // Adam makes steps of equal size of gradients near 0
  const SwitchedStep step(GetParam());
  const auto all = step.fired({});
  const auto plain = step.train({"all"}), quick = step.train({});
  EXPECT_TRUE(step.fired({"all"}).empty());
  EXPECT_LT(largest_difference(quick.values, plain.values), kRounding);
  EXPECT_LT(quick.kernels, plain.kernels);
  for (const auto& [name, places] : all) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(step.fired({name}).contains(name));
    EXPECT_LT(largest_difference(step.train({name}).values, plain.values), kRounding);
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, EveryRewrite, testing::ValuesIn(kPrograms),
                         [](const auto& info) { return info.param.name; });

// A rewrite that is not among them needs a step that it changes.
TEST(EveryRewriteIn, SomeStepOfThese) {
  RewriteNames seen;
  for (const NamedProgram& program : kPrograms)
    // Without product_columns, which comes before it, product_slices has some.
    for (const RewriteNames& off : {RewriteNames{}, RewriteNames{"product_columns"}})
      for (const auto& [name, places] : SwitchedStep(program).fired(off)) seen.insert(name);
  for (const Rewrite* rewrite : standard_rewrites())
    EXPECT_TRUE(rewrite->only_if_asked || seen.contains(rewrite->name)) << rewrite->name;
}

TEST(RewriteSwitchNames, earlier_names_stand_for_todays) {
  for (const RewriteAlias& one : rewrite_aliases()) {
    SCOPED_TRACE(one.alias);
    EXPECT_EQ(rewrite_switches({std::string(one.alias)}).off, RewriteNames{std::string(one.name)});
    EXPECT_TRUE(std::ranges::any_of(
        standard_rewrites(), [&](const Rewrite* rewrite) { return rewrite->name == one.name; }));
    EXPECT_TRUE(std::ranges::none_of(
        standard_rewrites(), [&](const Rewrite* rewrite) { return rewrite->name == one.alias; }));
  }
  EXPECT_EQ(rewrite_switches({"all", "arena"}).off, (RewriteNames{"all", "arena"}));
}

TEST(RewriteSwitchNames, an_unknown_name_in_the_options_is_refused) {
  const auto graph = make_graph();
  for (const SessionOptions& options :
       {SessionOptions{.rewrites_off = {"nosuch"}}, SessionOptions{.rewrites_on = {"nosuch"}}}) {
    try {
      const Session session(graph, options);
      ADD_FAILURE() << "opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInvalidArgument);
      for (const char* part : {"nosuch", "relax_control_edges", "fused_updates", "arena", "all"})
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

TEST(RewriteSwitchNames, an_unknown_name_in_the_environment_is_reported_once) {
  for (const char* variable : {"RILL_REWRITES_OFF", "RILL_REWRITES_ON"}) {
    ::setenv(variable, "gelu,nosuch_in_environment", 1);
    testing::internal::CaptureStderr();
    rewrite_switches();
    rewrite_switches();
    ::unsetenv(variable);
    const std::string said = testing::internal::GetCapturedStderr();
    const std::size_t first = said.find("nosuch_in_environment");
    ASSERT_NE(first, std::string::npos) << said;
    EXPECT_EQ(said.find("nosuch_in_environment", first + 1), std::string::npos) << said;
    EXPECT_NE(said.find(variable), std::string::npos) << said;
    EXPECT_NE(said.find("prepack_filters"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace rill
