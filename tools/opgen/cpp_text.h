#pragma once

#include <string>
#include <string_view>

#include "rill/graph/op.h"

namespace rill::opgen {

// A name of the registry as C++ can use it: keywords and the builders' own names get a '_'.
std::string identifier(std::string_view name);

std::string attr_type(const AttrSpec& attr);            // "std::int64_t", "std::vector<DType>"
std::string attr_parameter_type(const AttrSpec& attr);  // the same by value or by reference
std::string literal(const AttrValue& value);            // an initialiser: "DType::i32", "{1, 1}"

// The same of a default that Python writes ("True", "tf.int32", "[1, 1]"); "" where it has no form.
std::string literal_of_python(const AttrSpec& attr, std::string_view text);

// `text` as // comment lines of at most 100 columns, each after `indent`.
std::string comment(std::string_view text, std::string_view indent = "");

}  // namespace rill::opgen
