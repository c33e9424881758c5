#ifndef TENSORFLOW_CORE_KERNELS_BOUNDS_CHECK_H_
#define TENSORFLOW_CORE_KERNELS_BOUNDS_CHECK_H_

#include "tensorflow/core/framework/bounds_check.h"

#endif
