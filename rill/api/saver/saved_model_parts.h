#pragma once

// Names that a SavedModel's files, collections and tags have.
namespace rill::saved_model {

inline constexpr int kSchemaVersion = 1;
inline constexpr const char* kFilenamePb = "saved_model.pb";
inline constexpr const char* kFilenamePbtxt = "saved_model.pbtxt";
inline constexpr const char* kVariablesDirectory = "variables";
inline constexpr const char* kVariablesFilename = "variables";
inline constexpr const char* kAssetsDirectory = "assets";
inline constexpr const char* kAssetsKey = "saved_model_assets";
inline constexpr const char* kMainOpKey = "saved_model_main_op";
inline constexpr const char* kLegacyInitOpKey = "legacy_init_op";
inline constexpr const char* kInitOpSignature = "__saved_model_init_op";
inline constexpr const char* kTrainOpSignature = "__saved_model_train_op";
inline constexpr const char* kServingTag = "serve";

}  // namespace rill::saved_model
