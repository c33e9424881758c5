#include "rill/serve/telemetry/json_quote.h"

#include "rill/base/json.h"
#include "rill/serve/telemetry/utf8.h"

namespace rill::serve {

std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (const char c : valid_utf8(text)) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (code < 0x20 || code == 0x7f)
      result += {'\\', 'x', kDigits[code >> 4], kDigits[code & 15]};
    else
      result += c;
  }
  return result;
}

std::string json_quote(std::string_view text) { return json_quoted(valid_utf8(text)); }

}  // namespace rill::serve
