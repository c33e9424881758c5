#pragma once

// Included by the sources that read JSON, and no others: simdjson.h takes long to compile.
#include <simdjson.h>

#include <string>
#include <string_view>

#include "rill/base/error.h"
#include "rill/tensor/tensor.h"

namespace rill::serve {

using JsonValue = simdjson::dom::element;
using JsonArray = simdjson::dom::array;
using JsonObject = simdjson::dom::object;

// A text of a client, parsed. JSON has no NaN and no infinities; as in TensorFlow Serving the
// tokens NaN, Inf and Infinity, also with a minus, are numbers all the same.
class JsonText {
 public:
  // Throws InvalidArgument ("JSON Parse error: ..."). The text must stay.
  explicit JsonText(const std::string& text);
  const JsonValue& root() const { return root_; }
  // The root, which must be an object. Throws InvalidArgument.
  JsonObject object() const;

 private:
  simdjson::dom::parser parser_;
  simdjson::padded_string with_words_;  // the text with those tokens as special strings
  JsonValue root_;
};

// Whether this is one of those tokens, and which number.
bool is_number_word(std::string_view text, double* number);

std::string_view json_type(const JsonValue& value);  // "Number", as messages say it
std::string json_excerpt(const JsonValue& value);    // as text, at most about 256 bytes
// A member, or nothing.
bool find(const JsonObject& object, std::string_view key, JsonValue* value);

std::size_t json_size(const JsonArray& array);

// {"b64": "..."} and nothing else.
bool is_base64_object(const JsonValue& value);
// What a string or such an object holds. Throws InvalidArgument for anything else.
std::string json_bytes(const JsonValue& value);

// Lists, flat or nested, of the elements of a tensor, in a text of so many bytes. Throws
// InvalidArgument when they are not of the type, or not as many as the shape says.
Tensor json_tensor(const JsonValue& value, DType dtype, const Shape& shape, std::size_t text_size);

// Throws InvalidArgument("JSON Value: ... Type: ... is not of expected type: ...").
[[noreturn]] void json_type_error(const JsonValue& value, std::string_view expected);

}  // namespace rill::serve
