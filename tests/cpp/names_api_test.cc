#include <gtest/gtest.h>

#include "rill/rill.h"
// Behind rill.h, as in programs.
#include "rill/contrib.h"
#include "rill/messages.h"
#include "rill/testing.h"

namespace tf = rill;

namespace {

class NamesApi : public testing::Test {
 protected:
  tf::Tensor value(const tf::Output& output) {
    tf::Session session(tf::default_graph());
    session.run(tf::global_variables_initializer());
    return session.run(output);
  }
  tf::AsDefault graph_{tf::make_graph()};
};

template <class T>
tf::Tensor vec(std::initializer_list<T> values) {
  return tf::Tensor::vector<T>(values);
}

TEST_F(NamesApi, random_is_what_tf_has) {
  const tf::Output a = tf::random::normal({3}, {.seed = 7});
  const tf::Output b = tf::random_normal({3}, {.seed = 7});
  EXPECT_TENSOR_EQ(value(a), value(b));
  EXPECT_EQ(
      value(tf::random::uniform({2, 5}, {.minval = 1, .maxval = 2, .dtype = tf::int32})).shape(),
      tf::Shape({2, 5}));
  EXPECT_TENSOR_EQ(value(tf::random::shuffle(tf::constant({4, 4, 4}))),
                   vec<std::int32_t>({4, 4, 4}));
  const auto drawn = tf::nn::uniform_candidate_sampler(tf::Tensor::of<std::int64_t>({1, 1}, {0}), 1,
                                                       3, /*unique=*/true, 3);
  EXPECT_EQ(value(drawn.sampled_candidates).element_count(), 3);
}

TEST_F(NamesApi, initializers) {
  const auto made = [&](const tf::Initializer& initializer) {
    return value(initializer({tf::Shape({2}), tf::float32}));
  };
  EXPECT_TENSOR_EQ(made(tf::initializers::ones()), vec<float>({1, 1}));
  EXPECT_TENSOR_EQ(made(tf::initializers::constant(3.0F)), vec<float>({3, 3}));
  EXPECT_TENSOR_EQ(made(tf::initializers::glorot_uniform(5)),
                   made(tf::glorot_uniform_initializer(5)));
}

TEST_F(NamesApi, functions_of_one_op) {
  EXPECT_TENSOR_EQ(value(tf::decode_raw("ab", tf::uint8)), vec<std::uint8_t>({97, 98}));
  EXPECT_TENSOR_EQ(value(tf::strings::length("four")), tf::Tensor::scalar<std::int32_t>(4));
  EXPECT_TENSOR_EQ(value(tf::strings::substr("hello", 1, 3)),
                   tf::Tensor::scalar<std::string>("ell"));
  EXPECT_TENSOR_EQ(value(tf::strings::to_number("2.5")), tf::Tensor::scalar<float>(2.5F));
  EXPECT_TENSOR_EQ(value(tf::strings::join({"a", "b"}, {.separator = "-"})),
                   tf::Tensor::scalar<std::string>("a-b"));
  EXPECT_TENSOR_EQ(
      value(tf::decode_csv("1,x", {vec<std::int32_t>({0}), vec<std::string>({""})})[0]),
      tf::Tensor::scalar<std::int32_t>(1));
  const tf::Output rows =
      tf::Output(tf::constant(tf::Tensor::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6})));
  EXPECT_TENSOR_EQ(value(tf::reverse_sequence(rows, vec<std::int32_t>({2, 3}))),
                   tf::Tensor::of<std::int32_t>({2, 3}, {2, 1, 3, 6, 5, 4}));
  EXPECT_TENSOR_EQ(value(tf::placeholder_with_default(vec<float>({8}), tf::PartialShape())),
                   vec<float>({8}));
}

TEST_F(NamesApi, tensors_by_their_names) {
  EXPECT_EQ(tf::as_dtype("float32"), tf::float32);
  EXPECT_THROW(tf::as_dtype("no type"), tf::errors::InvalidArgumentError);
  EXPECT_TENSOR_EQ(value(tf::convert_to_tensor(3)), tf::Tensor::scalar<std::int32_t>(3));
  EXPECT_TENSOR_EQ(*tf::get_static_value(tf::constant(2)), tf::Tensor::scalar<std::int32_t>(2));
  EXPECT_EQ(tf::broadcast_static_shape(tf::PartialShape(tf::Shape({2, 1})),
                                       tf::PartialShape(tf::Shape({3}))),
            tf::PartialShape(tf::Shape({2, 3})));
  EXPECT_EQ(tf::dimension_value(-1), std::nullopt);
  const tf::Output one = tf::constant(1), two = tf::constant(2);
  const auto chosen = tf::case_({{tf::constant(false), [&] { return std::vector{one}; }}},
                                [&] { return std::vector{two}; });
  EXPECT_TENSOR_EQ(value(chosen[0]), tf::Tensor::scalar<std::int32_t>(2));
}

TEST_F(NamesApi, rows_and_elements_of_variables) {
  const tf::Variable v(tf::constant({1.0F, 2.0F, 4.0F}));
  const auto after = [&](const tf::Output& change) { return value(change); };
  EXPECT_TENSOR_EQ(after(tf::scatter_mul(v, vec<std::int32_t>({1}), vec<float>({3}))),
                   vec<float>({1, 6, 4}));
  EXPECT_TENSOR_EQ(after(tf::scatter_max(v, vec<std::int32_t>({0}), vec<float>({9}))),
                   vec<float>({9, 2, 4}));
  EXPECT_TENSOR_EQ(
      after(tf::scatter_nd_update(v, tf::Tensor::of<std::int32_t>({1, 1}, {2}), vec<float>({5}))),
      vec<float>({1, 2, 5}));
}

TEST_F(NamesApi, sparse_tensors_in_bytes) {
  const tf::SparseTensor sparse = tf::sparse::from_dense(vec<float>({0, 3, 0}));
  EXPECT_EQ(value(tf::serialize_sparse(sparse)).element_count(), 3);
  EXPECT_TENSOR_EQ(value(tf::sparse_tensor_to_dense(sparse)), vec<float>({0, 3, 0}));
}

TEST_F(NamesApi, templates_share_their_variables) {
  auto scale = tf::make_template("scale", [](const tf::Output& x) {
    return x * tf::get_variable("s", {.initializer = 2.0F});
  });
  const tf::Output twice = scale(scale(tf::constant(3.0F)));
  EXPECT_EQ(tf::global_variables().size(), 1U);
  EXPECT_TENSOR_EQ(value(twice), tf::Tensor::scalar<float>(12));
}

TEST_F(NamesApi, gradient_checks) {
  const tf::Output x = tf::placeholder(tf::float64, tf::PartialShape(tf::Shape({2})));
  tf::Session session(tf::default_graph());
  EXPECT_LT(tf::test::compute_gradient_error(session, x, tf::square(x)), 1e-6);
  const auto both = tf::test::compute_gradient(
      session, x, x * x * x, {.x_init_value = tf::Tensor::vector<double>({1, 2})});
  EXPECT_TENSOR_NEAR(both.theoretical, tf::Tensor::of<double>({2, 2}, {3, 0, 0, 12}), 1e-9);
  EXPECT_TENSOR_NEAR(both.numeric, both.theoretical, 1e-4);
  EXPECT_GT(tf::test::compute_gradient_error(session, x, x + tf::stop_gradient(x)), 0.9);
  const tf::Output open = tf::placeholder(tf::float32, tf::PartialShape());
  EXPECT_THROW(tf::test::compute_gradient(session, open, open), tf::errors::InvalidArgumentError);
}

TEST_F(NamesApi, tensors_that_differ) {
  EXPECT_EQ(tf::test::difference(vec<float>({1}), vec<double>({1})), "type float and not double");
  EXPECT_EQ(tf::test::difference(vec<float>({1, 2}), vec<float>({1, 3})),
            "element 1 is 2 and not 3");
  EXPECT_EQ(tf::test::difference(vec<float>({1, 2}), vec<float>({1, 2.5F}), 1), "");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(tf::test::difference(vec<float>({nan}), vec<float>({nan})), "");
  EXPECT_NE(tf::test::difference(vec<float>({nan}), vec<float>({1})), "");
}

TEST_F(NamesApi, contrib_finds_variables) {
  namespace fw = tf::contrib::framework;
  const tf::Variable w = fw::model_variable("layer/w", {.shape = tf::PartialShape(tf::Shape({2}))});
  const tf::Variable step = fw::local_variable(tf::constant(0), {.name = "step"});
  EXPECT_EQ(fw::get_model_variables(), std::vector{w});
  EXPECT_EQ(fw::get_local_variables(), std::vector{step});
  EXPECT_EQ(fw::get_variables_by_name("w"), std::vector{w});
  EXPECT_EQ(fw::get_variables_by_suffix("w"), std::vector{w});
  EXPECT_EQ(fw::get_unique_variable("layer/w"), w);
  EXPECT_THROW(fw::get_unique_variable("layer/v"), tf::errors::InvalidArgumentError);
  EXPECT_EQ(fw::strip_name_scope("a/b", "a"), "b");
  EXPECT_EQ(fw::prepend_name_scope("^b", "a"), "^a/b");
  EXPECT_TENSOR_EQ(value(fw::reduce_sum_n({tf::constant({1.0F, 2.0F}), tf::constant(4.0F)})),
                   tf::Tensor::scalar<float>(7));
}

TEST_F(NamesApi, contrib_layers_in_a_row) {
  namespace cl = tf::contrib::layers;
  const tf::Output x = tf::ones({2, 3});
  const tf::Output y = cl::stack(
      x,
      [](tf::Output h, std::int64_t units, const std::string& scope) {
        return cl::fully_connected(h, units, {.scope = scope});
      },
      {4, 5}, "fc");
  EXPECT_EQ(y.shape().dim(1), 5);
  EXPECT_EQ(tf::trainable_variables()[0].name(), "fc/fc_1/weights:0");
}

TEST_F(NamesApi, contrib_metrics_take_predictions_first) {
  const tf::Output right = tf::constant({true, false}), said = tf::constant({true, true});
  const auto metric = tf::contrib::metrics::streaming_precision(said, right);
  tf::Session session(tf::default_graph());
  session.run(tf::local_variables_initializer());
  session.run(metric.update_op);
  EXPECT_TENSOR_NEAR(session.run(metric.value), tf::Tensor::scalar<float>(0.5F), 1e-6F);
}

TEST_F(NamesApi, logging_by_lines) {
  int shown = 0;
  for (int i = 0; i < 4; ++i)
    if (tf::logging::times_logged_at(std::source_location::current()) % 2 == 0) ++shown;
  EXPECT_EQ(shown, 2);
}

TEST_F(NamesApi, csv_files_become_batches) {
  const std::string path = tf::test::get_temp_dir() + "/data.csv";
  tf::gfile::GFile file(path, "w");
  file.write("size,name,price\n1,a,1.5\n2,b,2.5\n3,c,3.5\n");
  file.flush();
  const auto data = tf::data::experimental::make_csv_dataset(
      {path}, 2, {.label_name = "price", .pipeline = {.num_epochs = 1, .shuffle = false}});
  EXPECT_EQ(data.names, (std::vector<std::string>{"size", "name"}));
  EXPECT_EQ(data.index_of("price"), 2U);
  const auto next = data.dataset.make_one_shot_iterator().next_tensors();
  tf::Session session(tf::default_graph());
  const auto batch = session.run(next);
  EXPECT_TENSOR_EQ(batch[0], vec<std::int32_t>({1, 2}));
  EXPECT_TENSOR_EQ(batch[1], vec<std::string>({"a", "b"}));
  EXPECT_TENSOR_EQ(batch[2], vec<float>({1.5F, 2.5F}));
  EXPECT_EQ(session.run(next)[0].element_count(), 1);
  EXPECT_THROW(session.run(next), tf::errors::OutOfRangeError);
  const auto chosen =
      tf::data::experimental::make_csv_dataset({path}, 1, {.select_columns = {"price"}});
  EXPECT_EQ(chosen.names, std::vector<std::string>{"price"});
  EXPECT_THROW(tf::data::experimental::make_csv_dataset({path}, 1, {.label_name = "none"}),
               tf::errors::InvalidArgumentError);
}

TEST_F(NamesApi, files_of_examples_become_batches) {
  const std::string path = tf::test::get_temp_dir() + "/examples.tfrecord";
  {
    tf::io::TFRecordWriter writer(path);
    for (const std::int64_t i : {1, 2, 3})
      writer.write(tf::train::make_example({{"x", tf::train::int64_feature({i})},
                                            {"y", tf::train::float_feature({0.5F})}})
                       .SerializeAsString());
  }
  const tf::FixedLenFeature number{tf::PartialShape(tf::Shape()), tf::int64};
  const tf::FixedLenFeature target{tf::PartialShape(tf::Shape()), tf::float32};
  const auto data = tf::data::experimental::make_batched_features_dataset(
      {path}, 2, {{"x", number}, {"y", target}},
      {.label_key = "x", .pipeline = {.num_epochs = 1, .shuffle = false}});
  const auto next = data.dataset.make_one_shot_iterator().next_tensors();
  const auto batch = tf::Session(tf::default_graph()).run(next);
  EXPECT_EQ(data.names, std::vector<std::string>{"y"});
  EXPECT_TENSOR_EQ(batch[0], vec<float>({0.5F, 0.5F}));
  EXPECT_TENSOR_EQ(batch[1], vec<std::int64_t>({1, 2}));
}

TEST_F(NamesApi, small_functions) {
  namespace s2s = tf::contrib::seq2seq;
  EXPECT_TENSOR_EQ(value(s2s::hardmax(tf::Tensor::of<float>({1, 3}, {1, 5, 2}))),
                   tf::Tensor::of<float>({1, 3}, {0, 1, 0}));
  EXPECT_TENSOR_NEAR(value(s2s::safe_cumprod(vec<float>({0.5F, 0.5F, 1}))),
                     vec<float>({0.5F, 0.25F, 0.25F}), 1e-6);
  const tf::Output grid = tf::constant(tf::Tensor::of<std::int32_t>({1, 2}, {3, 4}));
  EXPECT_TENSOR_EQ(value(tf::contrib::rnn::transpose_batch_time(grid)),
                   tf::Tensor::of<std::int32_t>({2, 1}, {3, 4}));
  const tf::Output logits = tf::constant({0.0F}), labels = tf::constant({1.0F});
  EXPECT_TENSOR_NEAR(value(tf::contrib::losses::sigmoid_cross_entropy(logits, labels)),
                     tf::Tensor::scalar(0.693147F), 1e-5);
  EXPECT_TENSOR_EQ(tf::keras::utils::to_categorical({1, 0}),
                   tf::Tensor::of<float>({2, 2}, {0, 1, 1, 0}));
  EXPECT_THROW(tf::keras::utils::to_categorical({3}, 2), tf::errors::InvalidArgumentError);
}

TEST_F(NamesApi, hyper_parameters) {
  using tf::contrib::training::HParamList;
  tf::contrib::training::HParams h({{"rate", 0.1},
                                    {"layers", 2},
                                    {"sizes", HParamList(std::vector<std::int64_t>{1, 2})},
                                    {"fast", false},
                                    {"name", "a"}});
  h.parse("rate=0.5, layers=3,sizes[1]=7,fast=true,name=b");
  EXPECT_EQ(h.get<double>("rate"), 0.5);
  EXPECT_EQ(h.get<std::int64_t>("layers"), 3);
  EXPECT_EQ(h.get_list<std::int64_t>("sizes"), (std::vector<std::int64_t>{1, 7}));
  EXPECT_EQ(h.parse("sizes=[4]").to_json(),
            R"({"fast": true, "layers": 3, "name": "b", "rate": 0.5, "sizes": [4]})");
  h.set_hparam("rate", 2);
  EXPECT_EQ(h.get<double>("rate"), 2.0);
  EXPECT_THROW(h.parse("layers=5,rate=x"), tf::errors::InvalidArgumentError);
  EXPECT_EQ(h.get<std::int64_t>("layers"), 3);
  EXPECT_THROW(h.parse("nothing=1"), tf::errors::InvalidArgumentError);
  EXPECT_THROW(h.parse("layers"), tf::errors::InvalidArgumentError);
  EXPECT_THROW(h.set_hparam("layers", "three"), tf::errors::InvalidArgumentError);
  EXPECT_THROW(h.get<double>("layers"), tf::errors::InvalidArgumentError);
}

TEST_F(NamesApi, a_generator_for_the_graph) {
  tf::random::experimental::set_global_generator(tf::random::experimental::Generator::from_seed(3));
  const auto& generator = tf::random::experimental::get_global_generator();
  EXPECT_TENSOR_EQ(value(generator.state().snapshot()),
                   value(tf::random::experimental::Generator::from_seed(3).state().snapshot()));
}

TEST_F(NamesApi, main_ops_initialise_everything) {
  const tf::Variable v(tf::constant(4.0F));
  tf::Node& all = tf::saved_model::main_op::main_op();
  tf::Session session(tf::default_graph());
  session.run(all);
  EXPECT_TENSOR_EQ(session.run(v.snapshot()), tf::Tensor::scalar(4.0F));
}

}  // namespace
