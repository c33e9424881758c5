// Curves and embeddings for TensorBoard.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/collections.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/summary/pr_curve.h"
#include "rill/api/summary/projector.h"
#include "rill/api/summary/summary_iterator.h"
#include "rill/base/file_system_registry.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/messages.h"
#include "rill/runtime/session/session.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill {
namespace {

class BoardApi : public testing::Test {
 protected:
  tensorflow::Summary message(Output x) {
    tensorflow::Summary summary;
    EXPECT_TRUE(summary.ParseFromString(session_.run(x).scalar_value<std::string>()));
    return summary;
  }
  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
};

// What TensorBoard's own summary says of these five (tests/golden/models/board_summaries).
TEST_F(BoardApi, curve) {
  const Output labels = constant({true, false, true, true, false});
  const Output predictions = constant({0.9f, 0.8f, 0.35f, 0.6f, 0.1f});
  const Output curve = summaries::pr_curve("curve", labels, predictions, {.num_thresholds = 3});
  EXPECT_EQ(curve.name(), "curve/pr_curves:0");
  EXPECT_EQ(get_tensor_collection(GraphKeys::SUMMARIES), std::vector<Output>{curve});
  EXPECT_EQ(graph_->at("curve/tp").op().name, "Cumsum");
  const auto summary = message(curve);
  const auto& value = summary.value(0);
  EXPECT_EQ(value.tag(), "curve/pr_curves");
  EXPECT_EQ(value.metadata().plugin_data().plugin_name(), "pr_curves");
  EXPECT_EQ(value.metadata().plugin_data().content(), "\x10\x03");
  EXPECT_EQ(value.metadata().display_name(), "curve");
  const Tensor expected = Tensor::of<float>({6, 3}, {3, 2, 0,            //
                                                     2, 1, 0,            //
                                                     0, 1, 2,            //
                                                     0, 1, 3,            //
                                                     0.6f, 2.0f / 3, 0,  //
                                                     1, 2.0f / 3, 0});
  EXPECT_TRUE(identical(from_proto(value.tensor()), expected)) << print(from_proto(value.tensor()));
}

TEST_F(BoardApi, curve_of_weights) {
  const Output curve = summaries::pr_curve("c", constant({true, false}), constant({0.9f, 0.2f}),
                                           {.num_thresholds = 200,
                                            .weights = constant({2.0f, 0.5f}),
                                            .display_name = "C",
                                            .description = "d"});
  const auto summary = message(curve);
  const auto& value = summary.value(0);
  EXPECT_EQ(value.metadata().plugin_data().content(), "\x10\xc8\x01");
  EXPECT_EQ(value.metadata().display_name(), "C");
  EXPECT_EQ(value.metadata().summary_description(), "d");
  EXPECT_EQ(from_proto(value.tensor()).flat<float>()[0], 2.0f);
  EXPECT_EQ(from_proto(value.tensor()).flat<float>()[200], 0.5f);
}

TEST_F(BoardApi, curves_that_are_none) {
  EXPECT_THROW(summaries::pr_curve("c", constant({1.0f}), constant({1.0f})), Error);
  EXPECT_THROW(summaries::pr_curve("c", constant({true}), constant({1.0f}), {.num_thresholds = 1}),
               Error);
}

TEST_F(BoardApi, embeddings) {
  const ScratchDirectory scratch;
  summaries::FileWriter writer(scratch / "log");
  projector::ProjectorConfig config;
  auto* embedding = config.add_embeddings();
  embedding->set_tensor_name("words:0");
  embedding->set_metadata_path("words.tsv");
  embedding->mutable_sprite()->add_single_image_dim(8);
  projector::visualize_embeddings(writer, config);
  projector::ProjectorConfig read;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      read_file(scratch / "log/projector_config.pbtxt"), &read));
  EXPECT_EQ(read.SerializeAsString(), config.SerializeAsString());
}

TEST_F(BoardApi, events_one_after_the_other) {
  const ScratchDirectory scratch;
  summaries::FileWriter writer(scratch / "log", {.filename_suffix = ".x"});
  for (int step = 0; step < 3; ++step) {
    tensorflow::Summary summary;
    summary.add_value()->set_tag("v");
    writer.add_summary(summary, step);
  }
  writer.close();
  const auto files = matching_paths(scratch / "log/*.x");
  ASSERT_EQ(files.size(), 1u);
  std::vector<std::int64_t> steps;
  for (const tensorflow::Event& event : train::summary_iterator(files[0]))
    if (event.has_summary()) steps.push_back(event.step());
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_THROW(train::summary_iterator(scratch / "none").begin(), Error);
}

// One file, whatever it is called.
class OneFile : public FileSystem {
 public:
  std::unique_ptr<ReadableFile> open(const std::string&) override {
    return ram_files().open("ram://one_file");
  }
  std::unique_ptr<WritableFile> create(const std::string&, WriteMode mode) override {
    return ram_files().create("ram://one_file", mode);
  }
  FileFacts facts(const std::string&) override { return ram_files().facts("ram://one_file"); }
  std::vector<std::string> list(const std::string&) override { return {}; }
  void remove_file(const std::string&) override {}
  void make_directory(const std::string&) override {}
  void remove_directory(const std::string&) override {}
  void rename(const std::string&, const std::string&) override {}
};

TEST(FileSystems, are_registered_once) {
  register_file_system("one", std::make_unique<OneFile>());
  write_file(std::string("one://a"), "text");
  EXPECT_EQ(read_file(std::string("one://b")), "text");
  EXPECT_TRUE(error_of([] {
                register_file_system("one", std::make_unique<OneFile>());
              }).starts_with("AlreadyExists"));
  EXPECT_TRUE(error_of([] {
                register_file_system("http", std::make_unique<OneFile>());
              }).starts_with("AlreadyExists"));
  for (const char* wrong : {"", "a b", "a://b"})
    EXPECT_THROW(register_file_system(wrong, std::make_unique<OneFile>()), Error) << wrong;
  const auto schemes = file_system_schemes();
  EXPECT_TRUE(std::ranges::find(schemes, "one") != schemes.end());
}

}  // namespace
}  // namespace rill
