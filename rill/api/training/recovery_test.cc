// What training goes on from when the machine stopped while it saved, when files were damaged, and
// when disks fail.
#include <gtest/gtest.h>

#include "rill/api/core/default_graph.h"
#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_directory.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/saver/saver.h"
#include "rill/api/training/session_manager.h"
#include "rill/api/variables/variable.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/file_testing.h"
#include "rill/base/postponed_syncs.h"
#include "rill/base/simulated_disk.h"
#include "rill/io/checkpoint_damage.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saver.pb.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"

namespace rill::train {
namespace {

const std::string kDiskFolder = "apicrash://run";

SimulatedDisk& api_disk() { return SimulatedDisk::at("apicrash"); }

Tensor numbers(float value) {
  Tensor all(DType::f32, {300});
  std::fill_n(all.data<float>(), 300, value);
  return all;
}

// A model whose variables have the number of the save.
class Model {
 public:
  explicit Model(const SaverOptions& options = {}, bool saves_in_background = false)
      : saves_in_background_(saves_in_background) {
    for (const char* name : {"a", "b"}) {
      variables_.push_back(Variable(numbers(0), {.name = name}));
      more_.push_back(&variables_.back().assign_add_op(numbers(1)));
    }
    saver = std::make_shared<Saver>(options);
    init = &global_variables_initializer();
    session.emplace();
    session->run(*init);
  }
  void learn() {
    for (Node* node : more_) session->run(*node);
  }
  void save(const std::string& directory, int step) {
    learn();
    std::optional<SavesInBackground> in_background;
    if (saves_in_background_) in_background.emplace();
    saver->save(*session, directory + "/model", {.global_step = step});
  }
  std::shared_ptr<Saver> saver;
  Node* init = nullptr;
  std::optional<Session> session;

 private:
  const bool saves_in_background_;
  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault in_graph_{graph_};
  std::vector<Variable> variables_;
  std::vector<Node*> more_;
};

// Which save a checkpoint is of; throws when it cannot be read.
int save_in(const std::string& prefix) {
  const auto reader = load_checkpoint(prefix);
  const float value = reader->read("a").data<float>()[299];
  for (const char* name : {"a", "b"})
    for (const float each : reader->read(name).flat<float>()) EXPECT_EQ(each, value) << prefix;
  return static_cast<int>(value);
}

// What a restart goes on from; 0 to begin anew.
int restart(const std::string& directory, std::string* named = nullptr) {
  auto state = recover_checkpoint_state(directory);
  if (!state) return 0;
  if (named != nullptr) *named = state->model_checkpoint_path();
  int found = 0;
  (void)restore_newest(*state, [&](const std::string& path) { found = save_in(path); });
  return found;
}

struct WayToSave {
  const char* name;
  SaverOptions options;
  bool in_background = false;
  bool is_long = false;
};
void PrintTo(const WayToSave& way, std::ostream* out) { *out << way.name; }

class Restart : public testing::TestWithParam<WayToSave> {
 protected:
  Restart() { set_durable_files(true); }

  // Saves 1, 2, ... on an empty disk; where in the log each was on the disk, with what was left to
  // the background.
  static std::vector<std::size_t> save_all(Model& model, int saves) {
    api_disk().format();
    make_durable_directories(kDiskFolder);
    std::vector<std::size_t> ends{api_disk().log()->size()};
    for (int step = 1; step <= saves; ++step) {
      model.save(kDiskFolder, step);
      finish_saves(kDiskFolder);
      ends.push_back(api_disk().log()->size());
    }
    return ends;
  }

  static std::string error_of_save(Model& model, int step) {
    return error_of([&] {
      model.save(kDiskFolder, step);
      finish_saves(kDiskFolder);
    });
  }

  int cut_everywhere(int saves, std::uint64_t seeds) {
    Model model(GetParam().options, GetParam().in_background);
    const auto ends = save_all(model, saves);
    const auto log = api_disk().log();
    int states = 0;
    for (std::size_t cut = ends[0]; cut <= log->size(); ++cut)
      for (const AfterCrash what : kEveryCrash)
        for (std::uint64_t seed = 0; seed < seeds; ++seed, ++states) {
          api_disk().start_after(*log, cut, what, seed);
          const int over =
              static_cast<int>(std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin() - 1);
          check(over, str_cat("cut at ", cut, ", disk ", static_cast<int>(what), ", seed ", seed));
          if (HasFatalFailure()) return states;
        }
    return states;
  }

  static void check(int over, const std::string& where) {
    std::string named;
    const int found = restart(kDiskFolder, &named);
    ASSERT_TRUE(found == over || found == over + 1) << where << ": " << found << " for " << over;
    if (named.empty()) return;
    ASSERT_EQ(checkpoint_damage(named), "") << where;
    ASSERT_EQ(get_checkpoint_state(kDiskFolder)->model_checkpoint_path(), named) << where;
    ASSERT_GT(read_meta_graph_file(meta_graph_filename(named)).graph_def().node_size(), 3) << where;
  }
};

TEST_P(Restart, after_a_crash_at_every_operation) {
  const int states = GetParam().is_long ? cut_everywhere(12, 40) : cut_everywhere(4, 2);
  RecordProperty("states", states);
  EXPECT_GT(states, GetParam().is_long ? 10000 : 400);
}

TEST_P(Restart, after_a_disk_that_failed_at_any_operation) {
  int failed = 0;
  for (const Code code : {Code::kResourceExhausted, Code::kUnknown, Code::kAborted})
    for (const bool stays : {false, true})
      for (std::size_t operation = 0;; operation += 3) {
        Model model(GetParam().options, GetParam().in_background);
        save_all(model, 2);
        api_disk().fail_at(operation, code, stays);
        const std::string error = error_of_save(model, 3);
        const bool is_over = !api_disk().has_failed();
        api_disk().repair();
        const int found = restart(kDiskFolder);
        ASSERT_TRUE(found == 3 || (found == 2 && !error.empty())) << operation << " " << error;
        failed += !error.empty();
        EXPECT_TRUE(error.empty() || error.find("the disk fails") != std::string::npos) << error;
        model.save(kDiskFolder, 4);  // training goes on
        ASSERT_EQ(restart(kDiskFolder), 4);
        if (is_over) break;
      }
  EXPECT_GT(failed, 5);
}

TEST_P(Restart, after_a_disk_that_vanished_at_any_operation) {
  int failed = 0;
  for (std::size_t operation = 0;; operation += 3) {
    Model model(GetParam().options, GetParam().in_background);
    save_all(model, 2);
    api_disk().vanish_at(operation);
    const std::string error = error_of_save(model, 3);
    const bool is_over = !api_disk().has_failed();
    api_disk().repair();
    const int found = restart(kDiskFolder);
    ASSERT_TRUE(found == 3 || (found == 2 && !error.empty())) << operation << " " << error;
    failed += !error.empty();
    model.save(kDiskFolder, 4);  // training goes on
    ASSERT_EQ(restart(kDiskFolder), 4);
    if (is_over) break;
  }
  EXPECT_GT(failed, 2);
}

std::vector<WayToSave> ways_to_save() {
  std::vector<WayToSave> all = {
      {"plain", {.max_to_keep = 2}},
      {"sharded", {.sharded = true, .max_to_keep = 1}},
      {"first_format", {.max_to_keep = 2, .write_version = tensorflow::SaverDef::V1}},
      {"in_background", {.max_to_keep = 2}, true},
      {"shards_in_background", {.sharded = true, .max_to_keep = 1}, true}};
  for (WayToSave way : std::vector(all)) {
    way.is_long = true;
    all.push_back(way);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Restart, testing::ValuesIn(ways_to_save()), [](const auto& info) {
  return str_cat(info.param.name, info.param.is_long ? "_long" : "");
});

// --- saves in the background
// -----------------------------------------------------------------------

class Background : public testing::Test {
 protected:
  Background() {
    set_durable_files(true);
    api_disk().format();
    make_durable_directories(kDiskFolder);
  }
  using Kind = SimulatedDisk::Operation::Kind;
  // How many such operations of the disk there were.
  static std::ptrdiff_t count(Kind kind) {
    const auto log = api_disk().log();
    return std::count_if(log->begin(), log->end(),
                         [&](const auto& done) { return done.kind == kind; });
  }
};

TEST_F(Background, syncs_cover_the_files_of_one_checkpoint) {
  {
    const PostponedSyncs postponed(kDiskFolder + "/model-7");
    EXPECT_TRUE(PostponedSyncs::covers(kDiskFolder + "/model-7.index"));
    EXPECT_TRUE(PostponedSyncs::covers(kDiskFolder));
    EXPECT_FALSE(PostponedSyncs::covers(kDiskFolder + "/checkpoint"));
  }
  EXPECT_FALSE(PostponedSyncs::covers(kDiskFolder));
}

TEST_F(Background, who_asks_for_the_newest_waits_for_its_syncs) {
  Model model({.max_to_keep = 1}, /*saves_in_background=*/true);
  const auto before = count(Kind::sync_bytes);
  model.save(kDiskFolder, 1);
  EXPECT_EQ(latest_checkpoint(kDiskFolder), kDiskFolder + "/model-1");  // waits for it
  EXPECT_EQ(count(Kind::sync_bytes) - before, 4);  // of data, index, meta graph and state
  model.save(kDiskFolder, 2);
  finish_saves(kDiskFolder);
  EXPECT_FALSE(checkpoint_exists(kDiskFolder + "/model-1"));
  // Nothing new: it replaces a checkpoint, so all is over when it returns.
  const auto earlier = count(Kind::sync_names);
  model.save(kDiskFolder, 2);
  EXPECT_GT(count(Kind::sync_names), earlier + 3);
}

TEST_F(Background, can_be_switched_off) {
  set_background_saves(false);
  Model model({}, /*saves_in_background=*/true);
  model.save(kDiskFolder, 1);
  const auto log = api_disk().log();
  set_background_saves(true);
  api_disk().start_after(*log, log->size(), AfterCrash::nothing, 0);
  EXPECT_EQ(restart(kDiskFolder), 1);
}

TEST_F(Background, errors_are_told_by_the_next_save_and_the_checkpoint_is_forgotten) {
  Model model({}, /*saves_in_background=*/true);
  model.save(kDiskFolder, 1);
  finish_saves(kDiskFolder);
  const auto log = api_disk().log();
  // The first sync of the second save: as many operations before it as there are without syncs.
  std::size_t operation = 0;
  std::string error;
  for (; error.empty() && operation < 100; ++operation) {
    api_disk().start_after(*log, log->size(), AfterCrash::everything, 0);
    api_disk().fail_at(operation, Code::kUnknown, /*stays=*/false);
    const std::string at_once = error_of([&] { model.save(kDiskFolder, 2); });
    if (at_once.empty()) error = error_of([&] { model.save(kDiskFolder, 3); });
    api_disk().repair();
  }
  EXPECT_NE(error.find("the disk fails"), std::string::npos);
  for (const std::string& path : model.saver->last_checkpoints())
    EXPECT_NE(path, kDiskFolder + "/model-2");
  model.save(kDiskFolder, 4);
  EXPECT_EQ(latest_checkpoint(kDiskFolder), kDiskFolder + "/model-4");
}

// --- damaged files -------------------------------------------------------------------------------

class Damaged : public testing::Test {
 protected:
  Damaged() {
    for (int step = 1; step <= 3; ++step) model_.save(directory_.path(), step);
  }
  ~Damaged() override { set_checkpoint_recovery(true); }

  std::string at(const std::string& name) const { return directory_ / name; }
  void cut(const std::string& name, std::size_t bytes) {
    write_file(at(name), read_file(at(name)).substr(0, bytes));
  }
  int restart_here() { return restart(directory_.path()); }

  ScratchDirectory directory_;
  Model model_;
};

TEST_F(Damaged, state_files_cut_anywhere) {
  const std::string state = read_file(at("checkpoint"));
  for (std::size_t bytes = 0; bytes <= state.size(); ++bytes) {
    cut("checkpoint", bytes);
    ASSERT_EQ(restart_here(), 3) << bytes;
    ASSERT_EQ(latest_checkpoint(directory_.path()), at("model-3")) << bytes;
    write_file(at("checkpoint"), state);
  }
  write_file(at("checkpoint"), std::string(state.size(), '\0'));
  EXPECT_EQ(restart_here(), 3);
  file_system_of(at("checkpoint")).remove_file(at("checkpoint"));
  EXPECT_EQ(restart_here(), 0);  // that is how programs begin anew
  EXPECT_EQ(latest_checkpoint(directory_.path()), std::nullopt);
}

TEST_F(Damaged, get_checkpoint_state_is_as_ever) {
  cut("checkpoint", 20);
  EXPECT_FALSE(get_checkpoint_state(directory_.path()));
  cut("checkpoint", 0);
  EXPECT_TRUE(error_of([&] {
                (void)get_checkpoint_state(directory_.path());
              }).find("Invalid checkpoint state loaded from") != std::string::npos);
}

TEST_F(Damaged, newest_checkpoints) {
  const std::string data = "model-3.data-00000-of-00001";
  const std::string bytes = read_file(at(data)), index = read_file(at("model-3.index"));
  const auto is_second = [&](const std::string& what) {
    EXPECT_EQ(restart_here(), 2) << what;
    write_file(at(data), bytes);
    write_file(at("model-3.index"), index);
    EXPECT_EQ(restart_here(), 3) << what;
  };
  for (const std::size_t left : {std::size_t{0}, std::size_t{1}, bytes.size() - 1}) {
    cut(data, left);
    is_second(str_cat("data cut at ", left));
  }
  for (const std::size_t left : {std::size_t{0}, index.size() / 2, index.size() - 1}) {
    cut("model-3.index", left);
    is_second(str_cat("index cut at ", left));
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] ^= 1;
  write_file(at(data), flipped);
  is_second("one bit");
  file_system_of(at(data)).remove_file(at(data));
  is_second("no data");
  file_system_of(at(data)).remove_file(at("model-3.index"));
  is_second("no index");
}

TEST_F(Damaged, all_of_them) {
  for (const char* step : {"1", "2", "3"}) cut(str_cat("model-", step, ".index"), 10);
  const std::string error = error_of([&] { restart_here(); });
  EXPECT_TRUE(error.starts_with("DataLoss") && error.find("model-3.index") != std::string::npos)
      << error;
  cut("checkpoint", 10);
  EXPECT_TRUE(error_of([&] { restart_here(); }).starts_with("DataLoss"));
}

TEST_F(Damaged, can_be_refused) {
  set_checkpoint_recovery(false);
  EXPECT_EQ(restart_here(), 3);
  cut("model-3.index", 10);
  EXPECT_NE(error_of([&] { restart_here(); }).find("RILL_RECOVER=0"), std::string::npos);
  cut("checkpoint", 10);
  EXPECT_TRUE(error_of([&] { restart_here(); }).starts_with("DataLoss"));
  EXPECT_TRUE(
      error_of([&] { (void)latest_checkpoint(directory_.path()); }).starts_with("DataLoss"));
}

TEST_F(Damaged, checkpoints_of_others_are_left_alone) {
  ScratchDirectory elsewhere;
  Model other;
  for (int step = 1; step <= 9; ++step) other.learn();
  other.saver->save(*other.session, at("position"),
                    {.global_step = 9, .latest_filename = "checkpoint_input"});
  cut("checkpoint", 8);
  EXPECT_EQ(latest_checkpoint(directory_.path()), at("model-3"));
  EXPECT_EQ(latest_checkpoint(directory_.path(), "checkpoint_input"), at("position-9"));
  cut("checkpoint_input", 8);
  EXPECT_NE(latest_checkpoint(directory_.path(), "checkpoint_input"), std::nullopt);
}

TEST_F(Damaged, models_that_do_not_fit_are_not_gone_on_from) {
  const auto state = *get_checkpoint_state(directory_.path());
  const auto restore = [](const std::string&) { raise(Code::kNotFound, "Key c"); };
  EXPECT_EQ(error_of([&] { (void)restore_newest(state, restore); }), "NotFound: Key c");
}

TEST_F(Damaged, sessions_go_on_from_the_one_before) {
  cut("model-3.data-00000-of-00001", 100);
  SessionManager manager;
  PrepareSessionOptions options;
  options.saver = Restorer(model_.saver);
  options.checkpoint_dir = directory_.path();
  const auto [session, is_restored] = manager.recover_session("", options);
  EXPECT_TRUE(is_restored);
  EXPECT_EQ(model_.saver->last_checkpoints(), (std::vector{at("model-1"), at("model-2")}));
  model_.saver->save(*session, at("model"), {.global_step = 3});
  EXPECT_EQ(checkpoint_damage(at("model-3")), "");
}

// --- directories ---------------------------------------------------------------------------------

TEST_F(Damaged, directories_are_listed_repaired_and_pruned) {
  cut("model-3.index", 10);
  cut("checkpoint", 10);
  write_file(at("model-4.data-00000-of-00001.tempstate17"), "half");
  const auto found = checkpoints_in(directory_.path());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].step, 3);
  EXPECT_EQ(found[2].files.size(), 3u);

  const Repaired repaired = repair_checkpoints(directory_.path());
  EXPECT_TRUE(repaired.state_changed);
  EXPECT_EQ(repaired.newest, at("model-2"));
  EXPECT_EQ(repaired.damaged, std::vector{at("model-3")});
  EXPECT_EQ(get_checkpoint_state(directory_.path())->model_checkpoint_path(), at("model-2"));
  EXPECT_FALSE(repair_checkpoints(directory_.path()).state_changed);
  EXPECT_FALSE(file_exists(at("model-4.data-00000-of-00001.tempstate17")));

  EXPECT_EQ(prune_checkpoints(directory_.path(), {.keep = 1, .dry_run = true}).checkpoints.size(),
            2u);
  EXPECT_EQ(checkpoints_in(directory_.path()).size(), 3u);
  const Pruned pruned = prune_checkpoints(directory_.path(), {.keep = 1});
  EXPECT_EQ(pruned.checkpoints, (std::vector{at("model-3"), at("model-1")}));
  EXPECT_EQ(latest_checkpoint(directory_.path()), at("model-2"));
  cut("model-2.index", 10);
  EXPECT_TRUE(error_of([&] {
                (void)prune_checkpoints(directory_.path());
              }).starts_with("FailedPrecondition"));
  EXPECT_TRUE(
      error_of([&] { (void)repair_checkpoints(directory_.path()); }).starts_with("DataLoss"));
}

}  // namespace
}  // namespace rill::train
