#include <gtest/gtest.h>

#include "rill/rill.h"
// Behind rill.h, as in programs.
#include "rill/contrib.h"
#include "rill/testing.h"

namespace tf = rill;
namespace legacy = tf::contrib::legacy_seq2seq;
namespace seq = tf::contrib::seq2seq;

namespace {

class ContribParity : public testing::Test {
 protected:
  tf::Tensor value(const tf::Output& output) {
    tf::Session session(tf::default_graph());
    session.run({tf::global_variables_initializer(), tf::tables_initializer()});
    return session.run(output);
  }
  tf::AsDefault graph_{tf::make_graph()};
};

template <class T>
tf::Tensor contrib_vec(std::initializer_list<T> values) {
  return tf::Tensor::vector<T>(values);
}

std::vector<tf::Output> word_steps(int count, tf::DType dtype = tf::float32) {
  std::vector<tf::Output> all;
  for (int i = 0; i < count; ++i)
    all.push_back(dtype == tf::int32 ? tf::constant({i % 3, 1}) : tf::ones({2, 4}));
  return all;
}

TEST_F(ContribParity, feature_columns) {
  namespace cl = tf::contrib::layers;
  const auto age = cl::real_valued_column("age");
  const auto city = cl::sparse_column_with_keys("city", {"rome", "oslo"});
  const auto both = cl::input_from_feature_columns(
      {{"age", tf::constant({{30.0F}, {40.0F}})}, {"city", tf::constant({{"oslo"}, {"paris"}})}},
      {age, cl::one_hot_column(city), cl::bucketized_column(age, {35})});
  EXPECT_TENSOR_EQ(value(both), tf::Tensor::of<float>({2, 5}, {30, 1, 0, 0, 1, 40, 0, 1, 0, 0}));
  const auto spec =
      cl::create_feature_spec_for_parsing({age, cl::sparse_column_with_hash_bucket("street", 7)});
  EXPECT_EQ(spec.size(), 2);
}

TEST_F(ContribParity, legacy_models_share_or_part_variables) {
  const auto cell = [] { return std::make_shared<tf::nn::rnn_cell::GRUCell>(4); };
  const auto apart = legacy::basic_rnn_seq2seq(word_steps(2), word_steps(3), cell);
  EXPECT_EQ(apart.outputs.size(), 3);
  EXPECT_EQ(tf::trainable_variables().size(), 8);
  const tf::AsDefault elsewhere(tf::make_graph());
  legacy::tied_rnn_seq2seq(word_steps(2), word_steps(3), *cell());
  EXPECT_EQ(tf::trainable_variables().size(), 4);
}

TEST_F(ContribParity, legacy_models_of_words) {
  const auto cell = [] { return std::make_shared<tf::nn::rnn_cell::GRUCell>(4); };
  const tf::Output feed = tf::placeholder(tf::bool_, {});
  const auto made = legacy::embedding_attention_seq2seq(
      word_steps(3, tf::int32), word_steps(2, tf::int32), cell, 3, 5, 6, {.feed_previous = feed});
  ASSERT_EQ(made.outputs.size(), 2);
  tf::Session session;
  session.run(tf::global_variables_initializer());
  const tf::Tensor given = session.run(made.outputs[0], {{feed, false}});
  EXPECT_EQ(given.shape(), tf::Shape({2, 5}));
  // The first step reads the same word in any case.
  EXPECT_TENSOR_NEAR(session.run(made.outputs[0], {{feed, true}}), given, 1e-6);
}

TEST_F(ContribParity, buckets_share_one_model) {
  const auto cell = [] { return std::make_shared<tf::nn::rnn_cell::GRUCell>(4); };
  std::vector<tf::Output> weights;
  for (int i = 0; i < 4; ++i) weights.push_back(tf::ones({2}));
  const auto models = legacy::model_with_buckets(
      word_steps(4, tf::int32), word_steps(4, tf::int32), word_steps(4, tf::int32), weights,
      {{2, 2}, {4, 4}}, [&](const auto& read, const auto& written) {
        return legacy::embedding_rnn_seq2seq(read, written, cell, 3, 3, 5);
      });
  ASSERT_EQ(models.losses.size(), 2);
  EXPECT_EQ(models.outputs[1].size(), 4);
  const std::size_t count = tf::trainable_variables().size();
  EXPECT_EQ(count, 12);
  EXPECT_GT(value(models.losses[1]).scalar_value<float>(), 0);
}

TEST_F(ContribParity, states_of_attention_by_name) {
  const auto lstm = std::make_shared<tf::nn::rnn_cell::GRUCell>(4);
  const auto mechanism = std::make_shared<seq::LuongAttention>(4, tf::ones({2, 3, 4}));
  seq::AttentionWrapper cell(lstm, mechanism);
  const tf::Output encoder = tf::ones({2, 4});
  const auto zero = seq::AttentionWrapperState::of(cell.zero_state(2, tf::float32));
  const seq::State state = zero.clone({.cell_state = seq::State{encoder}});
  EXPECT_EQ(state.size(), 4);
  EXPECT_EQ(state[0].node, encoder.node);
  EXPECT_THROW(zero.clone({.cell_state = seq::State{}}), tf::errors::InvalidArgumentError);
}

TEST_F(ContribParity, helpers_of_functions) {
  tf::nn::rnn_cell::GRUCell cell(3);
  seq::InferenceHelper helper(
      {.sample = [](const auto& outputs) { return outputs[0]; },
       .end = [](tf::Output ids) { return tf::reduce_all(ids > 10.0F, {.axis = 1}); },
       .sample_shape = tf::PartialShape(tf::Shape({3})),
       .sample_dtype = tf::float32},
      tf::ones({2, 3}));
  seq::BasicDecoder decoder(cell, helper, cell.zero_state(2, tf::float32));
  const auto decoded = seq::dynamic_decode(decoder, {.maximum_iterations = 4});
  const auto named = seq::BasicDecoderOutput::of(decoded);
  EXPECT_EQ(value(named.rnn_output).shape(), tf::Shape({2, 4, 3}));

  const tf::Output none = tf::constant({false, false});
  seq::CustomHelper custom({.initialize =
                                [&] {
                                  return seq::HelperStart{none, {tf::ones({2, 3})}};
                                },
                            .sample =
                                [](tf::Output, const auto&) {
                                  return tf::constant({7, 8});
                                },
                            .next_inputs =
                                [&](tf::Output, const auto& outputs, tf::Output) {
                                  return seq::HelperStart{none, outputs};
                                }});
  tf::nn::rnn_cell::GRUCell other(3, {.name = "other"});
  seq::BasicDecoder second(other, custom, other.zero_state(2, tf::float32));
  const auto ids = seq::dynamic_decode(second, {.maximum_iterations = 2}).outputs[1];
  EXPECT_TENSOR_EQ(value(ids), tf::Tensor::of<std::int32_t>({2, 2}, {7, 7, 8, 8}));
}

TEST_F(ContribParity, fused_cells) {
  namespace cr = tf::contrib::rnn;
  const tf::Output inputs = tf::random_normal({5, 2, 3}, {.seed = 1});
  const auto cell = std::make_shared<tf::nn::rnn_cell::GRUCell>(4);
  const cr::FusedRNNCellAdaptor fused(cell);
  const cr::TimeReversedFusedRNN backwards{cr::FusedRNNCell(fused)};
  const auto forth = fused(inputs, {.scope = "net"});
  EXPECT_EQ(value(forth.outputs).shape(), tf::Shape({5, 2, 4}));
  const auto back = backwards(tf::reverse(inputs, {0}), {.scope = "again"});
  EXPECT_EQ(value(back.outputs).shape(), tf::Shape({5, 2, 4}));
  EXPECT_EQ(cr::best_effort_input_batch_size({inputs}).known(), 2);
  cr::Conv2DLSTMCell images({6, 6, 1}, 2, {3, 3});
  EXPECT_EQ(images.output_sizes()[0].dim(2), 2);
}

TEST_F(ContribParity, smaller_things) {
  const auto one = [] { return std::vector{tf::constant(1)}; };
  const auto two = [] { return std::vector{tf::constant(2)}; };
  const tf::Output no = tf::constant(false), yes = tf::constant(true);
  EXPECT_TENSOR_EQ(value(tf::contrib::framework::smart_case({{no, one}, {yes, two}}, one)[0]),
                   tf::Tensor::scalar<std::int32_t>(2));
  EXPECT_EQ(&tf::contrib::framework::get_graph_from_inputs({no, yes}), tf::default_graph().get());
  const auto mean = tf::metrics::mean(tf::constant({1.0F, 3.0F}));
  EXPECT_EQ(tf::contrib::metrics::aggregate_metrics({mean, mean}).updates.size(), 2);
  EXPECT_EQ(tf::contrib::metrics::aggregate_metric_map({{"m", mean}}).values.count("m"), 1);
  const std::string file = tf::test::get_temp_dir() + "/words.txt";
  tf::gfile::FastGFile(file, "w").write("a\nb\n");
  const tf::lookup::StaticHashTable table(tf::contrib::lookup::TextFileIdTableInitializer(file),
                                          -1);
  EXPECT_TENSOR_EQ(value(table.lookup(tf::constant({"b", "c"}))),
                   contrib_vec<std::int64_t>({1, -1}));
}

}  // namespace
