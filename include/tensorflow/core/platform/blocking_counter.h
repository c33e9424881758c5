#ifndef TENSORFLOW_CORE_PLATFORM_BLOCKING_COUNTER_H_
#define TENSORFLOW_CORE_PLATFORM_BLOCKING_COUNTER_H_

#include "tensorflow/core/lib/core/blocking_counter.h"

#endif
