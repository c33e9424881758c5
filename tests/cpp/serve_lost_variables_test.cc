// Models whose checkpoint is gone are no models for a server.
#include <filesystem>

#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

namespace fs = std::filesystem;

// What loading a copy of the model says, with or without its checkpoint.
std::string refusal(const std::string& model, bool with_variables) {
  const ScratchDirectory folder;
  const fs::path copy = fs::path(folder.path()) / "1";
  fs::copy(fs::path("tests/golden/models") / model / "model", copy, fs::copy_options::recursive);
  if (!with_variables) fs::remove_all(copy / "variables");
  return error_of([&] { ModelLoader({"m", 1}, copy.string(), {}).load(); });
}

TEST(LostVariables, are_missed_where_signatures_read_them) {
  for (const char* model :
       {"saved_models/predict", "saved_models/resources", "saved_models/partitioned",
        "tf2_models/variables", "tf2_keras/dense"}) {
    EXPECT_EQ(refusal(model, true), "") << model;
    EXPECT_NE(refusal(model, false).find("The model's variables are missing: there is no "),
              std::string::npos)
        << model;
  }
}

TEST(LostVariables, are_not_missed_where_there_never_were_any) {
  EXPECT_EQ(refusal("saved_models/without_variables", false), "");
}

}  // namespace
}  // namespace rill::serve
