#include <gtest/gtest.h>

#include "rill/profiler.h"
#include "rill/rill.h"
// Behind rill.h, as in programs.
#include "rill/contrib.h"
#include "rill/messages.h"
#include "rill/testing.h"

namespace tf = rill;

namespace {

class ParityApi : public testing::Test {
 protected:
  tf::Tensor value(const tf::Output& output) {
    tf::Session session(tf::default_graph());
    session.run(tf::global_variables_initializer());
    return session.run(output);
  }
  tf::AsDefault graph_{tf::make_graph()};
};

template <class T>
tf::Tensor parity_vec(std::initializer_list<T> values) {
  return tf::Tensor::vector<T>(values);
}

TEST_F(ParityApi, containers_own_state) {
  const tf::container outer("outer");
  const tf::Variable v(1.0F, {.use_resource = true});
  tf::Node* inner = nullptr;
  {
    const tf::container in("inner");
    inner = &tf::Variable(2.0F, {.use_resource = true}).op();
  }
  EXPECT_EQ(v.op().attr<std::string>("container"), "outer");
  EXPECT_EQ(inner->attr<std::string>("container"), "inner");
}

TEST_F(ParityApi, init_scope_leaves_what_is_around) {
  const tf::Output x = tf::placeholder(tf::float32, {});
  tf::Output made;
  const auto y = tf::cond_one(
      x > 0.0F,
      [&] {
        const tf::init_scope out;
        made = tf::constant(3.0F);
        return made;
      },
      [] { return tf::constant(1.0F); });
  EXPECT_TRUE(made.node->control_inputs().empty());
  tf::Session session;
  EXPECT_TENSOR_EQ(session.run(y, {{x, 1.0F}}), tf::Tensor::scalar(3.0F));
}

TEST_F(ParityApi, the_default_session) {
  const tf::Output x = tf::placeholder(tf::float32, {});
  const tf::Output y = x * 2.0F;
  EXPECT_EQ(tf::get_default_session(), nullptr);
  EXPECT_THROW(tf::eval(y), tf::errors::InvalidArgumentError);
  tf::Session session;
  const tf::SessionAsDefault as_default(session);
  EXPECT_EQ(tf::get_default_session(), &session);
  EXPECT_TENSOR_EQ(tf::eval(y, {{x, 4.0F}}), tf::Tensor::scalar(8.0F));
  const tf::AsDefault elsewhere(tf::make_graph());
  EXPECT_THROW(tf::eval(tf::constant(1)), tf::errors::InvalidArgumentError);
}

TEST_F(ParityApi, tensors_that_a_session_keeps) {
  const tf::Output c = tf::constant({1.0F, 2.0F}) * 3.0F;
  tf::Session session;
  const tf::Tensor handle = session.run(tf::get_session_handle(c));
  const auto kept = tf::get_session_tensor(handle, tf::float32);
  EXPECT_TENSOR_EQ(session.run(kept.tensor, {{kept.handle, handle}}), parity_vec<float>({3, 6}));
  const auto gone = tf::delete_session_tensor(handle);
  session.run(gone.deleter, {{gone.handle, handle}});
  EXPECT_ANY_THROW(session.run(kept.tensor, {{kept.handle, handle}}));
  EXPECT_THROW(tf::get_session_tensor(tf::Tensor::scalar(1), tf::float32),
               tf::errors::InvalidArgumentError);
}

TEST_F(ParityApi, device_specs) {
  const tf::DeviceSpec spec({.job = "ps", .device_type = "cpu", .device_index = 0});
  EXPECT_EQ(spec.to_string(), "/job:ps/device:CPU:0");
  const auto merged = tf::DeviceSpec::from_string("/gpu:*").make_merged_spec(spec);
  EXPECT_EQ(merged.to_string(), "/job:ps/device:CPU:0");
  EXPECT_EQ(spec.replace({.task = 3}).to_string(), "/job:ps/task:3/device:CPU:0");
  const tf::device on(spec);
  EXPECT_EQ(tf::constant(1).node->device(), "/job:ps/device:CPU:0");
  EXPECT_THROW(tf::DeviceSpec::from_string("/nonsense:1"), tf::errors::InvalidArgumentError);
}

TEST_F(ParityApi, a_collection_as_a_list) {
  tf::add_to_collection("things", tf::constant(1));
  auto things = tf::get_collection_ref("things");
  things.append(std::string("text"));
  EXPECT_EQ(tf::get_collection("things").size(), 2);
  things.remove(std::string("text"));
  EXPECT_THROW(things.remove(std::string("text")), tf::errors::InvalidArgumentError);
  EXPECT_EQ(things.size(), 1);
  things.clear();
  EXPECT_TRUE(tf::get_collection("things").empty());
}

TEST_F(ParityApi, gradients_compute_again_or_pass_through) {
  const tf::Output x = tf::placeholder(tf::float32, {});
  int calls = 0;
  const auto cube = tf::recompute_grad([&calls](const std::vector<tf::Output>& a) {
    ++calls;
    return std::vector{a[0] * a[0] * a[0]};
  });
  const tf::Output y = cube({x})[0];
  const tf::Output slope = tf::gradients(y, x)[0].dense();
  EXPECT_EQ(calls, 2);
  const auto rounded = tf::grad_pass_through(
      [](const std::vector<tf::Output>& a) { return std::vector{tf::round(a[0])}; });
  const tf::Output straight = tf::gradients(rounded({x})[0], x)[0].dense();
  tf::Session session;
  EXPECT_TENSOR_EQ(session.run(slope, {{x, 2.0F}}), tf::Tensor::scalar(12.0F));
  EXPECT_TENSOR_EQ(session.run(straight, {{x, 2.4F}}), tf::Tensor::scalar(1.0F));
}

TEST_F(ParityApi, vectorized_map_finds_the_types) {
  const tf::Output v = tf::constant({1.5F, 2.5F});
  EXPECT_TENSOR_EQ(
      value(tf::vectorized_map([](tf::Output x) { return tf::cast(x, tf::int32); }, v)),
      parity_vec<std::int32_t>({1, 2}));
  const auto two = tf::vectorized_map(
      [](const std::vector<tf::Output>& x) {
        return tf::Inputs{x[0] + 1.0F, x[0] > 2.0F};
      },
      {v});
  EXPECT_TENSOR_EQ(value(two[1]), parity_vec<bool>({false, true}));
}

TEST_F(ParityApi, a_batched_function) {
  const auto twice = tf::nondifferentiable_batch_function(
      1, 4, 1000, [](const std::vector<tf::Output>& x) { return std::vector{x[0] * 2.0F}; });
  EXPECT_TENSOR_EQ(value(twice({tf::constant({1.0F, 2.0F})})[0]), parity_vec<float>({2, 4}));
}

TEST_F(ParityApi, creators_of_variables) {
  int outer = 0, inner = 0;
  const tf::variable_creator_scope around([&](const auto& next, const auto& v, const auto& o) {
    ++outer;
    return next(v, o);
  });
  const tf::variable_creator_scope within([&](const auto& next, const auto& v, auto o) {
    ++inner;
    o.trainable = false;
    return next(v, o);
  });
  const tf::Variable made(1.0F);
  const tf::Variable got = tf::get_variable("w", {2});
  EXPECT_EQ(outer, 2);
  EXPECT_EQ(inner, 2);
  EXPECT_FALSE(made.trainable());
  EXPECT_TRUE(tf::trainable_variables().empty());
}

TEST_F(ParityApi, parts_of_a_variable) {
  const auto parts = tf::create_partitioned_variables({4, 6}, {1, 3}, tf::ones_initializer());
  ASSERT_EQ(parts.size(), 3);
  EXPECT_EQ(parts[0].shape(), tf::PartialShape(tf::Shape({4, 2})));
  EXPECT_EQ(parts[0].name(), "PartitionedVariable/part_0:0");
  EXPECT_THROW(tf::create_partitioned_variables({4}, {1, 2}, tf::ones_initializer()),
               tf::errors::InvalidArgumentError);
}

TEST_F(ParityApi, descriptions_of_tensors) {
  const tf::TensorSpec spec({tf::None, 3}, tf::float32, "x");
  EXPECT_TRUE(spec.is_compatible_with(tf::constant(tf::Tensor(tf::float32, tf::Shape({2, 3})))));
  EXPECT_FALSE(spec.is_compatible_with(tf::constant(tf::Tensor(tf::int32, tf::Shape({2, 3})))));
  EXPECT_EQ(spec.most_specific_compatible_type(tf::TensorSpec({2, 4})).shape,
            tf::PartialShape({-1, -1}));
  EXPECT_EQ(tf::TensorSpec::from_tensor(tf::constant(1, {.name = "c"})).name, "c");
  EXPECT_EQ(tf::RaggedTensorSpec({tf::None, tf::None, 2}).ragged_rank, 2);
  EXPECT_THROW(tf::RaggedTensorSpec({2}, tf::float32, 1), tf::errors::InvalidArgumentError);
  const tf::data::ElementSpec element{spec, tf::SparseTensorSpec({2, 2}, tf::int64)};
  EXPECT_EQ(element.parts.size(), 2);
  const tf::OptionalSpec maybe(element);
  EXPECT_EQ(maybe.carrier_type(), tf::variant);
}

TEST_F(ParityApi, messages) {
  const auto proto = tf::make_tensor_proto({1.0, 2.0}, {.dtype = tf::float32});
  EXPECT_TENSOR_EQ(tf::make_ndarray(proto), parity_vec<float>({1, 2}));
  EXPECT_TENSOR_EQ(tf::make_ndarray(tf::make_tensor_proto(7, {.shape = tf::Shape({3})})),
                   parity_vec<std::int32_t>({7, 7, 7}));
  tf::summaries::Summary summary;
  summary.add_value()->set_tag("loss");
  EXPECT_EQ(summary.value(0).tag(), "loss");
}

TEST_F(ParityApi, ragged_values) {
  const auto words = tf::ragged::constant({{"so", "long"}, {}, {"thanks"}});
  EXPECT_TENSOR_EQ(value(words.flat_values), parity_vec<std::string>({"so", "long", "thanks"}));
  EXPECT_TENSOR_EQ(value(words.row_splits()), parity_vec<std::int64_t>({0, 2, 2, 3}));
  const auto deep = tf::ragged::constant_value({{{1, 2}, {3}}, {{4}}});
  EXPECT_EQ(deep.ragged_rank(), 2);
  EXPECT_TENSOR_EQ(deep.nested_row_splits[1], parity_vec<std::int64_t>({0, 2, 3, 4}));
  const auto flat = tf::ragged::constant_value({{{1, 2}}, {{3, 4}, {5, 6}}}, {.ragged_rank = 1});
  EXPECT_EQ(flat.flat_values.shape(), tf::Shape({3, 2}));
  EXPECT_THROW(tf::ragged::constant({{1}, 2}), tf::errors::InvalidArgumentError);
  EXPECT_THROW(tf::ragged::constant({1, 2}), tf::errors::InvalidArgumentError);
  const auto fed = tf::ragged::placeholder(tf::int32, 2);
  tf::Session session;
  EXPECT_TENSOR_EQ(session.run(fed.flat_values, tf::ragged::feeds_of(fed, deep)),
                   parity_vec<std::int32_t>({1, 2, 3, 4}));
  EXPECT_TENSOR_EQ(value(tf::ragged::row_splits_to_segment_ids(tf::Input({0, 2, 2, 3}))),
                   parity_vec<std::int32_t>({0, 0, 2}));
  EXPECT_TENSOR_EQ(value(tf::ragged::segment_ids_to_row_splits(tf::Input({0, 0, 2}))),
                   parity_vec<std::int32_t>({0, 2, 2, 3}));
}

TEST_F(ParityApi, clusters) {
  const tf::train::ClusterSpec cluster({{"worker", {"a:1", "b:2"}}, {"ps", {"c:3"}}});
  EXPECT_EQ(cluster.task_address("worker", 1), "b:2");
  EXPECT_EQ(cluster.num_tasks("ps"), 1);
  EXPECT_EQ(tf::train::ClusterSpec(cluster.as_cluster_def()), cluster);
  EXPECT_THROW(cluster.task_address("worker", 2), tf::errors::InvalidArgumentError);
  EXPECT_THROW(cluster.num_tasks("chief"), tf::errors::InvalidArgumentError);
}

TEST_F(ParityApi, checkpoints_as_they_come) {
  const tf::Variable v(1.0F, {.name = "v"});
  const std::string directory = tf::test::get_temp_dir() + "/iterated";
  tf::Session session;
  session.run(tf::global_variables_initializer());
  tf::train::Saver saver;
  saver.save(session, directory + "/model", {.global_step = 1});
  std::vector<std::string> seen;
  for (const std::string& path : tf::train::checkpoints_iterator(directory, {.timeout = 0.01})) {
    seen.push_back(path);
    if (seen.size() == 1) saver.save(session, directory + "/model", {.global_step = 2});
  }
  ASSERT_EQ(seen.size(), 2);
  EXPECT_TRUE(seen[1].ends_with("model-2"));
}

TEST_F(ParityApi, iterators_in_checkpoints) {
  const auto iterator = tf::data::Dataset::range(5).make_initializable_iterator();
  const tf::Output next = iterator.next_tensors()[0];
  tf::train::Saver saver(
      {{"input", tf::data::experimental::make_saveable_from_iterator(iterator)}});
  const std::string path = tf::test::get_temp_dir() + "/position";
  tf::Session session;
  session.run(iterator.initializer());
  session.run(next);
  saver.save(session, path);
  session.run(next);
  saver.restore(session, path);
  EXPECT_TENSOR_EQ(session.run(next), tf::Tensor::scalar<std::int64_t>(1));
}

TEST_F(ParityApi, layers_in_the_style_of_keras) {
  const tf::layers::experimental::keras_style_scope style;
  const tf::Output x = tf::placeholder(tf::float32, {tf::None, 3});
  tf::layers::Dense dense(2);
  dense(x);
  dense(x);
  EXPECT_EQ(dense.weights().size(), 2);
  EXPECT_TRUE(dense.weights()[0].is_resource());
}

TEST_F(ParityApi, small_names) {
  EXPECT_EQ(tf::estimator::ModeKeys::TRAIN, tf::estimator::Mode::kTrain);
  EXPECT_EQ(tf::io::TFRecordOptions{.compression_type = tf::io::TFRecordCompressionType::GZIP}
                .compression_name(),
            "GZIP");
  tf::debugging::set_log_device_placement(true);
  EXPECT_TRUE(tf::debugging::get_log_device_placement());
  tf::debugging::set_log_device_placement(false);
  const tf::Output c = tf::constant({1, 2}, {.name = "c"});
  EXPECT_EQ(tf::graph_util::tensor_shape_from_node_def_name(*tf::default_graph(), "c"), c.shape());
  EXPECT_THROW(tf::experimental::function_executor_type("FAST"), tf::errors::InvalidArgumentError);
  const auto [letters, places] = tf::strings::unicode_split_with_offsets("aé", "UTF-8");
  EXPECT_TENSOR_EQ(value(std::get<tf::Output>(places)), parity_vec<std::int64_t>({0, 1}));
  const tf::variable_op_scope in({}, "", "fallback");
  EXPECT_EQ(tf::get_variable("w", {1}).name(), "fallback/w:0");
}

TEST_F(ParityApi, as_it_is_written_in_one_breath) {
  const tf::Output x = tf::constant({{1.0F, 5.0F}, {4.0F, 2.0F}});
  EXPECT_TENSOR_EQ(value(tf::argmax(x, 1)), parity_vec<std::int64_t>({1, 0}));
  EXPECT_TENSOR_EQ(value(tf::math::argmin(x, 0)), parity_vec<std::int64_t>({0, 1}));
  const std::string logs = tf::test::get_temp_dir() + "/logs_of_parity";
  tf::summaries::FileWriter writer(logs, *tf::get_default_graph());
  tf::Session session;
  writer.add_summary(session.run(tf::summaries::scalar("loss", 2.5F)), 3);
  writer.close();
  int summaries = 0, graphs = 0;
  for (const std::string& file : tf::gfile::Glob(logs + "/*"))
    for (const tf::Event& event : tf::train::summary_iterator(file)) {
      summaries += event.has_summary() && event.step() == 3 ? 1 : 0;
      graphs += event.has_graph_def() ? 1 : 0;
    }
  EXPECT_EQ(summaries, 1);
  EXPECT_EQ(graphs, 1);
  const auto input = tf::estimator::inputs::numpy_input_fn({{"x", parity_vec<float>({1, 2})}},
                                                           parity_vec<std::int64_t>({0, 1}),
                                                           {.batch_size = 2, .shuffle = false});
  EXPECT_TRUE(bool(input));
}

TEST_F(ParityApi, a_profile) {
  const tf::Variable w(tf::ones({3, 4}), {.name = "w"});
  const auto options = tf::profiler::ProfileOptionBuilder(
                           tf::profiler::ProfileOptionBuilder::trainable_variables_parameter())
                           .with_max_depth(3)
                           .with_empty_output()
                           .build();
  const auto seen = tf::profiler::profile(*tf::default_graph(), {.options = options});
  EXPECT_EQ(seen.total_parameters(), 12);
}

}  // namespace
