#pragma once

// The messages of configurations. Fields that are deprecated there are no reason for warnings here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "tensorflow_serving/config/model_server_config.pb.h"
#pragma GCC diagnostic pop
