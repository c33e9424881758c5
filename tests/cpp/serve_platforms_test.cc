// Platforms of models that a file describes.
#include <gtest/gtest.h>

#include <future>

#include "rill/base/files.h"
#include "rill/serve/service/model_platforms.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

class ServePlatforms : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    write_file(folder_ / "platforms", text);
    return folder_ / "platforms";
  }
  static std::string platform(const std::string& name, const std::string& message,
                              const std::string& fields = "") {
    return str_cat("platform_configs { key: '", name, "' value { source_adapter_config { ",
                   "[type.googleapis.com/tensorflow.serving.", message, "] { ", fields, " } } } }");
  }
  // Asks a golden model that is loaded by the platform "tensorflow" of this file, and gives what
  // was answered instead of values.
  std::set<std::string> errors_of(const std::string& path) {
    std::set<std::string> errors;
    ModelFolder models;
    models.add("predict", "tests/golden/models/saved_models/predict/model");
    ServerCoreOptions options = core_options();
    options.platforms = model_platforms({}, path);
    const ServedModels server(models, options);
    for (const GoldenCall& call : golden_calls("predict")) {
      messages::PredictResponse response;
      std::promise<std::optional<Error>> ended;
      server.service.predict(call.request("predict"), &response, {},
                             [&](std::optional<Error> error) { ended.set_value(error); });
      const auto error = ended.get_future().get();
      if (error)
        errors.insert(error->what());
      else
        call.expect(response);
    }
    return errors;
  }
  ScratchDirectory folder_;
};

TEST_F(ServePlatforms, without_a_file_there_is_tensorflow) {
  EXPECT_TRUE(errors_of("").empty());
  EXPECT_EQ(model_platforms({}, "").size(), 1u);
}

TEST_F(ServePlatforms, models_as_the_file_says) {
  const std::string plain = file(platform("tensorflow", "SavedModelBundleSourceAdapterConfig"));
  EXPECT_TRUE(errors_of(plain).empty());
  const std::string older =
      file(platform("tensorflow", "SessionBundleSourceAdapterConfig",
                    "config { saved_model_tags: 'serve' enable_model_warmup: true "
                    "session_config { intra_op_parallelism_threads: 1 } }"));
  EXPECT_TRUE(errors_of(older).empty());
  // One of its outputs is a scalar, which batches cannot share.
  const std::string batching =
      file(platform("tensorflow", "SavedModelBundleSourceAdapterConfig",
                    "legacy_config { batching_parameters { max_batch_size { value: 8 } "
                    "num_batch_threads { value: 1 } } prefer_tflite_model: true }"));
  EXPECT_EQ(errors_of(batching),
            std::set<std::string>{"FailedPrecondition: Batched output tensor has 0 dimensions"});
}

TEST_F(ServePlatforms, what_the_file_says_holds) {
  EXPECT_NE(error_of([&] {
              errors_of(file(platform("tensorflow", "SavedModelBundleSourceAdapterConfig",
                                      "legacy_config { saved_model_tags: 'other' }")));
            }).find("other"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              model_platforms({}, file(platform("tensorflow", "SavedModelBundleSourceAdapterConfig",
                                                "legacy_config { batching_parameters { "
                                                "max_batch_size { value: -1 } } }")));
            }).find("max_batch_size must be positive"),
            std::string::npos);
}

TEST_F(ServePlatforms, several_in_one_file) {
  const auto platforms =
      model_platforms({}, file(platform("tensorflow", "SavedModelBundleSourceAdapterConfig") +
                               platform("tables", "HashmapSourceAdapterConfig")));
  EXPECT_EQ(platforms.size(), 2u);
  EXPECT_NE(error_of([&] { model_platforms({}, file(platform("x", "ModelSpec"))); })
                .find("No source adapter is registered for tensorflow.serving.ModelSpec of "
                      "platform x"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              model_platforms({}, file("platform_configs { key: 'x' valu }"));
            }).find("line 1, column "),
            std::string::npos);
}

}  // namespace
}  // namespace rill::serve
