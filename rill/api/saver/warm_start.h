#pragma once

#include <map>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/saver/remapped_matrix.h"
#include "rill/api/variables/variable.h"

namespace rill::train {

// The words that the rows (axis 0) or columns (axis 1) of a matrix belong to, now and in the
// checkpoint: files with a word in each line.
struct VocabInfo {
  std::string new_vocab = {};
  std::int64_t new_vocab_size = 0;
  std::int64_t num_oov_buckets = 0;
  std::string old_vocab = {};
  std::int64_t old_vocab_size = -1;     // all
  FreshValues backup_initializer = {};  // for what the checkpoint does not have; zeros
  int axis = 0;
};

// Which variables: trainable ones whose names an expression matches, all whose names one of several
// matches, these, or (monostate) those that have a vocabulary.
using ToWarmStart =
    std::variant<std::string, std::vector<std::string>, std::vector<Variable>, std::monostate>;

struct WarmStartOptions {
  ToWarmStart vars_to_warm_start = ".*";
  // By the names of whole variables, not of parts.
  std::map<std::string, VocabInfo> var_name_to_vocab_info = {};
  std::map<std::string, std::string> var_name_to_prev_var_name = {};  // names in the checkpoint
};

// Makes variables start with the values of a checkpoint, or of the newest one of a directory, when
// they are initialised. Throws InvalidArgument when a name of the maps belongs to no variable, or
// the checkpoint does not have what is wanted.
void warm_start(const std::string& ckpt_to_initialize_from, const WarmStartOptions& options = {},
                std::source_location at = std::source_location::current());

}  // namespace rill::train
