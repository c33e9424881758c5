#include "rill/ops/debug/debug_target.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/hash64.h"
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
  dump_tensor(root_, watched_, Tensor::vector<float>({1, NAN}));
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
  for (int i = 0; i < 3; ++i) dump_tensor(root_, watched_, Tensor::scalar(1.0f));
  for (const char* ending : {"", "-1", "-2"})
    EXPECT_TRUE(file_exists(device_ + "/a/b_0_DebugIdentity_1480734393835964" + ending)) << ending;
}

TEST_F(DumpTest, other_places_and_names_are_refused) {
  EXPECT_THROW(debug_target("ftp://somewhere"), Error);
  EXPECT_THROW(debug_target("file://"), Error);
  EXPECT_THROW(debug_target("memcbk://nobody"), Error);
  for (const char* name : {"", "a", "a:", ":0", "a:-1", "a:x", "a:99999999999"})
    EXPECT_THROW(TensorName{name}, Error) << name;
}

TEST_F(DumpTest, schemes_are_told_in_any_case) {
  debug_target("FILE://" + root_)->tensor(watched_, Tensor::scalar(1.0f));
  EXPECT_TRUE(file_exists(device_ + "/a/b_0_DebugIdentity_1480734393835964"));
}

TEST_F(DumpTest, callbacks_get_the_tensors) {
  std::vector<std::string> seen;
  set_debug_callback("seen", [&](const Watched& watched, const Tensor& value) {
    seen.push_back(watched.key() + " " + print(value));
  });
  debug_target("memcbk://seen")->tensor(watched_, Tensor::scalar(1.5f));
  set_debug_callback("seen", {});
  EXPECT_EQ(seen, std::vector<std::string>{"a/b:0:DebugIdentity 1.5"});
}

TEST_F(DumpTest, a_run_and_its_graph) {
  const DebuggedRun run{.session_run = 1, .outputs = {"c:0"}, .micros = 7};
  dump_run(root_, run);
  tensorflow::Event event;
  ASSERT_TRUE(
      event.ParseFromString(read_file(root_ + "/_tfdbg_core_metadata_sessionrun00000000000001_7")));
  EXPECT_EQ(event.log_message().message(),
            "{\"global_step\":-1,\"session_run_index\":1,\"executor_step_index\":0,"
            "\"input_names\":[],\"output_names\":[\"c:0\"],\"target_nodes\":[]}");
  dump_graph(root_, watched_.device, "bytes", 8);
  ASSERT_TRUE(event.ParseFromString(
      read_file(str_cat(device_, "/_tfdbg_graph_hash", hash64("bytes"), "_8"))));
  EXPECT_EQ(event.graph_def(), "bytes");
}

}  // namespace
}  // namespace rill
