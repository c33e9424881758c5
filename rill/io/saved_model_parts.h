#pragma once

// Names that a SavedModel's files, collections, tags and signatures have.
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

inline constexpr const char* kDefaultServingSignatureKey = "serving_default";
inline constexpr const char* kPredictMethod = "tensorflow/serving/predict";
inline constexpr const char* kClassifyMethod = "tensorflow/serving/classify";
inline constexpr const char* kRegressMethod = "tensorflow/serving/regress";
inline constexpr const char* kInputs = "inputs";
inline constexpr const char* kOutputs = "outputs";
inline constexpr const char* kClasses = "classes";
inline constexpr const char* kScores = "scores";

}  // namespace rill::saved_model
