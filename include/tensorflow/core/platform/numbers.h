#ifndef TENSORFLOW_CORE_PLATFORM_NUMBERS_H_
#define TENSORFLOW_CORE_PLATFORM_NUMBERS_H_

#include "tensorflow/core/lib/strings/numbers.h"

#endif
