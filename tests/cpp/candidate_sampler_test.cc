// What samplers keep from run to run. Numbers are TensorFlow's.
#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using I = std::int64_t;
using Classes = std::vector<I>;

class CandidateSampler : public testing::Test {
 protected:
  Node& sampler(const char* op, const Output& true_classes, I count, AttrMap attrs) {
    attrs.insert({{"num_true", I{2}},
                  {"num_sampled", count},
                  {"unique", true},
                  {"seed", I{5}},
                  {"seed2", I{6}}});
    return scope_.add(op, {true_classes}, std::move(attrs));
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

Tensor class_pairs(std::initializer_list<I> classes) {
  Tensor t(DType::i64, {static_cast<I>(classes.size() / 2), 2});
  std::ranges::copy(classes, t.data<I>());
  return t;
}

std::vector<Tensor> sampled(Session& session, const Output& seen, const Tensor& classes,
                            const std::vector<Output>& fetches) {
  const Feed feed{seen, classes};
  return session.run({&feed, 1}, fetches);
}

Classes classes(const Tensor& t) {
  const auto flat = t.flat<I>();
  return {flat.begin(), flat.end()};
}

// Three runs: in the first, class 6 is a true one twenty times.
void expect_runs(const std::shared_ptr<Graph>& graph, const Output& seen, Node& node,
                 const std::vector<Classes>& drawn, const std::vector<float>& last_expected) {
  Session session(graph);
  std::vector<Tensor> out;
  std::size_t i = 0;
  for (const Tensor& feed :
       {class_pairs({6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}),
        class_pairs({1, 6}), class_pairs({2, 3, 6, 6})}) {
    out = sampled(session, seen, feed, {node.output(0), node.output(1)});
    EXPECT_EQ(classes(out[0]), drawn[i++]) << node.op().name;
  }
  for (std::size_t k = 0; k < last_expected.size(); ++k)
    EXPECT_FLOAT_EQ(out[1].flat<float>()[k], last_expected[k]) << node.op().name;
}

TEST_F(CandidateSampler, learned_weights_count_from_the_next_run_on) {
  const Output seen = scope_.add("Placeholder", {}, {{"dtype", DType::i64}}).output(0);
  const std::vector<Classes> learned{{3, 5, 7, 0}, {6, 0, 7, 1}, {6, 1, 3, 5}};
  const std::vector<float> expected{0.28752863F, 0.28752863F, 0.99999815F, 0.99999815F};
  const AttrMap range{{"range_max", I{8}}};
  for (const char* op : {"LearnedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler"})
    expect_runs(graph_, seen, sampler(op, seen, 4, range), learned, expected);
  expect_runs(graph_, seen, sampler("LogUniformCandidateSampler", seen, 4, range),
              {{3, 1, 4, 5}, {4, 0, 3, 7}, {0, 5, 1, 7}},
              {0.62555838F, 0.52746534F, 0.3552449F, 0.3552449F});
}

TEST_F(CandidateSampler, classes_without_weight_are_not_waited_for) {
  const Output seen = scope_.add("Placeholder", {}, {{"dtype", DType::i64}}).output(0);
  const AttrMap weights{{"range_max", I{4}}, {"unigrams", std::vector<float>{1, 0, 2, 0}}};
  Session session(graph_);
  Node& two = sampler("FixedUnigramCandidateSampler", seen, 2, weights);
  Node& three = sampler("FixedUnigramCandidateSampler", seen, 3, weights);
  Classes drawn = classes(sampled(session, seen, class_pairs({0, 1}), {two.output(0)})[0]);
  std::ranges::sort(drawn);
  EXPECT_EQ(drawn, (Classes{0, 2}));
  try {
    sampled(session, seen, class_pairs({0, 1}), {three.output(0)});
    ADD_FAILURE() << "three of two classes were drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kInvalidArgument);
    EXPECT_NE(error.message().find("only 2 classes have a weight"), std::string::npos)
        << error.message();
  }
}

TEST_F(CandidateSampler, impossible_weights_are_refused) {
  const Output seen = scope_.add("Placeholder", {}, {{"dtype", DType::i64}}).output(0);
  for (const float weight : {-1.0F, std::nanf(""), HUGE_VALF}) {
    Node& node = sampler("FixedUnigramCandidateSampler", seen, 1,
                         {{"range_max", I{2}}, {"unigrams", std::vector<float>{1, weight}}});
    Session session(graph_);
    EXPECT_THROW(sampled(session, seen, class_pairs({0, 1}), {node.output(0)}), Error) << weight;
  }
}

}  // namespace
}  // namespace rill
