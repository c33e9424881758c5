#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rill::debugger {

// A line of input in words: blanks part them except inside of brackets and quotation marks, which
// are taken off.
struct CommandLine {
  explicit CommandLine(const std::string& line);
  std::vector<std::string> words;
  std::optional<std::string> output_path;  // of "... > path"
};

// A tensor as commands name it: "scope/x:0[1, :]".
struct TensorAndSlice {
  explicit TensorAndSlice(const std::string& text);
  std::string tensor, slicing;
};

// Numbers from one to another; "[1,2]", "(0,1)" or "[[-inf,-1],[1,inf]]". Throws InvalidArgument.
struct NumberRange {
  double low, high;
};
std::vector<NumberRange> parse_ranges(const std::string& text);

}  // namespace rill::debugger
