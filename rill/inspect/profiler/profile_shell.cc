#include "rill/inspect/profiler/profile_shell.h"

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/inspect/profiler/advice.h"
#include "rill/inspect/profiler/flame_graph.h"
#include "rill/inspect/profiler/pprof_file.h"
#include "rill/inspect/profiler/profile_timeline.h"

namespace rill::profiler {
namespace {

constexpr const char* kHelp =
    "scope, graph, op, code [-OPTION VALUE...]   shows the model in this view\n"
    "advise                                      says what looks slow\n"
    "set [-OPTION VALUE...]                      keeps options for later; without any, those of "
    "the "
    "start\n"
    "help, exit\n"
    "An empty line shows the options.\n";

// Split at blanks, except between quotes.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else
      word += c;
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace

RowPtr profile_view(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options,
                    const std::function<void(const std::string&)>& print) {
  options.check();
  require(kind != ViewKind::code || model.has_traces(),
          "The code view needs the program's lines, which the op log of this model does not have");
  RowPtr root = make_view(model, kind, options);
  const auto file = options.output_options.find("outfile");
  if (options.output == "stdout") print(report_text(model, kind, *root, options));
  if (options.output == "file") write_file(file->second, report_text(model, kind, *root, options));
  if (options.output == "timeline") write_timelines(model, kind, *root, options);
  if (options.output == "pprof") write_pprof(kind, *root, options);
  if (options.output == "flame") write_file(file->second, flame_graph(kind, *root, options));
  return root;
}

void ProfileShell::run(const std::vector<std::string>& words) {
  if (words.empty()) return print_(to_text(options_));
  const std::string& command = words[0];
  const std::vector<std::string> flags(words.begin() + 1, words.end());
  if (command == "help") return print_(kHelp);
  if (command == "advise") return print_(advice_text(advise(model_)));
  if (command == "set") {
    if (flags.empty()) options_ = {};
    return parse_flags(flags, &options_);
  }
  require(!command.starts_with("-"), "First string must be a valid command.");
  const ViewKind kind = view_kind(command);
  ProfileOptions options = options_;
  parse_flags(flags, &options);
  profile_view(model_, kind, options, print_);
}

bool ProfileShell::run_line(std::string_view line) {
  const auto words = words_of(line);
  if (!words.empty() && (words[0] == "exit" || words[0] == "quit")) return false;
  try {
    run(words);
  } catch (const Error& error) {
    print_(str_cat(error.message(), "\n"));
  }
  return true;
}

}  // namespace rill::profiler
