#ifndef TENSORFLOW_CORE_PLATFORM_BYTE_ORDER_H_
#define TENSORFLOW_CORE_PLATFORM_BYTE_ORDER_H_

#include "tensorflow/core/platform/cpu_info.h"

#endif
