#ifndef TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_GET_MODEL_METADATA_IMPL_H_
#define TENSORFLOW_SERVING_SERVABLES_TENSORFLOW_GET_MODEL_METADATA_IMPL_H_

#include "tensorflow_serving/apis/get_model_metadata.pb.h"
#include "tensorflow_serving/model_servers/server_core.h"

namespace tensorflow {
namespace serving {

class GetModelMetadataImpl {
 public:
  static Status GetModelMetadata(ServerCore* core, const GetModelMetadataRequest& request,
                                 GetModelMetadataResponse* response);
};

}  // namespace serving
}  // namespace tensorflow

#endif
