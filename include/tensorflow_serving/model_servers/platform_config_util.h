#ifndef TENSORFLOW_SERVING_MODEL_SERVERS_PLATFORM_CONFIG_UTIL_H_
#define TENSORFLOW_SERVING_MODEL_SERVERS_PLATFORM_CONFIG_UTIL_H_

#include "tensorflow_serving/config/platform_config.pb.h"
#include "tensorflow_serving/servables/tensorflow/session_bundle_config.pb.h"

namespace tensorflow {
namespace serving {

// SavedModels under the platform "tensorflow"; other kinds of TensorFlow models do not exist here.
PlatformConfigMap CreateTensorFlowPlatformConfigMap(
    const SessionBundleConfig& session_bundle_config, bool use_saved_model = true);

}  // namespace serving
}  // namespace tensorflow

#endif
