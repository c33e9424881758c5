// Conditional random fields, beside sums over all sequences.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/contrib.h"
#include "rill/rill.h"

namespace tf = rill;
namespace crf = rill::contrib::crf;

namespace {

constexpr int kTags = 3, kSteps = 4;

// The score of each of the 3^length sequences.
template <class Visit>
void visit_sequences(const tf::Tensor& scores, const tf::Tensor& transitions, int length,
                     Visit visit) {
  const auto s = scores.flat<float>(), p = transitions.flat<float>();
  for (int code = 0; code < static_cast<int>(std::pow(kTags, length)); ++code) {
    std::vector<std::int32_t> tags;
    for (int t = 0, rest = code; t < length; ++t, rest /= kTags) tags.push_back(rest % kTags);
    double score = 0;
    for (int t = 0; t < length; ++t) {
      score += s[static_cast<std::size_t>(t * kTags + tags[t])];
      if (t > 0) score += p[static_cast<std::size_t>(tags[t - 1] * kTags + tags[t])];
    }
    visit(tags, score);
  }
}

TEST(Crf, is_the_sum_over_all_sequences) {
  const tf::AsDefault graph(tf::make_graph());
  tf::set_random_seed(7);
  const auto scores = tf::random_normal({1, kSteps, kTags});
  const auto transitions = tf::random_normal({kTags, kTags});
  const auto fed_scores = tf::placeholder(tf::float32, {1, tf::None, kTags});
  const auto fed_transitions = tf::placeholder(tf::float32, {kTags, kTags});
  const auto lengths = tf::placeholder(tf::int32, {1});
  const auto norm = crf::crf_log_norm(fed_scores, lengths, fed_transitions);
  const auto [tags, best_score] = crf::crf_decode(fed_scores, fed_transitions, lengths);
  tf::Session session;
  const auto values = session.run({scores, transitions});
  for (const int length : {1, 3, kSteps}) {
    double sum = 0, best = -1e9;
    std::vector<std::int32_t> best_tags;
    visit_sequences(values[0], values[1], length, [&](const auto& found, double score) {
      sum += std::exp(score);
      if (score <= best) return;
      best = score;
      best_tags = found;
    });
    const auto got = session.run({norm, tags, best_score},
                                 {{fed_scores, values[0]},
                                  {fed_transitions, values[1]},
                                  {lengths, tf::Tensor::vector<std::int32_t>({length})}});
    EXPECT_NEAR(got[0].flat<float>()[0], std::log(sum), 1e-4);
    EXPECT_NEAR(got[2].flat<float>()[0], best, 1e-4);
    best_tags.resize(kSteps);
    const auto decoded = got[1].flat<std::int32_t>();
    EXPECT_EQ(std::vector<std::int32_t>(decoded.begin(), decoded.end()), best_tags);
  }
}

TEST(Crf, learns_its_transitions) {
  const tf::AsDefault graph(tf::make_graph());
  const auto scores = tf::zeros({2, kSteps, kTags});
  const auto tags = tf::constant({{0, 1, 2, 0}, {1, 2, 0, 0}});
  const auto lengths = tf::constant({4, 3});
  const auto [likelihood, transitions] = crf::crf_log_likelihood(scores, tags, lengths);
  const auto loss = -tf::reduce_mean(likelihood);
  auto& train = tf::train::GradientDescentOptimizer(1.0).minimize(loss);
  const auto decoded = crf::crf_decode(scores, transitions, lengths).decode_tags;
  tf::Session session;
  session.run(tf::global_variables_initializer());
  for (int step = 0; step < 100; ++step) session.run(train);
  EXPECT_LT(session.run(loss).scalar_value<float>(), 1.3F);  // log 3: which tag comes first
  const auto best = session.run(decoded).flat<std::int32_t>();
  EXPECT_EQ((best[0] + 1) % kTags, best[1]);
  EXPECT_EQ(best[7], 0);  // behind the end
}

TEST(Crf, viterbi) {
  const auto best = crf::viterbi_decode(tf::Tensor::of<double>({2, 2}, {1, 0, 0, 0.5}),
                                        tf::Tensor::of<double>({2, 2}, {0, -1, 0, 0}));
  EXPECT_EQ(best.tags, (std::vector<std::int64_t>{0, 0}));
  EXPECT_DOUBLE_EQ(best.score, 1);
  EXPECT_THROW(
      crf::viterbi_decode(tf::Tensor(tf::DType::f64, {0, 2}), tf::Tensor(tf::DType::f64, {2, 2})),
      tf::Error);
}

}  // namespace
