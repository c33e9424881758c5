#include "rill/serve/kserve/model_info.h"

#include <algorithm>

#include "rill/io/saved_model_parts.h"
#include "rill/serve/config/config_messages.h"
#include "rill/serve/kserve/types.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::serve {
namespace {

using TensorInfos = google::protobuf::Map<std::string, tensorflow::TensorInfo>;
using TensorMetadata = inference::ModelMetadataResponse::TensorMetadata;

void add_infos(const TensorInfos& infos, google::protobuf::RepeatedPtrField<TensorMetadata>* to) {
  for (const auto& [name, info] : std::map(infos.begin(), infos.end())) {
    TensorMetadata* tensor = to->Add();
    tensor->set_name(name);
    const std::string_view type = kserve_type(dtype_from_proto(static_cast<int>(info.dtype())));
    tensor->set_datatype(std::string(type));
    for (const auto& dim : info.tensor_shape().dim()) tensor->add_shape(dim.size());
  }
}

const char* state_name(State state) {
  switch (state) {
    case State::kAvailable:
      return "READY";
    case State::kStart:
    case State::kLoading:
      return "LOADING";
    case State::kUnloading:
      return "UNLOADING";
    default:
      return "UNAVAILABLE";
  }
}

}  // namespace

messages::ModelSpec kserve_spec(const std::string& name, const std::string& version) {
  messages::ModelSpec spec;
  long long number = 0;
  spec.set_name(name);
  if (parse_int(version, &number))
    spec.mutable_version()->set_value(number);
  else if (!version.empty())
    spec.set_version_label(version);
  return spec;
}

bool is_model_ready(const ServerCore& core, const messages::ModelSpec& spec) {
  try {
    core.find(spec);
  } catch (const Error&) {
    return false;
  }
  return true;
}

inference::ServerMetadataResponse kserve_server() {
  inference::ServerMetadataResponse server;
  server.set_name("rill");
  server.set_version("2");
  server.add_extensions("binary_tensor_data");
  return server;
}

inference::ModelMetadataResponse kserve_metadata(const ServerCore& core,
                                                 const messages::ModelSpec& spec) {
  const Handle handle = core.find(spec);
  const auto& model = handle.as<ModelServable>();
  inference::ModelMetadataResponse metadata;
  metadata.set_name(handle.id().name);
  std::vector<std::int64_t> versions;
  for (const ServableId& id : core.available())
    if (id.name == handle.id().name) versions.push_back(id.version);
  std::ranges::sort(versions);
  for (const std::int64_t version : versions) metadata.add_versions(str_cat(version));
  metadata.set_platform("tensorflow_savedmodel");
  if (const SignatureDef* signature = model.signature(saved_model::kDefaultServingSignatureKey)) {
    add_infos(signature->inputs(), metadata.mutable_inputs());
    add_infos(signature->outputs(), metadata.mutable_outputs());
  }
  return metadata;
}

inference::RepositoryIndexResponse kserve_index(const ServerCore& core, bool only_ready) {
  inference::RepositoryIndexResponse index;
  const messages::ModelServerConfig configuration = core.config();
  for (const auto& config : configuration.model_config_list().config()) {
    std::vector<VersionStatus> versions;
    try {
      versions = core.statuses(kserve_spec(config.name(), ""));
    } catch (const Error&) {
      versions.emplace_back();  // none was found so far
    }
    for (const VersionStatus& version : versions) {
      if (only_ready && version.state != State::kAvailable) continue;
      auto* model = index.add_models();
      model->set_name(config.name());
      if (version.version > 0) model->set_version(str_cat(version.version));
      model->set_state(state_name(version.state));
      if (version.error) model->set_reason(version.error->message());
    }
  }
  return index;
}

void check_kserve_parameter(std::string_view name) {
  constexpr std::string_view kUnknown[] = {"classification", "sequence_id", "sequence_start",
                                           "sequence_end"};
  if (name.starts_with("shared_memory") || std::ranges::count(kUnknown, name) > 0)
    raise(Code::kUnimplemented, "The parameter ", name, " is not supported");
}

}  // namespace rill::serve
