#pragma once

#include <string>
#include <vector>

namespace rill::debugger {

// What a person has set for the command line, kept in a file: ~/.tfdbg_config.
class ShellConfig {
 public:
  explicit ShellConfig(std::string path = "");  // "": the usual file

  int graph_recursion_depth = 20;
  bool mouse_mode = true;

  // Throws InvalidArgument for a property that there is not and a value that does not fit.
  void set(const std::string& property, const std::string& value);
  std::vector<std::string> lines() const;  // one for each property

 private:
  void load();
  void save() const;  // quietly nothing where the file cannot be written
  const std::string path_;
};

}  // namespace rill::debugger
