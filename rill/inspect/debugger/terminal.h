#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "rill/inspect/debugger/shell.h"

namespace rill::debugger {

// How a person is talked to.
class Terminal {
 public:
  virtual ~Terminal() = default;
  // Shows `first` under a title, then what each command line shows, until the shell is over or
  // there is no more input, which false tells.
  virtual bool talk(Shell& shell, const std::string& title, const RichText& first) = 0;
};

// Lines in, lines out: for plain terminals, pipes and notebooks.
struct LineIo {
  std::function<std::optional<std::string>(const std::string& prompt)> read;  // nothing: the end
  std::function<void(const std::string& text)> write;
};
LineIo standard_io();  // standard input and output
std::unique_ptr<Terminal> line_terminal(LineIo io);

// The whole screen, with keys and mouse.
std::unique_ptr<Terminal> screen_terminal(bool mouse);
bool has_screen();  // whether input and output are a terminal that can do that

// By name: "readline" or "curses". Throws InvalidArgument for another name. Without a screen
// "curses" is lines as well.
std::unique_ptr<Terminal> make_terminal(const std::string& ui_type, LineIo io, bool mouse);

}  // namespace rill::debugger
