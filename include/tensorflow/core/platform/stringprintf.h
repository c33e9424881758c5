#ifndef TENSORFLOW_CORE_PLATFORM_STRINGPRINTF_H_
#define TENSORFLOW_CORE_PLATFORM_STRINGPRINTF_H_

#include "tensorflow/core/lib/strings/stringprintf.h"

#endif
