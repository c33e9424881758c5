#ifndef TENSORFLOW_SERVING_CORE_STORAGE_PATH_H_
#define TENSORFLOW_SERVING_CORE_STORAGE_PATH_H_

#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace serving {

// Where a version of a servable lies.
typedef string StoragePath;

}  // namespace serving
}  // namespace tensorflow

#endif
