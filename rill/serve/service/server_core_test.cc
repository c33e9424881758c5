#include "rill/serve/service/server_core.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/serve/config/config_file.h"
#include "rill/serve/table/lookup_table.h"

namespace rill::serve {
namespace {

using tensorflow::serving::ModelServerConfig;
using tensorflow::serving::ModelSpec;

// Look-up tables, which load quickly, stand for models of two platforms.
class ServerCores : public testing::Test {
 protected:
  ServerCores() {
    for (const char* name : {"a", "b", "c", "empty"}) make_directories(folder_ / name);
    publish("a", 1);
    publish("b", 5);
    options_.manager.max_load_retries = 0;
    for (const char* platform : {"tables", "others"})
      options_.platforms[platform] = std::make_shared<LookupTableAdapter>(0);
  }
  void publish(const std::string& name, int version, const std::string& text = "k,v") {
    write_file(folder_ / str_cat("new", version), text);
    std::filesystem::rename(folder_ / str_cat("new", version),
                            folder_ / str_cat(name, "/", version));
  }
  // "a" or "a, more fields"
  ModelServerConfig config(std::initializer_list<std::string> models) {
    std::string text;
    for (const std::string& model : models) {
      const std::string name = model.substr(0, model.find(','));
      text += str_cat("config { name: '", name, "' base_path: '", folder_ / name, "' ",
                      model.find("model_platform") == model.npos ? "model_platform: 'tables'" : "",
                      model.substr(name.size()), " }\n");
    }
    ModelServerConfig config;
    parse_text_config(str_cat("model_config_list { ", text, " }"), "test", &config);
    return config;
  }
  static ModelSpec spec(const std::string& name, std::optional<std::int64_t> version = {},
                        const std::string& label = "") {
    ModelSpec spec;
    spec.set_name(name);
    if (version) spec.mutable_version()->set_value(*version);
    if (!label.empty()) spec.set_version_label(label);
    return spec;
  }
  static bool await(const std::function<bool()>& done) {
    for (int i = 0; i < 1000; ++i) {
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  static bool serves(const ServerCore& core, const ModelSpec& wanted) {
    return error_of([&] { core.find(wanted); }).empty();
  }

  ScratchDirectory folder_;
  ServerCoreOptions options_;
};

TEST_F(ServerCores, requested_versions) {
  publish("a", 3);
  ServerCore core(options_);
  EXPECT_FALSE(core.is_ready());
  core.reload(config({"a, model_version_policy { all {} }", "b"}));
  EXPECT_TRUE(core.is_ready());
  EXPECT_TRUE(await([&] { return core.available().size() == 3; }));
  EXPECT_EQ(core.find(spec("a")).id().version, 3);
  EXPECT_EQ(core.find(spec("a", 1)).id().version, 1);
  EXPECT_EQ(error_of([&] { core.find(spec("a", 2)); }),
            "NotFound: Servable not found for request: Specific(a, 2)");
  EXPECT_EQ(error_of([&] { core.find(spec("")); }),
            "InvalidArgument: ModelSpec has no name specified.");
  EXPECT_EQ(error_of([&] { core.statuses(spec("x")); }),
            "NotFound: Could not find any versions of model x");
  EXPECT_EQ(error_of([&] { core.statuses(spec("a", 9)); }),
            "NotFound: Could not find version 9 of model a");
  EXPECT_EQ(core.statuses(spec("a")).size(), 2u);
  EXPECT_EQ(core.statuses(spec("a", 1)).at(0).state, State::kAvailable);
}

TEST_F(ServerCores, a_reload_replaces_everything) {
  ServerCore core(options_);
  core.reload(config({"a", "b"}));
  publish("c", 2);
  core.reload(config({"b", "c"}));  // waits for c
  EXPECT_TRUE(serves(core, spec("c")));
  EXPECT_TRUE(await([&] { return !serves(core, spec("a")); }));
  EXPECT_TRUE(await([&] { return core.statuses(spec("a", 1)).at(0).state == State::kEnd; }));
  EXPECT_TRUE(serves(core, spec("b")));
  core.reload(config({}));
  EXPECT_TRUE(await([&] { return core.available().empty(); }));
  EXPECT_FALSE(core.is_ready());
  core.reload(config({"a"}));  // and it comes back
  EXPECT_TRUE(serves(core, spec("a")));
}

TEST_F(ServerCores, what_is_refused_changes_nothing) {
  ServerCore core(options_);
  const ModelServerConfig good = config({"a", "b"});
  core.reload(good);
  const auto refused = [&](const ModelServerConfig& wanted) {
    const std::string error = error_of([&] { core.reload(wanted); });
    EXPECT_EQ(core.config().SerializeAsString(), good.SerializeAsString());
    EXPECT_EQ(core.available().size(), 2u);
    EXPECT_FALSE(serves(core, spec("c")));
    return error;
  };
  publish("c", 1);
  EXPECT_NE(refused(config({"c", "c"})).find("multiple times"), std::string::npos);
  EXPECT_NE(refused(config({"c", "a, model_platform: 'nobody'"})).find("nobody"),
            std::string::npos);
  EXPECT_EQ(refused(config({"c", "a, model_platform: 'others'"})),
            "FailedPrecondition: Illegal to change a model's platform. For model a platform was "
            "tables and new platform requested is others");
  EXPECT_EQ(refused(config({"c", "a, version_labels { key: 'x' value: 2 }"})),
            "FailedPrecondition: Request to assign label to version 2 of model a, which is not "
            "currently available for inference");
  EXPECT_NE(refused(ModelServerConfig()).find("FailedPrecondition: Cannot transition"),
            std::string::npos);
  ModelServerConfig custom;
  custom.mutable_custom_model_config();
  EXPECT_NE(refused(custom).find("FailedPrecondition: Cannot transition"), std::string::npos);
}

TEST_F(ServerCores, new_models_that_fail_are_named_and_others_serve) {
  ServerCore core(options_);
  core.reload(config({"a"}));
  publish("c", 4, "no table");
  const std::string error = error_of([&] { core.reload(config({"a", "b", "c"})); });
  EXPECT_EQ(error.find("Unknown: 1 model(s) did not become available: {{name: c version: 4} due "
                       "to error: InvalidArgument: Unexpected format: line 1 of "),
            0u)
      << error;
  EXPECT_EQ(error.substr(error.size() - 3), "}, ");
  EXPECT_TRUE(serves(core, spec("a")));
  EXPECT_TRUE(serves(core, spec("b")));
  EXPECT_EQ(core.statuses(spec("c")).at(0).state, State::kEnd);
  EXPECT_FALSE(core.is_ready());
  publish("c", 5);  // what was wrong is made good
  EXPECT_TRUE(await([&] { return core.is_ready(); }));
  EXPECT_EQ(core.statuses(spec("c")).size(), 2u);
}

TEST_F(ServerCores, a_broken_version_leaves_the_old_one) {
  ServerCore core(options_);
  core.reload(config({"a"}));
  publish("a", 2, "no table");
  EXPECT_TRUE(await([&] {
    const auto all = core.statuses(spec("a"));
    return all.size() == 2 && all[0].state == State::kEnd;
  }));
  EXPECT_EQ(core.find(spec("a")).id().version, 1);
  publish("a", 3);
  EXPECT_TRUE(await([&] { return core.find(spec("a")).id().version == 3; }));
  EXPECT_TRUE(await([&] { return !serves(core, spec("a", 1)); }));
}

TEST_F(ServerCores, labels) {
  publish("a", 2);
  ServerCore core(options_);
  const std::string all = "a, model_version_policy { all {} }";
  const auto with = [&](const std::string& labels) { return config({all + labels}); };
  const std::string first = " version_labels { key: 'stable' value: 1 }";
  // At the start nothing is available yet.
  EXPECT_NE(error_of([&] { core.reload(with(first)); }).find("not currently available"),
            std::string::npos);
  core.reload(with(""));
  EXPECT_TRUE(await([&] { return core.available().size() == 2; }));
  core.reload(with(first));
  EXPECT_EQ(core.find(spec("a", {}, "stable")).id().version, 1);
  EXPECT_EQ(core.statuses(spec("a", {}, "stable")).at(0).version, 1);
  EXPECT_EQ(error_of([&] { core.find(spec("a", {}, "x")); }),
            "InvalidArgument: Unrecognized servable version label: x");
  EXPECT_EQ(error_of([&] { core.find(spec("b", {}, "stable")); }),
            "InvalidArgument: Unrecognized servable version label: stable");
  core.reload(with(" version_labels { key: 'stable' value: 2 }"));
  EXPECT_EQ(core.find(spec("a", {}, "stable")).id().version, 2);
  core.reload(with(""));
  EXPECT_FALSE(serves(core, spec("a", {}, "stable")));
}

TEST_F(ServerCores, labels_for_versions_that_are_not_there_yet) {
  options_.allow_labels_for_unavailable = true;
  ServerCore core(options_);
  core.reload(config({"a, version_labels { key: 'next' value: 7 }"}));
  EXPECT_EQ(error_of([&] { core.find(spec("a", {}, "next")); }),
            "NotFound: Servable not found for request: Specific(a, 7)");
  core.reload(config({"a, version_labels { key: 'next' value: 7 }"}));  // unchanged
  EXPECT_NE(error_of([&] {
              core.reload(config({"a, version_labels { key: 'next' value: 8 }"}));  // in use
            }).find("version 8 of model a, which is not currently available"),
            std::string::npos);
  core.reload(config({"a, version_labels { key: 'next' value: 1 }"}));  // available
  publish("a", 7);
  EXPECT_TRUE(await([&] { return serves(core, spec("a", 7)); }));
}

TEST_F(ServerCores, a_model_without_versions_does_not_block_others) {
  ServerCore core(options_);
  core.reload(config({"a"}));
  std::string replaced;
  std::thread waits([&] { replaced = error_of([&] { core.reload(config({"a", "empty"})); }); });
  EXPECT_TRUE(await([&] { return core.config().model_config_list().config_size() == 2; }));
  core.reload(config({"a", "b"}));
  waits.join();
  EXPECT_EQ(replaced, "Aborted: Another configuration came before every new model was available");
  bool asked = false;
  core.reload(config({"empty"}), [&] { return asked = true; });
  EXPECT_TRUE(asked);
  std::thread last([&] { core.reload(config({"empty", "c"})); });
  EXPECT_TRUE(await([&] { return core.config().model_config_list().config_size() == 2; }));
  core.stop();
  last.join();
}

TEST_F(ServerCores, many_reloads_at_once) {
  publish("c", 1);
  ServerCore core(options_);
  core.reload(config({"a"}));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        const auto wanted = i % 2 == 0 ? config({"a", "b"}) : config({"a", "c"});
        const std::string error = error_of([&] { core.reload(wanted); });
        if (!error.empty() && error.find("Aborted") == error.npos) ++failures;
        if (!serves(core, spec("a"))) ++failures;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  core.reload(config({"a", "b", "c"}));
  EXPECT_EQ(core.available().size(), 3u);
}

}  // namespace
}  // namespace rill::serve
