#include <cstdio>
#include <iostream>

#include "rill/base/error.h"
#include "rill/inspect/debugger/terminal.h"

namespace rill::debugger {
namespace {

constexpr const char* kPrompt = "\ntfdbg> ";

class LineTerminal final : public Terminal {
 public:
  explicit LineTerminal(LineIo io) : io_(std::move(io)) {}

  bool talk(Shell& shell, const std::string& title, const RichText& first) override {
    if (!title.empty()) io_.write(title + "\n");
    print(first);
    while (!shell.is_over()) {
      const std::optional<std::string> line = io_.read(kPrompt);
      if (!line) return false;
      print(shell.run(*line));
    }
    return true;
  }

 private:
  void print(const RichText& text) {
    std::string all;
    for (const std::string& line : text.lines) all += line + "\n";
    if (!all.empty()) io_.write(all);
  }

  const LineIo io_;
};

}  // namespace

LineIo standard_io() {
  return {.read = [](const std::string& prompt) -> std::optional<std::string> {
            std::fputs(prompt.c_str(), stdout);
            std::fflush(stdout);
            std::string line;
            if (!std::getline(std::cin, line)) return {};
            return line;
          },
          .write =
              [](const std::string& text) {
                std::fwrite(text.data(), 1, text.size(), stdout);
                std::fflush(stdout);
              }};
}

std::unique_ptr<Terminal> line_terminal(LineIo io) {
  return std::make_unique<LineTerminal>(std::move(io));
}

std::unique_ptr<Terminal> make_terminal(const std::string& ui_type, LineIo io, bool mouse) {
  require(ui_type == "readline" || ui_type == "curses", "Unsupported ui_type: '", ui_type,
          "'; there are readline and curses");
  if (ui_type == "curses" && has_screen()) return screen_terminal(mouse);
  return line_terminal(std::move(io));
}

}  // namespace rill::debugger
