#include "rill/serve/config/model_config.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/serve/config/config_file.h"

namespace rill::serve {
namespace {

using tensorflow::serving::ModelServerConfig;

ModelServerConfig list(const std::string& models) {
  ModelServerConfig config;
  parse_text_config("model_config_list { " + models + " }", "test", &config);
  return config;
}
std::string refusal(const std::string& models) {
  return error_of([&] { checked_models(list(models)); });
}

TEST(ModelConfig, fields_of_a_model) {
  const auto models = checked_models(list(R"(
      config { name: "a" base_path: "/a" model_platform: "tensorflow" }
      config { name: "b" base_path: "gs://b" model_type: TENSORFLOW
               model_version_policy { latest { num_versions: 3 } } }
      config { name: "c" base_path: "/c" model_platform: "other" model_version_policy { all {} }
               version_labels { key: "x" value: 7 } }
      config { name: "d" base_path: "/d" model_platform: "tensorflow"
               model_version_policy { specific { versions: 4 versions: 2 } } }
      config { name: "e" base_path: "/e" model_platform: "tensorflow"
               model_version_policy { latest { num_versions: 0 } } })"));
  ASSERT_EQ(models.size(), 5u);
  EXPECT_EQ(std::get<LatestVersions>(models.at("a").watched.choice).count, 1u);
  EXPECT_EQ(models.at("b").platform, "tensorflow");
  EXPECT_EQ(std::get<LatestVersions>(models.at("b").watched.choice).count, 3u);
  EXPECT_EQ(models.at("c").platform, "other");
  EXPECT_EQ(models.at("c").labels, (Labels{{"x", 7}}));
  EXPECT_TRUE(std::holds_alternative<AllVersions>(models.at("c").watched.choice));
  EXPECT_EQ(std::get<SpecificVersions>(models.at("d").watched.choice).versions,
            (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(std::get<LatestVersions>(models.at("e").watched.choice).count, 1u);
  EXPECT_TRUE(checked_models(list("")).empty());
}

TEST(ModelConfig, errors) {
  const std::string a = R"(config { name: "a" base_path: "/a" model_platform: "tensorflow" } )";
  EXPECT_EQ(refusal(a + a),
            "InvalidArgument: Illegal to list model a multiple times in config list");
  EXPECT_EQ(refusal(R"(config { name: "a" base_path: "a/b" model_platform: "tensorflow" })"),
            "InvalidArgument: Expected model a to have an absolute path or URI; got "
            "base_path()=a/b");
  EXPECT_NE(refusal(R"(config { name: "a" base_path: "/a" })").find("Illegal setting neither"),
            std::string::npos);
  EXPECT_NE(refusal(R"(config { name: "a" base_path: "/a" model_platform: "tensorflow"
                                model_type: TENSORFLOW })")
                .find("Illegal setting both"),
            std::string::npos);
  EXPECT_NE(refusal(R"(config { base_path: "/a" model_platform: "tensorflow" })").find("no name"),
            std::string::npos);
  EXPECT_NE(refusal(R"(config { name: "a" base_path: "/a" model_platform: "tensorflow"
                                model_version_policy { specific {} } })")
                .find("names no versions"),
            std::string::npos);
  ModelServerConfig custom;
  custom.mutable_custom_model_config();
  EXPECT_NE(error_of([&] { checked_models(custom); }).find("Unimplemented"), std::string::npos);
}

TEST(ModelConfig, files_say_where_they_are_wrong) {
  const ScratchDirectory folder;
  write_file(folder / "models", "model_config_list {\n  config { nome: \"a\" }\n}");
  const std::string error = error_of([&] { read_model_config(folder / "models"); });
  EXPECT_NE(error.find("line 2, column "), std::string::npos) << error;
  EXPECT_NE(error.find("nome"), std::string::npos) << error;
  EXPECT_NE(error_of([&] { read_model_config(folder / "none"); }).find("NotFound"),
            std::string::npos);
}

}  // namespace
}  // namespace rill::serve
