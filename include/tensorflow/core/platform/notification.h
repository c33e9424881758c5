#ifndef TENSORFLOW_CORE_PLATFORM_NOTIFICATION_H_
#define TENSORFLOW_CORE_PLATFORM_NOTIFICATION_H_

#include "tensorflow/core/lib/core/notification.h"

#endif
