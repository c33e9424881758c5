#pragma once

#include <map>
#include <string>
#include <vector>

namespace rill::debugger {

// A part of a line that is shown in its own way, and may be a link to a command.
struct FontSegment {
  std::size_t begin = 0, end = 0;  // columns
  std::string style = {};          // "bold", "yellow", ...; several with blanks between them
  std::string command = {};        // what choosing it runs
};

// What a command shows: lines, which a plain terminal prints as they are.
struct RichText {
  RichText() = default;
  explicit RichText(std::vector<std::string> some) : lines(std::move(some)) {}

  std::vector<std::string> lines;
  std::map<std::size_t, std::vector<FontSegment>> fonts;  // by line
  std::size_t first_shown = 0;                            // the line to begin with

  RichText& add(std::string line) {
    lines.push_back(std::move(line));
    return *this;
  }
  RichText& add(std::string line, FontSegment font) {
    fonts[lines.size()].push_back(std::move(font));
    return add(std::move(line));
  }
  RichText& add(const RichText& more) {
    for (const auto& [line, segments] : more.fonts) fonts[lines.size() + line] = segments;
    lines.insert(lines.end(), more.lines.begin(), more.lines.end());
    return *this;
  }
};

// One line that says what is wrong.
inline RichText error_text(const std::string& message) {
  const std::string line = "ERROR: " + message;
  return RichText().add(line, {.begin = 0, .end = line.size(), .style = "red"});
}

}  // namespace rill::debugger
