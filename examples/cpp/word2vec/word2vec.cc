// Learns vectors for the words of a made-up language whose words come in groups that go together.
// The Python twin is examples/word2vec.py.
#include <cstdio>
#include <random>

#include "rill/rill.h"

namespace tf = rill;

namespace {

constexpr int kGroups = 5, kWords = 8, kSize = 16, kNegative = 4, kBatch = 256;
constexpr int kVocabulary = kGroups * kWords;

struct Pairs {
  tf::Tensor words{tf::int32, {kBatch}}, nearby{tf::int32, {kBatch}},
      strangers{tf::int32, {kBatch, kNegative}};
};

// Words and words near them, mostly of the same group, and words that have nothing to do with them.
Pairs draw(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<std::int32_t>(random() % unsigned(n)); };
  Pairs pairs;
  for (int i = 0; i < kBatch; ++i) {
    const std::int32_t group = below(kGroups);
    pairs.words.data<std::int32_t>()[i] = group * kWords + below(kWords);
    pairs.nearby.data<std::int32_t>()[i] =
        below(10) < 9 ? group * kWords + below(kWords) : below(kVocabulary);
    for (int k = 0; k < kNegative; ++k)
      pairs.strangers.data<std::int32_t>()[i * kNegative + k] = below(kVocabulary);
  }
  return pairs;
}

}  // namespace

int main() {
  const auto words = tf::placeholder(tf::int32, {tf::None}, {.name = "words"});
  const auto nearby = tf::placeholder(tf::int32, {tf::None}, {.name = "nearby"});
  const auto strangers = tf::placeholder(tf::int32, {tf::None, kNegative}, {.name = "strangers"});
  const tf::Variable vectors(
      tf::random_uniform({kVocabulary, kSize}, {.minval = -0.5, .maxval = 0.5, .seed = 1}),
      {.name = "vectors"});
  const tf::Variable contexts(tf::zeros({kVocabulary, kSize}), {.name = "contexts"});

  const auto of_words = tf::gather(vectors, words);
  const auto right = tf::reduce_sum(of_words * tf::gather(contexts, nearby), {.axis = 1});
  const auto wrong =
      tf::reduce_sum(tf::expand_dims(of_words, 1) * tf::gather(contexts, strangers), {.axis = 2});
  const auto loss = -tf::reduce_mean(tf::log_sigmoid(right) +
                                     tf::reduce_sum(tf::log_sigmoid(-wrong), {.axis = 1}));
  auto& train = tf::train::AdagradOptimizer(1.0).minimize(loss);

  const auto lengths = tf::sqrt(tf::reduce_sum(tf::square(vectors), {.axis = 1, .keepdims = true}));
  const auto unit = vectors / lengths;
  const auto closest =
      tf::raw::TopKV2(tf::matmul(unit, unit, {.transpose_b = true}), kWords).indices;

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  std::mt19937 random(0);
  for (int step = 1; step <= 500; ++step) {
    const Pairs pairs = draw(random);
    const std::vector<tf::Feed> feeds = {
        {words, pairs.words}, {nearby, pairs.nearby}, {strangers, pairs.strangers}};
    sess.run(train, feeds);
    if (step % 100 == 0)
      std::printf("step %d: loss %.3f\n", step, sess.run(loss, feeds).scalar_value<float>());
  }
  const auto found = sess.run(closest);
  int same = 0;
  for (int i = 0; i < kVocabulary * kWords; ++i)
    same += found.flat<std::int32_t>()[static_cast<std::size_t>(i)] / kWords == i / kWords / kWords;
  std::printf("of the %d words closest to each word, %d %% are of its group\n", kWords,
              100 * same / (kVocabulary * kWords));
}
