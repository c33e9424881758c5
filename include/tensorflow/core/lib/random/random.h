#ifndef TENSORFLOW_CORE_LIB_RANDOM_RANDOM_H_
#define TENSORFLOW_CORE_LIB_RANDOM_RANDOM_H_

#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace random {

// A number that differs from run to run and from thread to thread.
uint64 New64();

}  // namespace random
}  // namespace tensorflow

#endif
