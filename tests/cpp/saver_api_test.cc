#include <gtest/gtest.h>

#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/messages.h"
#include "rill/rill.h"

namespace rill {
namespace {

class SaverApi : public testing::Test {
 protected:
  std::shared_ptr<Graph> graph = make_graph();
  AsDefault in_graph{graph};
  ScratchDirectory directory;
  std::string path(const std::string& name) { return directory / name; }

  Variable named(const std::string& name, const Input& value) {
    return Variable(value, {.name = name});
  }
};

float scalar(const Tensor& tensor) { return *tensor.data<float>(); }

TEST_F(SaverApi, SavesAndRestores) {
  const Variable v = named("v", 3.0f);
  Node& init = global_variables_initializer();
  Node& change = v.assign_op(7.0f);
  train::Saver saver;
  EXPECT_EQ(saver.saver_def()->save_tensor_name(), "save/control_dependency:0");
  Session session;
  session.run(init);
  EXPECT_EQ(saver.save(session, path("m"), {.global_step = 5}), path("m-5"));
  session.run(change);
  saver.restore(session, *train::latest_checkpoint(directory.path()));
  EXPECT_EQ(scalar(session.run(v.snapshot())), 3.0f);
  EXPECT_EQ(scalar(train::load_variable(directory.path(), "v")), 3.0f);
}

TEST_F(SaverApi, DeletesOldCheckpoints) {
  named("v", 3.0f);
  Node& init = global_variables_initializer();
  train::Saver saver({.max_to_keep = 1});
  Session session;
  session.run(init);
  for (int step = 0; step < 3; ++step) saver.save(session, path("m"), {.global_step = step});
  EXPECT_EQ(saver.last_checkpoints(), std::vector<std::string>{path("m-2")});
  EXPECT_FALSE(train::checkpoint_exists(path("m-1")));
}

TEST_F(SaverApi, WaitsForTheNextCheckpoint) {
  const train::WaitOptions soon{.seconds_to_sleep = 0.01, .timeout = 0.05};
  EXPECT_FALSE(train::wait_for_new_checkpoint(directory.path(), "", soon));
  const Variable v = named("v", 3.0f);
  train::Saver saver;
  Session session;
  session.run(v.initializer());
  saver.save(session, path("m"));
  EXPECT_EQ(train::wait_for_new_checkpoint(directory.path(), "", soon), path("m"));
  EXPECT_FALSE(train::wait_for_new_checkpoint(directory.path(), path("m"), soon));
}

TEST_F(SaverApi, SaysWhatWentWrong) {
  EXPECT_THROW(train::Saver(), Error);  // nothing to save
  const Variable v = named("v", 3.0f);
  train::Saver saver;
  Session session;
  EXPECT_THROW(saver.restore(session, path("none")), Error);
  session.run(v.initializer());
  saver.save(session, path("m"));
  const Variable w = named("w", 1.0f);
  train::Saver other(std::vector<train::ToSave>{w});
  try {
    other.restore(session, path("m"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_NE(error.message().find("Restoring from checkpoint failed"), std::string::npos);
  }
}

TEST_F(SaverApi, MetaGraphsRoundTrip) {
  const Output x = placeholder(DType::f32, {}, {.name = "x"});
  const Variable v = named("v", 3.0f);
  raw::Mul(x, v, {.name = "y"});
  add_to_collection("numbers", std::int64_t{4});
  train::Saver saver;
  Node& init = global_variables_initializer();
  {
    Session session;
    session.run(init);
    saver.save(session, path("m"));
  }
  const std::shared_ptr<Graph> again = make_graph();
  const AsDefault in_again(again);
  const std::shared_ptr<train::Saver> restorer = train::import_meta_graph(path("m.meta"));
  Session session;
  restorer->restore(session, path("m"));
  EXPECT_EQ(scalar(session.run({{"x:0", Tensor::scalar(2.0f)}}, {"y:0"}).at(0)), 6.0f);
  EXPECT_EQ(global_variables().size(), 1u);
  EXPECT_EQ(std::get<std::int64_t>(get_collection("numbers").at(0)), 4);
}

TEST_F(SaverApi, ModelsAnswer) {
  const Output x = placeholder(DType::f32, {}, {.name = "x"});
  const Variable v = named("v", 3.0f);
  const Output y = raw::Mul(x, v, {.name = "y"});
  Node& init = global_variables_initializer();
  {
    Session session;
    session.run(init);
    saved_model::simple_save(session, path("model"), {{"x", x}}, {{"y", y}});
  }
  EXPECT_TRUE(saved_model::contains_saved_model(path("model")));
  saved_model::Bundle bundle = saved_model::load(path("model"));
  EXPECT_EQ(scalar(bundle.run({{"x", Tensor::scalar(2.0f)}}).at("y")), 6.0f);
  EXPECT_THROW(bundle.run({}), Error);
  EXPECT_THROW(bundle.run({{"z", Tensor::scalar(2.0f)}}), Error);
  EXPECT_THROW(saved_model::load(path("model"), {"train"}), Error);
  EXPECT_THROW(saved_model::Builder(path("model")), Error);
}

TEST_F(SaverApi, StartsFromACheckpoint) {
  named("old", 3.0f);
  Node& init = global_variables_initializer();
  Session session;
  session.run(init);
  train::Saver().save(session, path("m"));
  const Variable fresh = named("fresh", 0.0f);
  train::init_from_checkpoint(path("m"), {{"old", fresh}});
  session.run(fresh.initializer());
  EXPECT_EQ(scalar(session.run(fresh.snapshot())), 3.0f);
  EXPECT_THROW(train::init_from_checkpoint(path("m"), {{"none", fresh}}), Error);
}

}  // namespace
}  // namespace rill
