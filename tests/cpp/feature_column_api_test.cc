// tf.feature_column in C++: values, variables, names, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "rill/rill.h"

namespace tf = rill;
namespace fc = rill::feature_column;

namespace {

using Floats = std::vector<float>;
using Names = std::vector<std::string>;

class FeatureColumns : public ::testing::Test {
 protected:
  Floats floats(tf::Output output) {
    tf::Session session(graph_);
    session.run(tf::global_variables_initializer());
    session.run(tf::tables_initializer());
    const tf::Tensor tensor = session.run({}, {&output, 1})[0];
    const auto flat = tensor.flat<float>();
    return {flat.begin(), flat.end()};
  }
  Names variables() const {
    Names names;
    for (const tf::Variable& variable : tf::global_variables()) names.push_back(variable.name());
    return names;
  }
  std::ptrdiff_t count(const std::string& op) const {
    const auto nodes = graph_->nodes();
    return std::count_if(nodes.begin(), nodes.end(),
                         [&](const tf::Node* node) { return node->op().name == op; });
  }
  template <class F>
  std::string message(F function) const {
    try {
      function();
    } catch (const tf::Error& error) {
      return error.message();
    }
    return "nothing was refused";
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

tf::Tensor words(const Names& list) {
  return tf::Tensor::of<std::string>({static_cast<std::int64_t>(list.size()), 1}, std::span(list));
}

TEST_F(FeatureColumns, a_model_reads_like_python) {
  const fc::Features features{{"age", tf::Tensor::of<float>({2, 1}, {20, 60})},
                              {"city", words({"Bonn", "Ulm"})}};
  const auto age = fc::numeric_column("age");
  const auto city = fc::categorical_column_with_vocabulary_list("city", Names{"Bonn", "Ulm"});
  const auto x = fc::input_layer(
      features, {age, fc::bucketized_column(age, {18, 50}), fc::indicator_column(city)});
  const auto y = fc::linear_model(features, {age, city}, {.units = 1});
  EXPECT_EQ(floats(x), (Floats{20, 0, 1, 0, 1, 0, 60, 0, 0, 1, 0, 1}));
  EXPECT_EQ(floats(y), (Floats{0, 0}));
  EXPECT_EQ(x.shape(), (tf::PartialShape{2, 6}));
  EXPECT_EQ(variables(), (Names{"linear_model/age/weights:0", "linear_model/city/weights:0",
                                "linear_model/bias_weights:0"}));
}

TEST_F(FeatureColumns, embeddings_are_variables_of_the_scope) {
  const fc::Features features{{"ids", tf::Tensor::of<std::int64_t>({2, 2}, {0, 2, 1, -1})}};
  const auto ids = fc::categorical_column_with_identity("ids", 3);
  const tf::Tensor table = tf::Tensor::of<float>({3, 1}, {1, 10, 100});
  fc::PerColumn<std::vector<tf::Variable>> found;
  const auto x = fc::input_layer(
      features, {fc::embedding_column(ids, 1, {.initializer = tf::constant_initializer(table)})},
      {.weight_collections = {"mine"}, .cols_to_vars = &found});
  EXPECT_EQ(floats(x), (Floats{50.5, 10}));
  EXPECT_EQ(variables(), (Names{"input_layer/ids_embedding/embedding_weights:0"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].second.size(), 1U);
  EXPECT_EQ(tf::get_collection("mine").size(), 1U);
}

TEST_F(FeatureColumns, columns_that_share_a_table_have_one_variable) {
  const fc::Features features{{"a", tf::Tensor::of<std::int64_t>({1, 1}, {0})},
                              {"b", tf::Tensor::of<std::int64_t>({1, 1}, {1})}};
  const auto columns = fc::shared_embedding_columns(
      {fc::categorical_column_with_identity("a", 2), fc::categorical_column_with_identity("b", 2)},
      1);
  fc::input_layer(features, {columns.begin(), columns.end()});
  EXPECT_EQ(variables(), (Names{"input_layer/a_b_shared_embedding/embedding_weights:0"}));
}

TEST_F(FeatureColumns, equal_columns_are_transformed_once) {
  const fc::Features features{{"city", words({"Bonn", "Ulm"})}};
  const auto hashed = [] { return fc::categorical_column_with_hash_bucket("city", 8); };
  EXPECT_EQ(*hashed(), *hashed());
  fc::input_layer(features, {fc::embedding_column(hashed(), 2), fc::indicator_column(hashed())});
  EXPECT_EQ(count("StringToHashBucketFast"), 1);
}

TEST_F(FeatureColumns, crosses_have_the_hashes_of_tensorflow) {
  const fc::Features features{{"a", words({"cA", "cB"})}, {"b", words({"x", "y"})}};
  const auto crossed = fc::crossed_column({"a", "b"}, 10);
  EXPECT_EQ(crossed->name(), "a_X_b");
  const auto x = fc::input_layer(features, {fc::indicator_column(crossed)});
  Floats expected(20, 0.0F);
  expected[2] = expected[15] = 1;
  EXPECT_EQ(floats(x), expected);
  EXPECT_EQ(count("SparseCross"), 1);
}

TEST_F(FeatureColumns, a_vocabulary_file_tells_its_size) {
  const std::string path = ::testing::TempDir() + "/words.txt";
  std::ofstream(path) << "omar\nstringer\nmarlo";
  const auto ids = fc::categorical_column_with_vocabulary_file("who", path, {.num_oov_buckets = 1});
  EXPECT_EQ(ids->vocabulary_size, 3);
  EXPECT_EQ(ids->num_buckets(), 4);
  const auto x =
      fc::input_layer({{"who", words({"marlo", "nobody"})}}, {fc::indicator_column(ids)});
  EXPECT_EQ(floats(x), (Floats{0, 0, 1, 0, 0, 0, 0, 1}));
}

TEST_F(FeatureColumns, normalizers_are_functions) {
  const auto x = fc::input_layer(
      {{"x", tf::Tensor::of<float>({2}, {1, 2})}},
      {fc::numeric_column("x", {.normalizer_fn = [](tf::Output x) { return x * 10.0F; }})});
  EXPECT_EQ(floats(x), (Floats{10, 20}));
}

TEST_F(FeatureColumns, sequences_are_padded_and_counted) {
  const tf::SparseTensor steps(tf::Tensor::of<std::int64_t>({3, 2}, {0, 0, 0, 1, 1, 0}),
                               tf::Tensor::of<float>({3}, {1, 2, 3}),
                               tf::Tensor::of<std::int64_t>({2}, {2, 2}));
  const auto [x, lengths] =
      fc::sequence_input_layer({{"x", steps}}, {fc::sequence_numeric_column("x")});
  EXPECT_EQ(floats(x), (Floats{1, 2, 3, 0}));
  EXPECT_EQ(floats(tf::cast(lengths, tf::float32)), (Floats{2, 1}));
}

TEST_F(FeatureColumns, a_layer_keeps_its_variables) {
  tf::keras::layers::DenseFeatures layer(
      {fc::embedding_column(fc::categorical_column_with_identity("ids", 3), 2)});
  const fc::Features features{{"ids", tf::Tensor::of<std::int64_t>({2, 1}, {0, 2})}};
  const auto x = layer(features), again = layer(features);
  EXPECT_EQ(floats(x).size(), floats(again).size());
  EXPECT_EQ(variables(), (Names{"dense_features/ids_embedding/embedding_weights:0"}));
  EXPECT_EQ(layer.trainable_weights().size(), 1U);
}

TEST_F(FeatureColumns, a_linear_layer_keeps_its_variables) {
  fc::LinearModel layer({fc::numeric_column("x"), fc::categorical_column_with_identity("ids", 3)},
                        {.units = 2});
  const fc::Features features{{"x", tf::Tensor::of<float>({2}, {1, 2})},
                              {"ids", tf::Tensor::of<std::int64_t>({2, 1}, {0, 2})}};
  const auto y = layer(features);
  layer(features);
  EXPECT_EQ(floats(y), (Floats{0, 0, 0, 0}));
  EXPECT_EQ(variables(), (Names{"linear_model/ids/weights:0", "linear_model/x/weights:0",
                                "linear_model/bias_weights:0"}));
  EXPECT_EQ(layer.bias().variable().name(), "linear_model/bias_weights:0");
  EXPECT_EQ(y.node->name(), "linear_model/linear_model/linear_model/weighted_sum");
}

TEST_F(FeatureColumns, an_input_layer_object_shares_its_variables) {
  fc::InputLayer layer({fc::embedding_column(fc::categorical_column_with_identity("ids", 3), 2)},
                       {.name = "mine"});
  const fc::Features features{{"ids", tf::Tensor::of<std::int64_t>({2, 1}, {0, 2})}};
  EXPECT_EQ(floats(layer(features)).size(), 4U);
  EXPECT_EQ(floats(layer(features)).size(), 4U);
  EXPECT_EQ(variables(), (Names{"mine/ids_embedding/embedding_weights:0"}));
}

TEST_F(FeatureColumns, contexts_stand_beside_every_step) {
  const auto x = fc::concatenate_context_input(tf::Tensor::of<float>({1, 1}, {7}),
                                               tf::Tensor::of<float>({1, 2, 1}, {1, 2}));
  EXPECT_EQ(floats(x), (Floats{1, 7, 2, 7}));
  EXPECT_NE(message([&] {
              fc::concatenate_context_input(tf::Tensor::of<float>({1}, {7}),
                                            tf::Tensor::of<float>({1, 2, 1}, {1, 2}));
            }).find("context_input must have rank 2"),
            std::string::npos);
}

// The square of a feature, times a variable.
struct Squared : fc::DenseColumn {
  std::string name() const override { return "squared"; }
  tf::Features parse_example_spec() const override {
    return {{"x", tf::FixedLenFeature{{1}, tf::float32}}};
  }
  fc::Transformed transform_feature(fc::FeatureTransformationCache& cache,
                                    fc::StateManager& state) const override {
    const tf::Output x = fc::dense(cache.get("x", state));
    return x * x;
  }
  tf::PartialShape variable_shape() const override { return {1}; }
  tf::Output get_dense_tensor(fc::FeatureTransformationCache& cache,
                              fc::StateManager& state) const override {
    const tf::Output x = fc::dense(cache.get(*this, state));
    return x * tf::get_variable("scale", tf::PartialShape::scalar(),
                                {.initializer = tf::constant_initializer(3.0F)});
  }

 protected:
  std::string make_text() const override { return "Squared()"; }
};

TEST_F(FeatureColumns, programs_have_columns_of_their_own) {
  const auto x = fc::input_layer({{"x", tf::Tensor::of<float>({2}, {1, 2})}},
                                 {std::make_shared<Squared>(), fc::numeric_column("x")});
  EXPECT_EQ(floats(x), (Floats{3, 1, 12, 2}));
  EXPECT_EQ(variables(), (Names{"input_layer/squared/scale:0"}));
}

TEST_F(FeatureColumns, examples_are_parsed_as_columns_say) {
  const auto spec = fc::make_parse_example_spec(
      {fc::numeric_column("x", {.default_value = tf::Tensor::scalar(1.5F)}),
       fc::weighted_categorical_column(fc::categorical_column_with_hash_bucket("s", 3), "w")});
  ASSERT_EQ(spec.size(), 3U);
  EXPECT_EQ(fc::to_text(spec.at("x")),
            "FixedLenFeature(shape=(1,), dtype=tf.float32, default_value=(1.5,))");
  EXPECT_EQ(fc::to_text(spec.at("s")), "VarLenFeature(dtype=tf.string)");
  EXPECT_EQ(fc::to_text(spec.at("w")), "VarLenFeature(dtype=tf.float32)");
  const auto labelled = tf::estimator::classifier_parse_example_spec(
      {fc::numeric_column("x")}, "label", {.weight_column = "weight"});
  EXPECT_EQ(labelled.size(), 3U);
  EXPECT_EQ(fc::to_text(labelled.at("label")),
            "FixedLenFeature(shape=(1,), dtype=tf.int64, default_value=None)");
}

TEST_F(FeatureColumns, print_as_named_tuples) {
  const auto x = fc::numeric_column("x", {.shape = {2}});
  EXPECT_EQ(x->text(),
            "NumericColumn(key='x', shape=(2,), default_value=None, dtype=tf.float32, "
            "normalizer_fn=None)");
  EXPECT_EQ(fc::bucketized_column(x, {0, 1.5})->text(),
            "BucketizedColumn(source_column=" + x->text() + ", boundaries=(0.0, 1.5))");
}

TEST_F(FeatureColumns, refuse_what_cannot_be) {
  const auto has = [&](const std::string& text, const char* phrase) {
    EXPECT_NE(text.find(phrase), std::string::npos) << text;
  };
  const auto x = fc::numeric_column("x");
  const auto ids = fc::categorical_column_with_identity("ids", 3);
  const fc::Features features{{"x", tf::Tensor::of<float>({2}, {1, 2})},
                              {"one", tf::Tensor::scalar(1.0F)}};
  has(message([&] { fc::numeric_column("x", {.shape = {0}}); }), "must be greater than 0");
  has(message([&] { fc::bucketized_column(x, {2, 1}); }), "must be a sorted list");
  has(message([&] { fc::categorical_column_with_hash_bucket("x", 0); }), "must be at least 1");
  has(message([&] { fc::categorical_column_with_identity("x", 2, {2}); }), "not in range [0, 2)");
  has(message([&] { fc::crossed_column({"a"}, 2); }), "must be a list with length > 1");
  has(message([&] { fc::embedding_column(ids, 0); }), "Invalid dimension 0.");
  has(message([&] {
        fc::categorical_column_with_vocabulary_list("s", Names{"a"},
                                                    {.num_oov_buckets = INT64_MAX});
      }),
      "Invalid num_oov_buckets");
  has(message([&] {
        fc::categorical_column_with_vocabulary_list("s", tf::Tensor::zeros(tf::int64, {1, 1}));
      }),
      "must be a vector");
  const auto many = fc::categorical_column_with_identity("x", std::int64_t{1} << 40);
  has(message([&] {
        fc::input_layer({{"x", tf::Tensor::of<std::int64_t>({1}, {1})}},
                        {fc::indicator_column(many)});
      }),
      "more than 2147483647");
  const auto scalar = fc::numeric_column("x", {.shape = {}});
  has(message([&] { fc::linear_model(features, {fc::bucketized_column(scalar, {1})}); }),
      "must be one-dimensional");
  has(message([&] { fc::input_layer(features, {}); }), "must not be empty");
  has(message([&] { fc::input_layer(features, {x, x}); }), "Duplicate feature column name");
  has(message([&] { fc::input_layer(features, {ids}); }), "must be a _DenseColumn");
  has(message([&] { fc::input_layer(features, {fc::indicator_column(ids)}); }),
      "Feature ids is not in features dictionary.");
  has(message([&] { fc::input_layer(features, {fc::numeric_column("one")}); }),
      "cannot have rank 0");
}

}  // namespace
