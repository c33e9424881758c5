#include "bound_signature.h"

namespace rill::python {
namespace {

constexpr std::string_view kOrNone = " | None";

// The parts of "a, b: tuple[int, str], c" at commas outside brackets, without blanks around.
std::vector<std::string_view> split_parameters(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == ']' || text[i] == ')')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    std::string_view part = text.substr(begin, i - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

BoundParameter parse_parameter(std::string_view text) {
  BoundParameter parameter;
  const std::size_t equals = text.find(" = ");
  parameter.has_default = equals != text.npos;
  text = text.substr(0, equals);
  const std::size_t colon = text.find(": ");
  parameter.name = text.substr(0, colon);
  if (colon == text.npos) return parameter;
  std::string_view type = text.substr(colon + 2);
  parameter.takes_none = type.ends_with(kOrNone);
  if (parameter.takes_none) type.remove_suffix(kOrNone.size());
  parameter.type = type;
  return parameter;
}

}  // namespace

BoundSignature parse_bound_signature(std::string_view text) {
  BoundSignature signature;
  const std::size_t open = text.find('('), close = text.rfind(") ->");
  if (open == text.npos || close == text.npos) return signature;
  signature.function = text.substr(text.find(' ') + 1, open - text.find(' ') - 1);
  for (const std::string_view part : split_parameters(text.substr(open + 1, close - open - 1))) {
    if (part == "/") {
      for (BoundParameter& earlier : signature.parameters) earlier.by_position_only = true;
    } else if (part.starts_with('*')) {
      signature.takes_any = signature.takes_any || part.size() > 1;
    } else {
      signature.parameters.push_back(parse_parameter(part));
    }
  }
  return signature;
}

}  // namespace rill::python
