#include "rill/serve/rest/json_text.h"

namespace rill::serve {

void append_json_string(std::string_view value, std::string* text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  *text += '"';
  for (const char c : value) {
    switch (c) {
      case '"':
        *text += "\\\"";
        break;
      case '\\':
        *text += "\\\\";
        break;
      case '\n':
        *text += "\\n";
        break;
      case '\r':
        *text += "\\r";
        break;
      case '\t':
        *text += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          text->append("\\u00").append(1, kDigits[c >> 4]).append(1, kDigits[c & 15]);
        else
          *text += c;
    }
  }
  *text += '"';
}

}  // namespace rill::serve
