#pragma once

#include <string>
#include <vector>

#include "tools/opgen/plain_table.h"

namespace rill::opgen {

// The C++ functions of one family; `headers` are the raw builders' that they are made of.
std::string plain_functions_header(const std::vector<PlainFunction>& functions,
                                   const std::vector<std::string>& headers);
std::string all_plain_functions_header(const std::vector<std::string>& families);

// The rows of python/src/call.h's table.
std::string plain_python_source(const std::vector<PlainFunction>& functions);

}  // namespace rill::opgen
