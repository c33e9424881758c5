#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "rill/serve/core/source.h"
#include "tensorflow_serving/config/platform_config.pb.h"

namespace rill::serve {

using PathAdapterRef = std::shared_ptr<PathAdapter>;
using MakeAdapter = std::function<PathAdapterRef(const google::protobuf::Any& config)>;
// By the full name of the message that configures them, such as
// "tensorflow.serving.HashmapSourceAdapterConfig".
using AdapterMakers = std::map<std::string, MakeAdapter>;

// For the whole process: what look-up tables, and libraries that are loaded, bring. Throws
// AlreadyExists.
void register_adapter(const std::string& message, MakeAdapter make);

// An adapter for every platform of the map. `own` comes before what is registered. Throws
// InvalidArgument naming a platform whose message nobody knows, and what making one throws.
std::map<std::string, PathAdapterRef> adapters_for(
    const tensorflow::serving::PlatformConfigMap& platforms, const AdapterMakers& own = {});

// Makes an adapter of the message that it is configured by; what std::function wants of a lambda.
template <class Message, class Make>
MakeAdapter adapter_maker(Make make) {
  return [make](const google::protobuf::Any& any) -> PathAdapterRef {
    Message message;
    require(any.UnpackTo(&message), any.type_url(), " holds no such message");
    return make(message);
  };
}

}  // namespace rill::serve
