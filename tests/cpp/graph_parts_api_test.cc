// Critical sections, devices of replicas, settings, generators and ragged joins as C++ programs use
// them.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Parts : public ::testing::Test {
 protected:
  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Parts, critical_sections) {
  const tf::CriticalSection section({.name = "cs"});
  const tf::Variable v(1.0F, {.use_resource = true, .name = "v"});
  const auto results = section.execute([&] { return std::vector<tf::Output>{v.assign_add(1.0F)}; });
  EXPECT_EQ(section.name(), "cs");
  EXPECT_THROW(section.execute([&] { return section.execute([&] { return results; }); }),
               tf::Error);
  tf::Session session(graph_);
  session.run(tf::global_variables_initializer());
  EXPECT_EQ(session.run(results[0]).scalar_value<float>(), 2.0F);
}

TEST_F(Parts, devices_of_replicas) {
  const tf::DeviceScope on(tf::train::replica_device_setter(2));
  const tf::Variable a(1.0F), b(1.0F), c(1.0F);
  EXPECT_EQ(a.device(), "/job:ps/task:0");
  EXPECT_EQ(b.device(), "/job:ps/task:1");
  EXPECT_EQ(c.device(), "/job:ps/task:0");
  EXPECT_EQ((a + b).node->device(), "/job:worker");
  EXPECT_THROW(tf::train::replica_device_setter(0), tf::Error);
}

TEST(Config, settings_and_devices) {
  EXPECT_FALSE(tf::config::get_soft_device_placement());
  tf::config::set_soft_device_placement(true);
  EXPECT_TRUE(tf::config::get_soft_device_placement());
  tf::config::set_soft_device_placement(false);
  EXPECT_THROW(tf::config::set_device_policy("loud"), tf::Error);
  const auto devices = tf::config::list_physical_devices("CPU");
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(tf::config::list_logical_devices()[0].name, "/device:CPU:0");
  EXPECT_THROW(tf::config::set_memory_growth(devices[0], true), tf::Error);
}

TEST_F(Parts, generators) {
  const auto generator = tf::random::Generator::from_seed(5);
  const tf::Output x = generator.normal({2});
  const tf::Output n = generator.uniform({3}, 0, tf::Input(10), {.dtype = tf::int32});
  tf::Session session(graph_);
  session.run(tf::global_variables_initializer());
  const tf::Tensor first = session.run(x), second = session.run(x);
  EXPECT_NEAR(first.flat<float>()[0], -1.7138785F, 1e-5F);  // as TensorFlow draws
  EXPECT_NE(first.flat<float>()[0], second.flat<float>()[0]);
  for (const std::int32_t value : session.run(n).flat<std::int32_t>())
    EXPECT_TRUE(value >= 0 && value < 10);
  EXPECT_THROW(tf::random::Generator(1, tf::random::RngAlgorithm::kThreeFry), tf::Error);
}

TEST_F(Parts, ragged_joins) {
  const tf::RaggedTensor rows = tf::ragged::from_row_splits(
      tf::Tensor::vector<std::int32_t>({1, 2, 3}), tf::Tensor::vector<std::int64_t>({0, 1, 3}));
  const auto both = std::get<tf::RaggedTensor>(tf::ragged::stack({rows, rows}));
  EXPECT_EQ(both.ragged_rank(), 2);
  const tf::RaggedTensor parts = tf::ragged::stack_dynamic_partitions(
      tf::Tensor::vector<std::int32_t>({1, 2, 3}), tf::Tensor::vector<std::int32_t>({1, 0, 1}), 2);
  tf::Session session(graph_);
  EXPECT_EQ(session.run(both.flat_values).flat<std::int32_t>()[3], 1);
  const tf::Tensor values = session.run(parts.flat_values);
  EXPECT_EQ(values.flat<std::int32_t>()[0], 2);
  EXPECT_EQ(values.flat<std::int32_t>()[2], 3);
}

TEST_F(Parts, elements_under_keys) {
  const tf::MapStagingArea area({tf::float32, tf::int32}, {});
  const tf::Tensor key = tf::Tensor::scalar<std::int64_t>(1);
  tf::Node& put = area.put(key, {1.5F, 2}, {0, 1});
  const auto got = area.get(key, {{1}});
  tf::Session session(graph_);
  session.run(put);
  EXPECT_EQ(session.run(area.size()).scalar_value<std::int32_t>(), 1);
  EXPECT_EQ(session.run(got[0]).scalar_value<std::int32_t>(), 2);
  EXPECT_THROW(area.put(key, {1.5F}, {2}), tf::Error);
}

TEST_F(Parts, replicas_wait_for_each_other) {
  const tf::Variable w(4.0F, {.name = "w"});
  const tf::Variable step = tf::train::get_or_create_global_step();
  tf::train::SyncReplicasOptimizer optimizer(
      std::make_shared<tf::train::GradientDescentOptimizer>(0.25), 1);
  tf::Node& train = optimizer.minimize(w * w, {.global_step = step});
  tf::Node& tokens = optimizer.get_init_tokens_op();
  EXPECT_EQ(optimizer.get_chief_queue_runner()->name(), "sync_token_q");
  tf::Session session(graph_);
  session.run(tf::global_variables_initializer());
  session.run(tf::local_variables_initializer());
  session.run(optimizer.chief_init_op());
  session.run(tokens);
  session.run(train);
  optimizer.get_chief_queue_runner()->enqueue_ops()[0].run(session);
  EXPECT_EQ(session.run(w.value()).scalar_value<float>(), 2.0F);
  EXPECT_THROW(optimizer.get_init_tokens_op(-2), tf::Error);
}

}  // namespace
