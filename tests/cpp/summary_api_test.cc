#include "rill/api/summary/summary.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/collections.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/summary/recorded.h"
#include "rill/base/files.h"
#include "rill/io/event_reader.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/framework/node_def.pb.h"
#include "tensorflow/core/framework/summary.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {
namespace {

using tensorflow::Event;

class SummaryApi : public testing::Test {
 protected:
  SummaryApi() {
    static int count = 0;
    directory_ = testing::TempDir() + "rill_summary_" + std::to_string(count++);
    std::filesystem::remove_all(directory_);
  }
  ~SummaryApi() override { std::filesystem::remove_all(directory_); }

  tensorflow::Summary message(Output x) {
    tensorflow::Summary summary;
    EXPECT_TRUE(summary.ParseFromString(session_.run(x).scalar_value<std::string>()));
    return summary;
  }
  // The events of all files of the directory, without those that say the version.
  std::vector<Event> events() {
    std::vector<Event> all;
    for (const auto& file : std::filesystem::directory_iterator(directory_)) {
      EventReader reader(file.path().string());
      for (Event event; reader.read(&event);)
        if (!event.has_file_version()) all.push_back(event);
    }
    return all;
  }

  std::string directory_;
  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
};

TEST_F(SummaryApi, tags_and_names) {
  const NameScope named("train");
  const Output loss = summaries::scalar("my loss", constant(1.5f));
  EXPECT_EQ(loss.name(), "train/my_loss:0");
  EXPECT_EQ(message(loss).value(0).tag(), "train/my_loss");
  EXPECT_EQ(message(loss).value(0).simple_value(), 1.5f);
  const Output other = summaries::scalar("loss", constant(2.5f), {.family = "losses"});
  EXPECT_EQ(other.name(), "train/losses/loss:0");
  EXPECT_EQ(message(other).value(0).tag(), "losses/train/losses/loss");
  EXPECT_EQ(summaries::clean_tag("/a b:é"), "a_b__");
}

TEST_F(SummaryApi, kinds) {
  EXPECT_EQ(message(summaries::histogram("h", constant({1.0f, 2.0f}))).value(0).histo().num(), 2);
  const Output picture = constant(Tensor::zeros(DType::u8, {2, 3, 4, 1}));
  const auto image = message(summaries::image("i", picture, {.max_outputs = 1}));
  ASSERT_EQ(image.value_size(), 1);
  EXPECT_EQ(image.value(0).image().width(), 4);
  const Output sound = constant(Tensor::zeros(DType::f32, {1, 8, 2}));
  EXPECT_EQ(message(summaries::audio("a", sound, 8000.0)).value(0).audio().num_channels(), 2);
  const auto text = message(summaries::text("t", constant("hello")));
  EXPECT_EQ(text.value(0).metadata().plugin_data().plugin_name(), "text");
  EXPECT_EQ(text.value(0).tensor().string_val(0), "hello");
  EXPECT_THROW(summaries::text("t", constant(1)), Error);
  const auto tensor =
      message(summaries::tensor_summary("x", constant({1, 2}), {.summary_description = "what"}));
  EXPECT_EQ(tensor.value(0).metadata().summary_description(), "what");
}

TEST_F(SummaryApi, merge) {
  EXPECT_FALSE(summaries::merge_all());
  summaries::scalar("a", constant(1.0f));
  summaries::scalar("b", constant(2.0f), {.collections = {{"mine"}}});
  const Output merged = *summaries::merge_all();
  EXPECT_EQ(merged.name(), "Merge/MergeSummary:0");
  EXPECT_EQ(message(merged).value_size(), 1);
  EXPECT_EQ(message(*summaries::merge_all("mine", {.name = "m"})).value(0).tag(), "b");
}

TEST_F(SummaryApi, description) {
  tensorflow::NodeDef node;
  node.set_op("TensorSummary");
  (*node.mutable_attr())["description"].set_s("{\"typeHint\": \"scalar\"}");
  EXPECT_EQ(summaries::get_summary_description(node).type_hint(), "scalar");
  node.set_op("Const");
  EXPECT_THROW(summaries::get_summary_description(node), Error);
}

TEST_F(SummaryApi, file_writer) {
  const Output loss = summaries::text("note", constant("x"));
  const std::string summary = session_.run(loss).scalar_value<std::string>();
  summaries::FileWriter writer(directory_, {.graph = graph_.get(), .filename_suffix = ".mine"});
  writer.add_summary(summary, 3);
  writer.add_summary(summary, 4);
  tensorflow::RunMetadata metadata;
  writer.add_run_metadata(metadata, "step", 4);
  EXPECT_THROW(writer.add_run_metadata(metadata, "step"), Error);
  EXPECT_THROW(writer.add_summary("no message"), Error);
  tensorflow::SessionLog log;
  log.set_status(tensorflow::SessionLog::STOP);
  writer.add_session_log(log, 5);
  writer.close();
  const std::vector<Event> found = events();
  ASSERT_EQ(found.size(), 6u);
  EXPECT_TRUE(found[0].has_graph_def());
  EXPECT_TRUE(found[1].has_meta_graph_def());
  EXPECT_EQ(found[2].step(), 3);
  EXPECT_TRUE(found[2].summary().value(0).has_metadata());
  EXPECT_FALSE(found[3].summary().value(0).has_metadata());
  EXPECT_EQ(found[4].tagged_run_metadata().tag(), "step");
  EXPECT_EQ(found[5].session_log().status(), tensorflow::SessionLog::STOP);
  EXPECT_GT(found[5].wall_time(), 1e9);
}

TEST_F(SummaryApi, closed_and_opened_again) {
  summaries::FileWriter writer(directory_);
  tensorflow::Summary summary;
  summary.add_value()->set_simple_value(1);
  writer.add_summary(summary, 1);
  writer.flush();
  EXPECT_EQ(events().size(), 1u);
  writer.close();
  writer.add_summary(summary, 2);
  writer.reopen();
  writer.add_summary(summary, 3);
  writer.close();
  EXPECT_EQ(events().size(), 2u);
}

TEST_F(SummaryApi, writers_of_one_directory) {
  const auto writer = summaries::FileWriterCache::get(directory_);
  EXPECT_EQ(writer, summaries::FileWriterCache::get(directory_));
  summaries::FileWriterCache::clear();
  EXPECT_NE(writer, summaries::FileWriterCache::get(directory_));
  summaries::FileWriterCache::clear();
}

TEST_F(SummaryApi, through_a_session) {
  summaries::FileWriter writer(directory_, session_);
  tensorflow::Summary summary;
  summary.add_value()->set_simple_value(1);
  writer.add_summary(summary, 7);
  writer.close();
  ASSERT_EQ(events().size(), 1u);
  EXPECT_EQ(events()[0].step(), 7);
}

TEST_F(SummaryApi, recorded_by_the_step) {
  const Output x = constant(2.0f);
  EXPECT_EQ(summaries::record_scalar("x", x, {.step = 1}).op().name, "NoOp");
  const summaries::SummaryWriter writer = summaries::create_file_writer(directory_);
  const summaries::AsDefaultWriter as_default(writer);
  Node& unwritten = summaries::record_scalar("x", x, {.step = 1});
  const summaries::RecordSummaries always(true);
  Node& written = summaries::record_scalar("x", x, {.step = 2});
  EXPECT_EQ(summaries::all_summary_ops().size(), 2u);
  for (Node* node : summaries::summary_writer_initializer_op()) session_.run(*node);
  session_.run(unwritten);
  session_.run(written);
  session_.run(writer.close());
  ASSERT_EQ(events().size(), 1u);
  EXPECT_EQ(events()[0].step(), 2);
  EXPECT_EQ(events()[0].summary().value(0).tag(), "x");
}

}  // namespace
}  // namespace rill
