#ifndef TENSORFLOW_CORE_UTIL_ACTIVATION_MODE_H_
#define TENSORFLOW_CORE_UTIL_ACTIVATION_MODE_H_

#include "tensorflow/core/lib/core/errors.h"

namespace tensorflow {

enum ActivationMode {
  NONE = 0,
  SIGMOID = 1,
  RELU = 2,
  RELU6 = 3,
  RELUX = 4,
  TANH = 5,
  BANDPASS = 6,
};

inline Status GetActivationModeFromString(const string& text, ActivationMode* value) {
  if (text == "NONE") return *value = NONE, Status::OK();
  if (text == "SIGMOID") return *value = SIGMOID, Status::OK();
  if (text == "RELU") return *value = RELU, Status::OK();
  if (text == "RELU6") return *value = RELU6, Status::OK();
  if (text == "RELUX") return *value = RELUX, Status::OK();
  if (text == "TANH") return *value = TANH, Status::OK();
  if (text == "BANDPASS") return *value = BANDPASS, Status::OK();
  return errors::NotFound(text, " is not an allowed activation mode");
}

}  // namespace tensorflow

#endif
