#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rill/inspect/debugger/arguments.h"
#include "rill/inspect/debugger/command_line.h"
#include "rill/inspect/debugger/rich_text.h"

namespace rill::debugger {

// One command: what it is called, how it is explained and what it does.
struct ShellCommand {
  std::string name;
  std::vector<std::string> aliases;
  ArgumentParser parser;
  std::function<RichText(const Arguments&)> run;
};

// The commands that a person may give, and what is known of what was given before.
class Shell {
 public:
  Shell();

  void add(ShellCommand command);
  // Words that may follow a command, asked for when they are to be completed.
  void complete_with(const std::vector<std::string>& commands,
                     std::function<std::vector<std::string>()> words);

  // What a line shows. Never throws for what the line says. Writes to the file of "> path".
  RichText run(const std::string& line);
  // What may be written in place of the last word of `line`, and what all of that begins with.
  struct Completion {
    std::vector<std::string> candidates;
    std::string common;
  };
  Completion complete(const std::string& line) const;

  bool is_over() const { return is_over_; }  // the user has asked to go on, or to leave
  void end() { is_over_ = true; }
  void begin() { is_over_ = false; }

  const std::vector<std::string>& history() const { return history_; }

 private:
  const ShellCommand* find(const std::string& name) const;
  RichText help(const std::string& name) const;
  RichText run_words(const std::vector<std::string>& words);

  std::map<std::string, ShellCommand> commands_;
  std::map<std::string, std::function<std::vector<std::string>()>> words_;
  std::vector<std::string> history_;
  bool is_over_ = false;
};

}  // namespace rill::debugger
