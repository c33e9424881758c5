#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rill/board/plugin/hparams_data.h"

namespace rill::board {

// Asks for runs: "lr > 0.01 and accuracy.last > 0.9 sort loss.min". A name is a hyperparameter or
// the tag of scalars, of which it means the last value; behind it may stand .first, .last, .min,
// .max, .mean, .count or .step (the last). `run` is the name of the run. Names with other letters
// than those of tags stand in `backticks`, texts in quotes. Comparisons are < <= = != >= > and ~,
// which takes a pattern; a name alone asks whether it is there. They are joined by and, or, not and
// brackets; then "sort NAME [desc]" and "limit N" may follow.
struct QueryResult {
  std::vector<std::string> columns;  // the names that the question has
  struct Row {
    std::string run;
    std::vector<HParamValue> values;  // as columns
  };
  std::vector<Row> rows;
};
// Throws InvalidArgument, with the place, for what is no such question.
QueryResult run_query(const LogStore& logs, std::string_view question);

}  // namespace rill::board
