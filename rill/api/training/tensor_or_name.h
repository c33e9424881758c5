#pragma once

#include <functional>
#include <string>

#include "rill/graph/node.h"

namespace rill::train {

// A tensor, or its name, which is looked up in the default graph when a hook begins.
class TensorOrName {
 public:
  TensorOrName(Output tensor) : tensor_(tensor) {}
  TensorOrName(std::string name) : name_(std::move(name)) {}
  TensorOrName(const char* name) : name_(name) {}
  // What another language looks up.
  TensorOrName(std::function<Output()> find) : find_(std::move(find)) {}

  std::string text() const;  // as logs show it
  // Throws InvalidArgument for a tensor of another graph, or a name of several outputs.
  Output find() const;

 private:
  Output tensor_;
  std::string name_;
  std::function<Output()> find_;
};

}  // namespace rill::train
