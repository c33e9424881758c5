#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rill/api/saver/saveable.h"
#include "rill/io/checkpoint_reader.h"

// Checkpoints without a Saver. Each takes a checkpoint, or a directory whose newest one is meant.
namespace rill::train {

// Throws InvalidArgument when a directory has no checkpoint.
std::string checkpoint_of(const std::string& ckpt_dir_or_file);
std::unique_ptr<CheckpointReader> load_checkpoint(const std::string& ckpt_dir_or_file);
// Names and shapes, sorted.
std::vector<std::pair<std::string, Shape>> list_variables(const std::string& ckpt_dir_or_file);
Tensor load_variable(const std::string& ckpt_dir_or_file, const std::string& name);

// What takes a value of the checkpoint: a variable, the parts of one, or the name of one or of a
// scope.
using ToInitialize =
    std::variant<std::string, Variable, PartitionedVariableRef, std::vector<Variable>>;
// Makes variables take values of the checkpoint when they are initialised. Keys are names in the
// checkpoint; one that ends with a slash stands for all below it, and its value for a scope ("/":
// all). Tensors are taken in order of their names. Throws InvalidArgument when a tensor or variable
// is not there or shapes differ.
void init_from_checkpoint(const std::string& ckpt_dir_or_file,
                          std::vector<std::pair<std::string, ToInitialize>> assignment_map);

}  // namespace rill::train
