#ifndef TENSORFLOW_CORE_FRAMEWORK_BFLOAT16_H_
#define TENSORFLOW_CORE_FRAMEWORK_BFLOAT16_H_

#include "tensorflow/core/framework/numeric_types.h"

#endif
