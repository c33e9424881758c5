// tf.train.Checkpoint, CheckpointManager and weights of models in files, as C++ programs use them.
#include <gtest/gtest.h>

#include <filesystem>

#include "rill/base/files.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/hdf5.h"
#include "rill/rill.h"

namespace tf = rill;
namespace {

std::string folder(const std::string& name) {
  const std::string path = testing::TempDir() + "objects_" + name;
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

std::vector<std::string> keys_of(const std::string& path) {
  std::vector<std::string> keys;
  const auto reader = rill::CheckpointReader::open(path);
  for (const auto& [name, tensor] : reader->tensors()) keys.push_back(name);
  return keys;
}

struct Objects : testing::Test {
  Objects() : graph(tf::make_graph()), in(graph), session(std::make_unique<tf::Session>(graph)) {}
  void initialize() {
    for (const tf::Variable& variable : tf::global_variables())
      session->run(variable.initializer());
  }
  float value(const tf::Variable& variable) {
    return session->run(variable.snapshot()).scalar_value<float>();
  }

  std::shared_ptr<tf::Graph> graph;
  tf::AsDefault in;
  std::unique_ptr<tf::Session> session;
};

TEST_F(Objects, saved_by_object_path_and_restored) {
  const tf::Variable v(1.0f, {.name = "v"}), w(2.0f, {.use_resource = true, .name = "w"});
  auto optimizer = std::make_shared<tf::train::AdamOptimizer>();
  tf::Node& train = optimizer->minimize(tf::Output(v.value() * w.value()));
  tf::train::Checkpoint checkpoint{
      {"v", v}, {"opt", optimizer}, {"list", std::vector<tf::train::TrackableInput>{w}}};
  initialize();
  session->run(train);
  const std::string path = checkpoint.save(*session, folder("places") + "/ckpt");
  EXPECT_TRUE(path.ends_with("/ckpt-1"));
  EXPECT_EQ(
      keys_of(path),
      (std::vector<std::string>{
          "_CHECKPOINTABLE_OBJECT_GRAPH", "list/0/.ATTRIBUTES/VARIABLE_VALUE",
          "list/0/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE",
          "list/0/.OPTIMIZER_SLOT/opt/v/.ATTRIBUTES/VARIABLE_VALUE",
          "opt/beta1_power/.ATTRIBUTES/VARIABLE_VALUE",
          "opt/beta2_power/.ATTRIBUTES/VARIABLE_VALUE", "save_counter/.ATTRIBUTES/VARIABLE_VALUE",
          "v/.ATTRIBUTES/VARIABLE_VALUE", "v/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE",
          "v/.OPTIMIZER_SLOT/opt/v/.ATTRIBUTES/VARIABLE_VALUE"}));
  const float before = value(v), slot = value(optimizer->get_slot(v, "m"));
  session->run(train);
  EXPECT_NE(value(v), before);
  const auto status = checkpoint.restore(path);
  status->assert_consumed().assert_nontrivial_match();
  status->run_restore_ops(*session);
  EXPECT_EQ(value(v), before);
  EXPECT_EQ(value(optimizer->get_slot(v, "m")), slot);
}

TEST_F(Objects, what_does_not_match_throws) {
  const tf::Variable v(1.0f, {.name = "v"}), w(2.0f, {.name = "w"});
  initialize();
  tf::train::Checkpoint saved{{"v", v}}, other{{"w", w}};
  const std::string path = saved.save(*session, folder("mismatch") + "/c");
  EXPECT_THROW(other.restore(path)->assert_consumed(), tf::Error);
  EXPECT_THROW(other.restore(path)->assert_existing_objects_matched(), tf::Error);
  EXPECT_THROW(other.restore(std::nullopt)->assert_consumed(), tf::Error);
  EXPECT_THROW(other.restore(path + "no"), tf::Error);
  other.add("v", v);  // found though it was not there when the other was restored
  const auto status = other.restore(path);
  status->initialize_or_restore(*session);
  EXPECT_EQ(value(v), 1.0f);
}

TEST_F(Objects, savers_read_checkpoints_of_objects_and_objects_those_of_savers) {
  const tf::Variable v(1.0f, {.name = "v"});
  initialize();
  const std::string directory = folder("names");
  tf::train::Checkpoint checkpoint{{"x", v}};
  const std::string by_object = checkpoint.save(*session, directory + "/o");
  tf::train::Saver saver(std::vector<tf::train::ToSave>{v});
  const std::string by_name = saver.save(*session, directory + "/n");
  session->run(v.assign(5.0f));
  saver.restore(*session, by_object);
  EXPECT_EQ(value(v), 1.0f);
  session->run(v.assign(5.0f));
  checkpoint.restore(by_name)->assert_consumed().run_restore_ops(*session);
  EXPECT_EQ(value(v), 1.0f);
}

TEST_F(Objects, the_manager_keeps_the_newest) {
  const tf::Variable v(1.0f);
  initialize();
  tf::train::Checkpoint checkpoint{{"v", v}};
  const std::string directory = folder("manager");
  tf::train::CheckpointManager manager(checkpoint, directory, {.max_to_keep = 2});
  for (int i = 0; i < 3; ++i) manager.save(*session);
  EXPECT_EQ(manager.checkpoints(),
            (std::vector<std::string>{directory + "/ckpt-2", directory + "/ckpt-3"}));
  EXPECT_FALSE(tf::train::checkpoint_exists(directory + "/ckpt-1"));
  EXPECT_EQ(tf::train::latest_checkpoint(directory), directory + "/ckpt-3");
  EXPECT_EQ(tf::train::CheckpointManager(checkpoint, directory, {}).checkpoints().size(), 2u);
  EXPECT_THROW(tf::train::CheckpointManager(checkpoint, directory, {.max_to_keep = 0}), tf::Error);
}

TEST(Models, weights_go_to_files_of_both_kinds_and_back) {
  const auto graph = tf::make_graph();
  const tf::AsDefault in(graph);
  namespace keras = tf::keras;
  keras::Sequential model(
      {keras::layers::Dense(3, {.input_shape = {{2}}}), keras::layers::Dense(1)});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const tf::Tensor x = tf::Tensor::of<float>({2, 2}, {1, 2, 3, 4}),
                   y = tf::Tensor::of<float>({2, 1}, {1, 0});
  model.train_on_batch({{x}, {y}, {}});
  const std::vector<tf::Tensor> before = model.get_weights();
  for (const char* name : {"/w", "/w.h5"}) {
    const std::string path = folder("weights") + name;
    model.save_weights(path);
    model.train_on_batch({{x}, {y}, {}});
    EXPECT_FALSE(rill::identical(model.get_weights()[0], before[0]));
    model.load_weights(path);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(rill::identical(model.get_weights()[i], before[i])) << name;
  }
  tf::train::Checkpoint checkpoint{{"model", model}};
  const std::string path = checkpoint.write(model.session(), folder("model") + "/c");
  const std::vector<std::string> keys = keys_of(path);
  EXPECT_TRUE(std::ranges::count(keys,
                                 "model/layer_with_weights-1/kernel/.OPTIMIZER_SLOT/model/"
                                 "optimizer/v/.ATTRIBUTES/VARIABLE_VALUE"));
}

TEST(Models, of_tensorflow_2_are_loaded_with_their_objects) {
  const auto graph = tf::make_graph();
  const tf::AsDefault in(graph);
  const auto model = tf::saved_model::load_v2("tests/golden/objects/tf2_module");
  const tf::Tensor words = tf::Tensor::vector<std::string>({"c", "a", "z"});
  const auto outputs = model.call("serving_default", {{"words", words}});
  EXPECT_THROW(model.call("serving_default", {}), tf::Error);
  EXPECT_THROW(model.call("nothing", {}), tf::Error);
  tf::Session session(graph);
  session.run(tf::global_variables_initializer());
  session.run(tf::tables_initializer());
  const tf::Tensor found = session.run(outputs.at("found"));
  EXPECT_TRUE(rill::identical(found, tf::Tensor::of<float>({3, 2}, {16, 20, 0, 4, 24, 28})));
  EXPECT_EQ(model.variables().size(), 2u);
  EXPECT_THROW(tf::saved_model::load_v2("tests/golden/objects/tf2_module", {"train"}), tf::Error);
}

TEST(Hdf5, keeps_arrays_texts_and_groups) {
  const std::string path = folder("hdf5") + "/f.h5";
  {
    rill::Hdf5File file = rill::Hdf5File::create(path);
    const rill::Hdf5Group group = file.root().create_group("a/b");
    group.write("x/y", tf::Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
    group.write("n", tf::Tensor::scalar<std::int64_t>(-5));
    group.write("flags", tf::Tensor::vector<bool>({true, false}));
    group.write("none", tf::Tensor(tf::DType::f64, {0, 3}));
    group.write("half", tf::Tensor::vector<tf::half>({tf::half(1.5f)}));
    group.set_texts("names", {"one", "", "three"});
    group.set_texts("nothing", {});
    group.set_texts("many", std::vector<std::string>(5000, std::string(40, 'x')));
    file.root().set_text("long", std::string(100000, 'z'));
    file.root().set_text("short", "word");
    EXPECT_FALSE(rill::file_exists(path));
    file.close();
  }
  EXPECT_TRUE(rill::Hdf5File::is_hdf5(path));
  const rill::Hdf5File file = rill::Hdf5File::open(path);
  const rill::Hdf5Group group = file.root().group("a/b");
  EXPECT_TRUE(rill::identical(group.read("x/y"), tf::Tensor::of<float>({2, 2}, {1, 2, 3, 4})));
  EXPECT_EQ(group.read("n").scalar_value<std::int64_t>(), -5);
  EXPECT_TRUE(rill::identical(group.read("flags"), tf::Tensor::vector<bool>({true, false})));
  EXPECT_EQ(group.read("none").shape(), (tf::Shape{0, 3}));
  EXPECT_EQ(float(group.read("half").flat<tf::half>()[0]), 1.5f);
  EXPECT_EQ(group.texts("names"), (std::vector<std::string>{"one", "", "three"}));
  EXPECT_TRUE(group.texts("nothing").empty() && group.texts("no such").empty());
  EXPECT_EQ(group.texts("many").size(), 5000u);
  EXPECT_EQ(file.root().text("long")->size(), 100000u);
  EXPECT_EQ(file.root().text("short"), "word");
  EXPECT_EQ(group.names(), (std::vector<std::string>{"flags", "half", "n", "none", "x"}));
  EXPECT_THROW(group.read("x/z"), tf::Error);
  EXPECT_THROW(group.group("n"), tf::Error);
  EXPECT_THROW(rill::Hdf5File::open(path + "no"), tf::Error);
  rill::write_file(path + ".broken", rill::read_file(path).substr(0, 3000));
  EXPECT_THROW(rill::Hdf5File::open(path + ".broken").root().group("a/b").read("x/y"), tf::Error);
}

}  // namespace
