#ifndef TENSORFLOW_CORE_PLATFORM_PATH_H_
#define TENSORFLOW_CORE_PLATFORM_PATH_H_

#include "tensorflow/core/lib/io/path.h"

#endif
