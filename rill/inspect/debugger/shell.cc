#include "rill/inspect/debugger/shell.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"

namespace rill::debugger {
namespace {

void save(const std::string& path, RichText* text) {
  try {
    std::string all;
    for (const std::string& line : text->lines) all += line + "\n";
    write_file(path, all);
    text->add("Wrote output to " + path);
  } catch (const Error& error) {
    text->add("Failed to write output to " + path + ": " + error.message());
  }
}

}  // namespace

Shell::Shell() {
  add({"help",
       {"h"},
       ArgumentParser("Explain one command, or all of them.")
           .argument("command_name", "Command to explain.", true),
       [this](const Arguments& given) { return help(given.text("command_name")); }});
}

void Shell::add(ShellCommand command) {
  const std::string name = command.name;
  commands_.insert_or_assign(name, std::move(command));
}

void Shell::complete_with(const std::vector<std::string>& commands,
                          std::function<std::vector<std::string>()> words) {
  for (const std::string& command : commands) words_[command] = words;
}

const ShellCommand* Shell::find(const std::string& name) const {
  for (const auto& [known, command] : commands_)
    if (known == name || std::ranges::find(command.aliases, name) != command.aliases.end())
      return &command;
  return nullptr;
}

RichText Shell::help(const std::string& name) const {
  RichText text;
  if (!name.empty() && find(name) == nullptr)
    return RichText({str_cat("Invalid command prefix: \"", name, "\"")});
  for (const auto& [known, command] : commands_) {
    if (!name.empty() && find(name) != &command) continue;
    text.add(known, {.begin = 0, .end = known.size(), .style = "bold"});
    text.add("  Aliases: " + join(command.aliases, ", "));
    text.add("");
    for (const std::string& line : command.parser.help()) text.add("  " + line);
    if (name.empty()) text.add("").add("");
  }
  return text;
}

RichText Shell::run_words(const std::vector<std::string>& words) {
  const ShellCommand* const command = find(words.front());
  if (command == nullptr)
    return error_text(str_cat("Invalid command prefix \"", words.front(), "\""));
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (std::ranges::find(rest, "-h") != rest.end() ||
      std::ranges::find(rest, "--help") != rest.end())
    return help(command->name);
  try {
    return command->run(command->parser.parse(rest));
  } catch (const SyntaxError&) {
    return RichText({"Syntax error for command: " + words.front(),
                     "For help, do \"help " + words.front() + "\""});
  } catch (...) {
    return error_text(current_error().message());
  }
}

RichText Shell::run(const std::string& line) {
  if (strip(line).empty()) return {};
  history_.push_back(line);
  try {
    const CommandLine given(line);
    if (given.words.empty()) return {};
    RichText text = run_words(given.words);
    if (given.output_path) save(*given.output_path, &text);
    return text;
  } catch (const Error& error) {
    return error_text(error.message());
  }
}

Shell::Completion Shell::complete(const std::string& line) const {
  const auto blank = line.find_last_of(" \t");
  const std::string last = blank == std::string::npos ? line : line.substr(blank + 1);
  std::vector<std::string> words;
  if (blank == std::string::npos) {
    for (const auto& [name, command] : commands_) {
      words.push_back(name);
      words.insert(words.end(), command.aliases.begin(), command.aliases.end());
    }
  } else {
    const std::string first(strip(line.substr(0, line.find_first_of(" \t"))));
    const ShellCommand* const command = find(first);
    if (command == nullptr) return {};
    if (last.starts_with("-"))
      words = command->parser.option_names();
    else if (const auto it = words_.find(command->name); it != words_.end())
      words = it->second();
  }
  Completion found;
  for (const std::string& word : words)
    if (word.starts_with(last)) found.candidates.push_back(word);
  std::ranges::sort(found.candidates);
  if (found.candidates.empty()) return found;
  found.common = found.candidates.front();
  for (const std::string& word : found.candidates) {
    const auto [a, b] = std::ranges::mismatch(found.common, word);
    found.common.resize(static_cast<std::size_t>(a - found.common.begin()));
  }
  return found;
}

}  // namespace rill::debugger
