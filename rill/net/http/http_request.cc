#include "rill/net/http/http_request.h"

#include <algorithm>

#include "rill/base/text.h"

namespace rill::net {
namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view sent, std::string_view name) {
  return sent.size() == name.size() &&
         std::ranges::equal(sent, name, {}, [](char c) { return lowered(c); });
}

struct Reason {
  int status;
  std::string_view text;
};
constexpr Reason kReasons[] = {{200, "OK"},
                               {204, "No Content"},
                               {304, "Not Modified"},
                               {400, "Bad Request"},
                               {401, "Unauthorized"},
                               {403, "Forbidden"},
                               {404, "Not Found"},
                               {405, "Method Not Allowed"},
                               {406, "Not Acceptable"},
                               {408, "Request Timeout"},
                               {409, "Conflict"},
                               {413, "Payload Too Large"},
                               {415, "Unsupported Media Type"},
                               {417, "Expectation Failed"},
                               {429, "Too Many Requests"},
                               {431, "Request Header Fields Too Large"},
                               {499, "Client Closed Request"},
                               {500, "Internal Server Error"},
                               {501, "Not Implemented"},
                               {503, "Service Unavailable"},
                               {504, "Gateway Timeout"},
                               {505, "HTTP Version Not Supported"}};

std::string_view reason_of(int status) {
  const auto* found = std::ranges::find(kReasons, status, &Reason::status);
  return found == std::end(kReasons) ? "Unknown" : found->text;
}

// What would end a header early is left out: a value may be made of what a client sent.
void append_value(std::string_view value, std::string* text) {
  for (const char c : value)
    if (c != '\r' && c != '\n' && c != '\0') *text += c;
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const {
  const std::string_view text = head;
  for (const Field& field : fields)
    if (same_name(text.substr(field.name, field.name_size), name))
      return text.substr(field.value, field.value_size);
  return {};
}

std::string response_head(const HttpResponse& response, bool keep_alive) {
  std::string text;
  text.reserve(256);
  text += "HTTP/1.1 ";
  text += std::to_string(response.status);
  text += ' ';
  text += reason_of(response.status);
  if (!response.content_type.empty()) {
    text += "\r\nContent-Type: ";
    append_value(response.content_type, &text);
  }
  text += "\r\nContent-Length: ";
  text += std::to_string(response.body.size());
  for (const auto& [name, value] : response.headers) {
    text += "\r\n";
    append_value(name, &text);
    text += ": ";
    append_value(value, &text);
  }
  text += keep_alive ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
  return text;
}

}  // namespace rill::net
