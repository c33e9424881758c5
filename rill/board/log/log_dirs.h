#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rill/board/log/run.h"

namespace rill::board {

// A directory to look for runs in; their names begin with `name`, if it has one.
struct LogDirectory {
  std::string name, path;
};

// "a:/x,b:/y,/z" of --logdir_spec. Drive letters and schemes ("s3://") are no names.
std::vector<LogDirectory> parse_logdir_spec(std::string_view spec);

// A directory with event files in it.
struct FoundRun {
  std::string name, directory;
  std::vector<LogFile> files;  // in the order of their names, with size and time
};

// Everything below the directories, links to directories included. What cannot be read is left out.
std::vector<FoundRun> find_runs(const std::vector<LogDirectory>& directories);

}  // namespace rill::board
