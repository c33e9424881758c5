#include "rill/base/stores/xml_text.h"

#include <charconv>
#include <utility>

#include "rill/base/text.h"
#include "rill/base/utf8.h"

namespace rill::stores {
namespace {

constexpr std::pair<std::string_view, char> kEntities[] = {
    {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

bool append_entity(std::string_view name, std::string* text) {
  for (const auto& [known, character] : kEntities)
    if (name == known) {
      *text += character;
      return true;
    }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), code, base);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size() || code >= 0x110000)
    return false;
  append_utf8(code, text);
  return true;
}

std::string unescaped(std::string_view xml) {
  std::string text;
  while (!xml.empty()) {
    const std::size_t end = xml.front() == '&' ? xml.find(';') : std::string_view::npos;
    if (end != xml.npos && append_entity(xml.substr(1, end - 1), &text)) {
      xml.remove_prefix(end + 1);
    } else {
      text += xml.front();
      xml.remove_prefix(1);
    }
  }
  return text;
}

// Where the tag "<name ...>" begins at or behind `from`.
std::size_t find_tag(std::string_view xml, std::string_view name, std::size_t from) {
  const std::string opening = str_cat("<", name);
  for (; (from = xml.find(opening, from)) != xml.npos; ++from) {
    const std::size_t behind = from + opening.size();
    if (behind < xml.size() && std::string_view(" \t\r\n/>").find(xml[behind]) != xml.npos)
      return from;
  }
  return from;
}

}  // namespace

void for_each_element(std::string_view xml, std::string_view name,
                      FunctionRef<void(std::string_view)> use) {
  const std::string closing = str_cat("</", name, ">");
  for (std::size_t at = 0; (at = find_tag(xml, name, at)) != xml.npos;) {
    const std::size_t opened = xml.find('>', at);
    if (opened == xml.npos) return;
    at = opened + 1;
    if (xml[opened - 1] == '/') {
      use({});
      continue;
    }
    const std::size_t end = xml.find(closing, at);
    if (end == xml.npos) return;
    use(xml.substr(at, end - at));
    at = end + closing.size();
  }
}

std::string xml_text(std::string_view xml, std::string_view name) {
  const std::string closing = str_cat("</", name, ">");
  const std::size_t at = find_tag(xml, name, 0);
  const std::size_t opened = at == xml.npos ? at : xml.find('>', at);
  if (opened == xml.npos || xml[opened - 1] == '/') return "";
  const std::size_t end = xml.find(closing, opened);
  return end == xml.npos ? "" : unescaped(xml.substr(opened + 1, end - opened - 1));
}

std::string xml_escaped(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else if (static_cast<unsigned char>(c) < 0x20)
      xml += str_cat("&#", static_cast<int>(c), ";");
    else
      xml += c;
  }
  return xml;
}

}  // namespace rill::stores
