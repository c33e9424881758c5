// RecordInput: every record once in each epoch, in an order that the seed decides.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "rill/graph/scope.h"
#include "rill/io/record_writer.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using Epoch = std::vector<std::string>;

class RecordInputTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "record_input_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (int f = 0; f < 3; ++f) {
      RecordWriter writer((folder_ / str_cat("f", f)).string());
      for (int r = 0; r < 4; ++r) writer.write(all_.emplace_back(str_cat(f, "-", r)));
      writer.close();
    }
    RecordWriter((folder_ / "empty").string()).close();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Output input(const char* files, AttrMap attrs = {}) {
    attrs.insert({{"file_pattern", (folder_ / files).string()}});
    return scope_.add("RecordInput", {}, std::move(attrs)).output();
  }
  Epoch epoch(Session& session, Output records) {
    Epoch epoch;
    while (epoch.size() < all_.size()) {
      const Tensor batch = session.run({}, {{records}})[0];
      for (const std::string& record : batch.flat<std::string>()) epoch.push_back(record);
    }
    return epoch;
  }
  Code code_of(Output records) {
    try {
      Session(graph_).run({}, {{records}});
      return Code::kOk;
    } catch (const Error& error) {
      return error.code();
    }
  }

  std::filesystem::path folder_;
  Epoch all_;
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

TEST_F(RecordInputTest, gives_every_record_once_in_each_epoch) {
  Session session(graph_);
  const Output records = input("f*", {{"batch_size", 6}, {"file_buffer_size", 4}});
  std::set<Epoch> orders;
  for (int i = 0; i < 4; ++i) {
    Epoch got = epoch(session, records);
    orders.insert(got);
    std::ranges::sort(got);
    EXPECT_EQ(got, all_);
  }
  EXPECT_GT(orders.size(), 1u);
}

TEST_F(RecordInputTest, the_seed_decides_the_order) {
  const auto order = [&](int seed) {
    Session session(graph_);
    return epoch(session, input("*", {{"batch_size", 3}, {"file_random_seed", seed}}));
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST_F(RecordInputTest, refuses) {
  EXPECT_EQ(code_of(input("none*")), Code::kNotFound);
  EXPECT_EQ(code_of(input("empty")), Code::kOutOfRange);
  EXPECT_EQ(code_of(input("f*", {{"batch_size", -1}})), Code::kInvalidArgument);
  EXPECT_EQ(code_of(input("f*", {{"batch_size", 0}})), Code::kOk);
  EXPECT_EQ(code_of(input("f*", {{"batch_size", std::int64_t{1} << 50}})),
            Code::kResourceExhausted);
}

}  // namespace
}  // namespace rill
