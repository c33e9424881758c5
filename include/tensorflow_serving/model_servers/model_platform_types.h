#ifndef TENSORFLOW_SERVING_MODEL_SERVERS_MODEL_PLATFORM_TYPES_H_
#define TENSORFLOW_SERVING_MODEL_SERVERS_MODEL_PLATFORM_TYPES_H_

namespace tensorflow {
namespace serving {

constexpr char kTensorFlowModelPlatform[] = "tensorflow";

}  // namespace serving
}  // namespace tensorflow

#endif
