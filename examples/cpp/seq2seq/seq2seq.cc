// Learns to say sequences backwards: an encoder, a decoder with attention, and greedy decoding.
#include <algorithm>
#include <cstdio>
#include <random>

#include "rill/rill.h"

namespace tf = rill;
namespace seq2seq = rill::contrib::seq2seq;

namespace {

constexpr int kWords = 12, kStart = 0, kEnd = 1, kLength = 5, kBatch = 64, kUnits = 48,
              kSteps = 400;

struct Sentences {
  tf::Tensor source, target_in, target_out;
};

Sentences make_sentences(std::mt19937& random, int count) {
  Sentences s{tf::Tensor(tf::int32, {count, kLength}), tf::Tensor(tf::int32, {count, kLength + 1}),
              tf::Tensor(tf::int32, {count, kLength + 1})};
  for (int i = 0; i < count; ++i) {
    auto* source = s.source.data<std::int32_t>() + i * kLength;
    auto* in = s.target_in.data<std::int32_t>() + i * (kLength + 1);
    auto* out = s.target_out.data<std::int32_t>() + i * (kLength + 1);
    std::generate_n(source, kLength, [&] { return 2 + static_cast<int>(random() % (kWords - 2)); });
    std::reverse_copy(source, source + kLength, out);
    std::reverse_copy(source, source + kLength, in + 1);
    in[0] = kStart;
    out[kLength] = kEnd;
  }
  return s;
}

}  // namespace

int main() {
  tf::set_random_seed(1);
  const auto source = tf::placeholder(tf::int32, {tf::None, kLength}, {.name = "source"});
  const auto target_in = tf::placeholder(tf::int32, {tf::None, kLength + 1});
  const auto target_out = tf::placeholder(tf::int32, {tf::None, kLength + 1});
  const auto batch = tf::shape(source)[0];

  const auto table = tf::get_variable("words", {kWords, 16});
  tf::nn::rnn_cell::GRUCell encoder(kUnits);
  const auto read =
      tf::nn::dynamic_rnn(encoder, tf::nn::embedding_lookup(table, source), {.dtype = tf::float32});

  seq2seq::AttentionWrapper decoder(
      std::make_shared<tf::nn::rnn_cell::GRUCell>(kUnits),
      std::make_shared<seq2seq::LuongAttention>(kUnits, read.output()),
      {.attention_layer_size = kUnits});
  const auto start = decoder.zero_state(batch, tf::float32, std::source_location::current());
  tf::layers::Dense dense(kWords);
  const auto project = [&](tf::Output x) { return dense(x); };

  seq2seq::TrainingHelper told(tf::nn::embedding_lookup(table, target_in),
                               tf::fill({batch}, kLength + 1));
  seq2seq::BasicDecoder training(decoder, told, start, project, {kWords});
  const auto logits = seq2seq::dynamic_decode(training).outputs[0];
  const auto loss = seq2seq::sequence_loss(logits, target_out, tf::ones({batch, kLength + 1}));
  auto& train = tf::train::AdamOptimizer(0.01).minimize(loss);

  seq2seq::GreedyEmbeddingHelper greedy(seq2seq::embedding_of(table), tf::fill({batch}, kStart),
                                        kEnd);
  seq2seq::BasicDecoder asking(decoder, greedy, start, project, {kWords});
  const auto said = seq2seq::dynamic_decode(asking, {.maximum_iterations = kLength}).outputs[1];

  tf::Session sess;
  sess.run(tf::global_variables_initializer());
  std::mt19937 random(7);
  for (int step = 1; step <= kSteps; ++step) {
    const auto s = make_sentences(random, kBatch);
    const tf::Feeds feeds{{source, s.source}, {target_in, s.target_in}, {target_out, s.target_out}};
    const auto [_, error] = sess.run(std::tie(train, loss), feeds);
    if (step % 100 == 0) std::printf("step %d: loss %.3f\n", step, error.scalar_value<float>());
  }
  const auto s = make_sentences(random, 200);
  const auto answers = sess.run(said, {{source, s.source}});
  int right = 0;
  for (int i = 0; i < 200; ++i)
    right += std::equal(answers.data<std::int32_t>() + i * kLength,
                        answers.data<std::int32_t>() + (i + 1) * kLength,
                        s.target_out.data<std::int32_t>() + i * (kLength + 1));
  std::printf("%d of 200 sequences are said backwards\n", right);
}
