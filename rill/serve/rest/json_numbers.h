#pragma once

#include <optional>
#include <string>

#include "rill/serve/rest/json_tensor.h"

namespace rill::serve {

// Reads the requests that are large: nested lists of numbers for every input of a signature,
// straight from the text. Nothing when a request is of any other form, or wrong: it then takes the
// general way, which says what is wrong.
std::optional<JsonQuestion> read_number_request(const std::string& body,
                                                const Signatures& signatures);

}  // namespace rill::serve
