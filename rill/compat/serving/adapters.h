#pragma once

#include "rill/compat/serving/foreign.h"

namespace tensorflow {
namespace serving {

// What ServerCore has for TensorFlow Serving's own platforms: servables that are what their users
// expect, such as a SavedModelBundle, where the model server has models that answer requests.
rill::serve::AdapterMakers adapters_of_tensorflow(const PreLoadHook& hook);

}  // namespace serving
}  // namespace tensorflow
