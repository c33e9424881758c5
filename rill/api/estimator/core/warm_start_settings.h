#pragma once

#include <functional>
#include <string>

#include "rill/api/saver/warm_start.h"

namespace rill::estimator {

// Which values of an earlier model a new one begins with. They count only where model_dir has no
// checkpoint yet. Constructors throw InvalidArgument for an empty path.
struct WarmStartSettings : train::WarmStartOptions {
  std::string ckpt_to_initialize_from = {};  // a checkpoint, or a directory with some

  // A checkpoint, a directory with some, or a SavedModel; all trainable variables begin with it.
  WarmStartSettings(const char* path) : WarmStartSettings(std::string(path)) {}
  WarmStartSettings(const std::string& path);
  WarmStartSettings(std::string path, train::WarmStartOptions options);

  std::string text() const;  // as the log shows them
  // As another language shows them, and does it.
  std::string shown_as = {};
  std::function<void()> run_as = {};
};

}  // namespace rill::estimator
