// HandleReloadConfigRequest: what is refused, what is waited for, what is told.
#include <gtest/gtest.h>

#include <future>

#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

class ServeReload : public testing::Test {
 protected:
  ServeReload() { models_.add("predict", "tests/golden/models/saved_models/predict/model"); }

  // The answer, and the error beside it, which say the same.
  std::string reload(const messages::ModelServerConfig& config, const RequestLimits& limits = {}) {
    messages::ReloadConfigRequest request;
    *request.mutable_config() = config;
    messages::ReloadConfigResponse response;
    std::promise<std::optional<Error>> ended;
    server().service.reload_config(request, &response, limits,
                                   [&](std::optional<Error> error) { ended.set_value(error); });
    const auto error = ended.get_future().get();
    EXPECT_EQ(response.status().error_code(), error ? static_cast<int>(error->code()) : 0);
    EXPECT_EQ(response.status().error_message(), error ? error->message() : "");
    return error ? error->what() : "";
  }
  ServedModels& server() {
    if (!server_) server_ = std::make_unique<ServedModels>(models_);
    return *server_;
  }
  bool serves(const std::string& name) {
    messages::ModelSpec spec;
    spec.set_name(name);
    return error_of([&] { server().core.find(spec); }).empty();
  }

  ModelFolder models_;
  std::unique_ptr<ServedModels> server_;
};

TEST_F(ServeReload, models_are_added_and_waited_for) {
  server();
  models_.add("texts", "tests/golden/models/saved_models/texts/model");
  EXPECT_EQ(reload(models_.config()), "");
  EXPECT_TRUE(serves("texts"));
  EXPECT_TRUE(serves("predict"));
}

TEST_F(ServeReload, only_lists_of_models) {
  EXPECT_EQ(reload(messages::ModelServerConfig()),
            "InvalidArgument: ServerModelConfig type not supported by HandleReloadConfigRequest. "
            "Only ModelConfigList is currently supported");
  EXPECT_TRUE(serves("predict"));
}

TEST_F(ServeReload, what_fails_is_named_and_the_rest_serves) {
  server();
  models_.add("broken", "tests/golden/models/saved_models/predict/model/variables");
  const std::string error = reload(models_.config());
  EXPECT_EQ(error.find("Unknown: 1 model(s) did not become available: {{name: broken version: 1} "
                       "due to error: "),
            0u)
      << error;
  EXPECT_TRUE(serves("predict"));
}

TEST_F(ServeReload, a_directory_that_is_not_there_is_told_and_nothing_changes) {
  server();
  const auto before = server().core.config();
  auto elsewhere = models_.config();
  elsewhere.mutable_model_config_list()->mutable_config(0)->set_base_path(models_.path("nowhere"));
  for (const auto& config : {single_model("other", models_.path("nowhere")), elsewhere}) {
    const std::string error = reload(config);
    EXPECT_EQ(error.find(str_cat("NotFound: Could not find base path ", models_.path("nowhere"),
                                 " for servable ")),
              0u)
        << error;
    EXPECT_TRUE(serves("predict"));
    EXPECT_EQ(server().core.config().DebugString(), before.DebugString());
  }
}

TEST_F(ServeReload, waiting_ends_with_the_deadline) {
  auto config = models_.config();
  make_directories(models_.path("empty"));
  *config.mutable_model_config_list()->add_config() =
      single_model("empty", models_.path("empty")).model_config_list().config(0);
  RequestLimits limits;
  limits.is_gone = [] { return true; };
  EXPECT_EQ(reload(config, limits), "Cancelled: The client is gone");
  EXPECT_TRUE(serves("predict"));
}

}  // namespace
}  // namespace rill::serve
