#include "rill/ops/debug/dump.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

class DumpTest : public testing::Test {
 protected:
  void TearDown() override {
    if (file_exists(root_)) remove_tree(root_);
  }
  const std::string root_ = testing::TempDir() + "dump_test";
  const std::string device_ = root_ + "/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0";
  const Watched watched_{.device = "/job:localhost/replica:0/task:0/device:CPU:0",
                         .tensor = TensorName("a/b:0"),
                         .debug_op = "DebugIdentity",
                         .micros = 1480734393835964};
};

TEST_F(DumpTest, is_one_event_in_a_file) {
  dump_tensor("file://" + root_, watched_, Tensor::vector<float>({1, NAN}));
  const std::string bytes = read_file(device_ + "/a/b_0_DebugIdentity_1480734393835964");
  EXPECT_EQ(bytes.size(), 178u);
  tensorflow::Event event;
  ASSERT_TRUE(event.ParseFromString(bytes));
  EXPECT_EQ(event.wall_time(), 1480734393835964.0);
  const auto& value = event.summary().value(0);
  EXPECT_EQ(value.tag(), "a/b");
  EXPECT_EQ(value.node_name(), "a/b:0:DebugIdentity");
  EXPECT_EQ(value.metadata().plugin_data().content(),
            "{\"device\":\"/job:localhost/replica:0/task:0/device:CPU:0\",\"outputSlot\":0,"
            "\"numChunks\":1,\"chunkIndex\":0}");
}

TEST_F(DumpTest, dumps_of_one_moment_are_counted) {
  for (int i = 0; i < 3; ++i) dump_tensor("FILE://" + root_, watched_, Tensor::scalar(1.0f));
  for (const char* ending : {"", "-1", "-2"})
    EXPECT_TRUE(file_exists(device_ + "/a/b_0_DebugIdentity_1480734393835964" + ending)) << ending;
}

TEST_F(DumpTest, other_places_and_names_are_refused) {
  EXPECT_THROW(dump_tensor("grpc://localhost:1", watched_, Tensor::scalar(1.0f)), Error);
  EXPECT_THROW(dump_tensor("file://", watched_, Tensor::scalar(1.0f)), Error);
  for (const char* name : {"", "a", "a:", ":0", "a:-1", "a:x", "a:99999999999"})
    EXPECT_THROW(TensorName{name}, Error) << name;
}

}  // namespace
}  // namespace rill
