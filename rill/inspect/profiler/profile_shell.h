#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rill/inspect/profiler/report.h"

namespace rill::profiler {

// Makes the view, writes its text or file where the options say, and returns it. What is meant for
// standard output goes to `print`.
RowPtr profile_view(const ProfiledModel& model, ViewKind kind, const ProfileOptions& options,
                    const std::function<void(const std::string&)>& print);

// The commands of tfprof: scope, graph, code, op, advise, set, help. Options that are `set` hold
// for all commands that follow.
class ProfileShell {
 public:
  using Print = std::function<void(const std::string&)>;
  ProfileShell(const ProfiledModel& model, Print print) : model_(model), print_(std::move(print)) {}

  // Throws InvalidArgument where there is no such command or option.
  void run(const std::vector<std::string>& words);
  // The same of a line somebody typed, with errors printed. False: they asked to leave.
  bool run_line(std::string_view line);

 private:
  const ProfiledModel& model_;
  Print print_;
  ProfileOptions options_;
};

}  // namespace rill::profiler
