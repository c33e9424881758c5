// Models from one form to another, and whether they will run.
#include "rill/api/convert/convert.h"

#include <gtest/gtest.h>

#include "rill/api/check/check_model.h"
#include "rill/api/picture/picture.h"
#include "rill/base/file_testing.h"
#include "rill/graph/graph_def.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace rill::convert {
namespace {

class Convert : public testing::Test {
 protected:
  // A checkpoint of y = x * v + 1, v = [2, 3].
  void SetUp() override {
    const auto graph = make_graph();
    const AsDefault in_graph(graph);
    const auto x = placeholder(float32, {2}, {.name = "x"});
    const auto v = get_variable("v", {.initializer = Tensor::vector<float>({2, 3})});
    add(x * v, 1.0f, {.name = "y"});
    Session session(graph);
    session.run(global_variables_initializer());
    train::Saver().save(session, path("m.ckpt"));
  }
  std::string path(const char* name) const { return directory_ / name; }

  static void expect_answers(const std::string& model) {
    auto bundle = saved_model::load(model);
    const auto answer = bundle.run({{"x", Tensor::vector<float>({10, 20})}}).at("y");
    EXPECT_TRUE(identical(answer, Tensor::vector<float>({21, 61})));
  }

  ScratchDirectory directory_;
};

TEST_F(Convert, checkpoint_to_everything) {
  const auto report = convert(path("m.ckpt"), path("v.safetensors"));
  EXPECT_EQ(report.tensors, 1);
  convert(path("v.safetensors"), path("back.ckpt"));
  EXPECT_TRUE(
      identical(train::load_variable(path("back.ckpt"), "v"), Tensor::vector<float>({2, 3})));
  convert(path("m.ckpt"), path("frozen.pb"), {.model = {.outputs = {"y"}}});
  convert(path("frozen.pb"), path("model"), {.to = Form::kSavedModel, .model = {.outputs = {"y"}}});
  expect_answers(path("model"));
  convert(path("m.ckpt"), path("model2"), {.to = Form::kSavedModel, .model = {.outputs = {"y"}}});
  expect_answers(path("model2"));
}

TEST_F(Convert, refuses) {
  EXPECT_THROW(convert(path("m.ckpt"), path("x")), Error);
  EXPECT_THROW(convert(path("none"), path("x.pb")), Error);
  EXPECT_THROW(convert(path("m.ckpt"), path("x.pb")), Error);
  EXPECT_THROW(parse_form("nonsense"), Error);
}

TEST_F(Convert, optimize) {
  convert(path("m.ckpt"), path("model"), {.to = Form::kSavedModel, .model = {.outputs = {"y"}}});
  const FrozenModel small = optimize(path("model"));
  EXPECT_EQ(small.inputs(), (Names{"x:0"}));
  EXPECT_EQ(small.outputs(), (Names{"y:0"}));
  EXPECT_EQ(small.graph->node_size(), 5);  // x, v, their product, 1, y
  write_frozen_model(small, path("small"));
  expect_answers(path("small"));
}

TEST_F(Convert, check_and_picture) {
  const auto reports = check::check_model(path("m.ckpt.meta"));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(reports[0].runs());
  EXPECT_EQ(reports[0].ops.at("Mul"), 1);
  auto meta = train::read_meta_graph_file(path("m.ckpt.meta"));
  const auto drawing = picture::draw(meta.graph_def());
  EXPECT_EQ(drawing.boxes.size(), 3u);  // x, mul, y
  EXPECT_EQ(drawing.lines.size(), 2u);
  EXPECT_NE(picture::to_svg(drawing).find(">mul</text>"), std::string::npos);
  EXPECT_TRUE(picture::to_png(drawing).starts_with("\x89PNG"));
  meta.mutable_graph_def()->mutable_node(0)->set_op("Nobodys");
  const auto report = check::check_graph(meta.graph_def());
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_TRUE(report.problems[0].unknown_op);
  EXPECT_EQ(report.problems[0].nodes, (Names{"x"}));
}

}  // namespace
}  // namespace rill::convert
