// Servers as C++ programs write them.
#include <gtest/gtest.h>

#include "rill/nn.h"
#include "rill/train.h"

namespace tf = rill;

namespace {

TEST(ClusterApi, a_local_server_trains) {
  const tf::AsDefault as_default(tf::make_graph());
  const auto server = tf::train::Server::create_local_server();
  ASSERT_TRUE(server.target().starts_with("grpc://localhost:"));
  const auto w = tf::get_variable("w", {2}, {.initializer = tf::ones_initializer()});
  const auto loss = tf::reduce_sum(tf::square(w));
  auto& train = tf::train::GradientDescentOptimizer(0.25).minimize(loss);
  {
    tf::Session sess({.target = server.target()});
    sess.run(tf::global_variables_initializer());
    sess.run(train);
    EXPECT_EQ(sess.run(loss).scalar_value<float>(), 0.5f);
  }
  tf::Session other({.target = server.target()});  // the variable is the server's
  EXPECT_EQ(other.run(loss).scalar_value<float>(), 0.5f);
  EXPECT_EQ(other.list_devices().front().name, "/job:localhost/replica:0/task:0/device:CPU:0");
}

TEST(ClusterApi, what_makes_no_server) {
  const tf::train::ClusterSpec two{{"a", {"localhost:0"}}, {"b", {"localhost:0", "localhost:0"}}};
  EXPECT_THROW(tf::train::Server{two}, tf::Error);
  EXPECT_THROW(tf::train::Server(two, {.job_name = "b"}), tf::Error);
  EXPECT_THROW(tf::train::Server(two, {.job_name = "c", .task_index = 0}), tf::Error);
  EXPECT_THROW(tf::Session({.target = "grpc://"}), tf::Error);
}

}  // namespace
