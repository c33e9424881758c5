#ifndef TENSORFLOW_CC_SAVED_MODEL_CONSTANTS_H_
#define TENSORFLOW_CC_SAVED_MODEL_CONSTANTS_H_

namespace tensorflow {

constexpr char kSavedModelAssetsDirectory[] = "assets";
constexpr char kSavedModelAssetsKey[] = "saved_model_assets";
constexpr char kSavedModelLegacyInitOpKey[] = "legacy_init_op";
constexpr char kSavedModelMainOpKey[] = "saved_model_main_op";
constexpr char kSavedModelFilenamePb[] = "saved_model.pb";
constexpr char kSavedModelFilenamePbTxt[] = "saved_model.pbtxt";
constexpr char kSavedModelVariablesDirectory[] = "variables";
constexpr char kSavedModelVariablesFilename[] = "variables";

}  // namespace tensorflow

#endif
