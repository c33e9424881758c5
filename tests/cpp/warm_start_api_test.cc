#include <gtest/gtest.h>

#include "rill/api/saver/contrib_framework.h"
#include "rill/api/saver/warm_start.h"
#include "rill/base/file_testing.h"
#include "rill/io/bundle_writer.h"
#include "rill/rill.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill {
namespace {

using Floats = std::vector<float>;

class WarmStartApi : public testing::Test {
 protected:
  WarmStartApi() {
    BundleWriter writer(directory / "model");
    writer.add("v", Tensor::vector<float>({1, 2}));
    writer.add("old/m", matrix({1, 2, 3, 4, 5, 6}, {3, 2}));
    writer.finish();
    write_file(old_words, "apple\nbanana\nguava\n");
    write_file(new_words, "banana\ncherry\napple\n");
  }
  static Tensor matrix(const Floats& values, const Shape& shape) {
    Tensor tensor(DType::f32, shape);
    std::copy(values.begin(), values.end(), tensor.data<float>());
    return tensor;
  }
  // After all variables have been initialised.
  Floats value(const Input& tensor) {
    Node& init = global_variables_initializer();
    const Output read = as_tensor(tensor);
    Session session;
    session.run(init);
    const Tensor result = session.run(read);
    return {result.data<float>(), result.data<float>() + result.element_count()};
  }

  std::shared_ptr<Graph> graph = make_graph();
  AsDefault in_graph{graph};
  ScratchDirectory directory;
  const std::string checkpoint = directory / "model";
  const std::string old_words = directory / "old.txt", new_words = directory / "new.txt";
};

TEST_F(WarmStartApi, TakesVariablesByName) {
  const Variable v = get_variable("v", {2});
  const Variable w = get_variable("w", {2});
  train::warm_start(checkpoint, {.var_name_to_prev_var_name = {{"w", "v"}}});
  EXPECT_EQ(value(v), (Floats{1, 2}));
  EXPECT_EQ(value(w), (Floats{1, 2}));
  EXPECT_EQ(v.initializer().name(), "Assign");
  EXPECT_NE(graph->find("checkpoint_initializer"), nullptr);
}

TEST_F(WarmStartApi, TakesTheVariablesThatAreAskedFor) {
  const auto ones = [] { return GetVariableOptions{.initializer = ones_initializer()}; };
  const Variable v = get_variable("v", {2}, ones());
  const Variable w = get_variable("w", {2}, ones());
  train::warm_start(checkpoint, {.vars_to_warm_start = std::vector<Variable>{v}});
  train::warm_start(checkpoint, {.vars_to_warm_start = std::vector<std::string>{"v"}});
  train::warm_start(checkpoint, {.vars_to_warm_start = std::monostate()});
  train::warm_start(checkpoint, {.vars_to_warm_start = "v"});
  EXPECT_EQ(value(v), (Floats{1, 2}));
  EXPECT_EQ(value(w), (Floats{1, 1}));
}

TEST_F(WarmStartApi, FindsRowsByTheirWords) {
  const Variable m = get_variable("m", {4, 2});
  train::warm_start(
      checkpoint,
      {.var_name_to_vocab_info = {{"m",
                                   {.new_vocab = new_words,
                                    .new_vocab_size = 3,
                                    .num_oov_buckets = 1,
                                    .old_vocab = old_words,
                                    .backup_initializer =
                                        [](const ShapeInput& shape) { return ones(shape); }}}},
       .var_name_to_prev_var_name = {{"m", "old/m"}}});
  EXPECT_EQ(value(m), (Floats{3, 4, 1, 1, 1, 2, 1, 1}));
}

TEST_F(WarmStartApi, FindsVariablesOfObjects) {
  tensorflow::TrackableObjectGraph objects;
  auto& attribute = *objects.add_nodes()->add_attributes();
  attribute.set_full_name("v");
  attribute.set_checkpoint_key("model/v/.ATTRIBUTES/VARIABLE_VALUE");
  BundleWriter writer(directory / "objects");
  writer.add("_CHECKPOINTABLE_OBJECT_GRAPH", Tensor::scalar(objects.SerializeAsString()));
  writer.add(attribute.checkpoint_key(), Tensor::vector<float>({5, 6}));
  writer.finish();
  const Variable v = get_variable("v", {2});
  train::warm_start(directory / "objects");
  EXPECT_EQ(value(v), (Floats{5, 6}));
  get_variable("w", {2});
  EXPECT_NE(error_of([&] { train::warm_start(directory / "objects"); })
                .find("did not contain values for all variables. The following variables were "
                      "missing: w"),
            std::string::npos);
}

TEST_F(WarmStartApi, RefusesNamesThatBelongToNoVariable) {
  get_variable("v", {2});
  const std::string error = error_of([&] {
    train::warm_start(checkpoint, {.var_name_to_prev_var_name = {{"typo", "v"}}});
  });
  EXPECT_NE(error.find("var_name_to_prev_var_name that were not used: typo"), std::string::npos);
}

TEST_F(WarmStartApi, EmbeddingsOfParts) {
  GetVariableOptions options{.initializer = train::load_embedding_initializer(
                                 checkpoint, "old/m", 3, 2, old_words, new_words,
                                 {.initializer = [](const ShapeInput& s) { return zeros(s); }}),
                             .partitioner = fixed_size_partitioner(2)};
  options.shape = PartialShape{3, 2};
  const AnyVariable m = get_any_variable("m", options);
  const auto whole = std::get<PartitionedVariableRef>(m);
  EXPECT_EQ(value(whole->as_tensor()), (Floats{3, 4, 0, 0, 1, 2}));
}

TEST_F(WarmStartApi, RefusesMatricesThatDoNotFit) {
  const auto remap = [&](const train::RemapOptions& options) {
    return error_of([&] {
      train::load_and_remap_matrix(
          checkpoint, "old/m", 0, 3, 2, [](const ShapeInput& s) { return zeros(s); }, options);
    });
  };
  EXPECT_NE(remap({}).find("Must provide either row or column vocab files"), std::string::npos);
  EXPECT_NE(remap({.old_row_vocab_file = old_words}).find("must both be specified"),
            std::string::npos);
  EXPECT_NE(remap({.num_col_oov_buckets = -1}).find("must be >= 0, but received -1"),
            std::string::npos);
}

TEST_F(WarmStartApi, AssignsFromCheckpointsAndValues) {
  const Variable v = get_variable("v", {2});
  const Variable m = get_variable("m", {2, 3});
  const train::NamedToSave wanted{{"v", {v}}, {"old/m", {m}}, {"absent", {m}}};
  EXPECT_NE(error_of([&] {
              contrib::framework::assign_from_checkpoint(checkpoint, wanted);
            }).find("Checkpoint is missing variable [absent]"),
            std::string::npos);
  const auto fed = contrib::framework::assign_from_checkpoint(checkpoint, wanted, true);
  const auto values =
      contrib::framework::assign_from_values_fn({{"v", Tensor::vector<float>({7, 8})}});
  const auto restore = contrib::framework::assign_from_checkpoint_fn(
      checkpoint, {{"v", {v}}, {"absent", {m}}}, {.ignore_missing_vars = true});
  const Output read = m.value();
  Session session;
  fed.run(session);
  EXPECT_EQ(session.run(read).data<float>()[5], 6);
  values(session);
  EXPECT_EQ(session.run(v.snapshot()).data<float>()[1], 8);
  restore(session);
  EXPECT_EQ(session.run(v.snapshot()).data<float>()[1], 2);
}

TEST_F(WarmStartApi, ChoosesVariables) {
  const Variable a = get_variable("a/v", {2}), b = get_variable("b/v", {2});
  using contrib::framework::filter_variables;
  EXPECT_EQ(contrib::framework::get_variables_to_restore({{"a"}}), std::vector{a});
  EXPECT_EQ(contrib::framework::get_variables_to_restore({}, {"a"}), std::vector{b});
  EXPECT_EQ(filter_variables({a, b}, {.include_patterns = {{"v"}}, .exclude_patterns = {"a/"}}),
            std::vector{b});
  EXPECT_TRUE(filter_variables({a, b}, {.include_patterns = {{"v"}}, .reg_search = false}).empty());
}

TEST_F(WarmStartApi, ChoosesDevicesOneAfterTheOther) {
  const DeviceScope on(contrib::framework::VariableDeviceChooser({.num_tasks = 2}));
  EXPECT_EQ(get_variable("a", {1}).device(), "/job:ps/task:0/device:CPU:0");
}

}  // namespace
}  // namespace rill
