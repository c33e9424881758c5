#pragma once

#include <memory>

#include "rill/graph/graph.h"
#include "rill/inspect/debugger/shell.h"
#include "rill/inspect/debugger/shell_config.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::debugger {

// list_profile and print_source of a run that was measured.
class ProfileScreens {
 public:
  ProfileScreens(tensorflow::RunMetadata metadata, std::shared_ptr<const Graph> graph)
      : metadata_(std::move(metadata)), graph_(std::move(graph)) {}

  void add_commands(Shell& shell);
  RichText list_profile(const Arguments& given) const;
  RichText print_source(const Arguments& given) const;

 private:
  const tensorflow::RunMetadata metadata_;
  const std::shared_ptr<const Graph> graph_;
};

// config, version and mouse.
void add_general_commands(Shell& shell, const std::shared_ptr<ShellConfig>& config);

}  // namespace rill::debugger
