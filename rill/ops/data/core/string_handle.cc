#include "rill/ops/data/core/string_handle.h"

#include "rill/base/error.h"
#include "tensorflow/core/framework/resource_handle.pb.h"

namespace rill {

std::string to_string_handle(const ResourceHandle& handle) {
  tensorflow::ResourceHandleProto proto;
  proto.set_device(handle.device);
  proto.set_container(handle.container);
  proto.set_name(handle.name);
  proto.set_hash_code(handle.type_hash);
  proto.set_maybe_type_name(handle.type_name);
  return proto.SerializeAsString();
}

ResourceHandle from_string_handle(const std::string& text) {
  tensorflow::ResourceHandleProto proto;
  require(proto.ParseFromString(text), "Could not parse string_handle as a valid ResourceHandle");
  require(!proto.device().empty(), "string_handle names no device");
  return {.device = proto.device(),
          .container = proto.container(),
          .name = proto.name(),
          .type_name = proto.maybe_type_name(),
          .type_hash = proto.hash_code(),
          .resource = nullptr};
}

}  // namespace rill
