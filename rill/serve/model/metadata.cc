#include "rill/serve/model/requests.h"

namespace rill::serve {

void get_metadata(const ModelServable& model, const messages::GetModelMetadataRequest& request,
                  messages::GetModelMetadataResponse* response) {
  static const std::string kSignatureDef = "signature_def";
  require(!request.metadata_field().empty(),
          "GetModelMetadataRequest must specify at least one metadata_field");
  for (const std::string& field : request.metadata_field())
    require(field == kSignatureDef, "Metadata field ", field, " is not supported");
  messages::SignatureDefMap map;
  for (const auto& [name, signature] : model.signatures())
    (*map.mutable_signature_def())[name] = signature;
  (*response->mutable_metadata())[kSignatureDef].PackFrom(map);
}

}  // namespace rill::serve
