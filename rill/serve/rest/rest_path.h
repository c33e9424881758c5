#pragma once

#include <string>
#include <string_view>

#include "tensorflow_serving/apis/model.pb.h"

namespace rill::serve {

// What a path of the REST interface asks for.
struct RestPath {
  enum class Kind { kOther, kPredict, kClassify, kRegress, kStatus, kMetadata, kOpenApi };
  Kind kind = Kind::kOther;
  tensorflow::serving::ModelSpec spec;
};

// Of "/v1/..."; throws InvalidArgument ("Malformed request: ...") when it is none of those that
// there are for this method. Any other path is kOther.
RestPath parse_rest_path(std::string_view method, std::string_view target);

// Text as a part of a path or query that means the same, and back.
std::string percent_encoded(std::string_view text);
std::string percent_decoded(std::string_view text);

// Reads "NAME", "NAME/versions/7" or "NAME/labels/x" off the front and returns what follows. Throws
// InvalidArgument when there is no such thing.
std::string_view take_model(std::string_view path, tensorflow::serving::ModelSpec* spec);

}  // namespace rill::serve
