#pragma once

#include "rill/api/estimator/heads/single_head.h"

namespace rill::estimator {

// What heads of classes predict: numbers and names of the most probable class and of all.
class ClassPredictions {
 public:
  ClassPredictions(Generation generation, std::int64_t n_classes,
                   const std::vector<std::string>& vocabulary, Output logits)
      : generation_(generation), n_classes_(n_classes), vocabulary_(vocabulary), logits_(logits) {}

  // The prediction of this key, made now; `scores` has one column for each class.
  Output make(const std::string& key, Output scores);

 private:
  Output class_ids(Output scores);
  Output classes(Output scores);

  Generation generation_;
  std::int64_t n_classes_;
  const std::vector<std::string>& vocabulary_;
  Output logits_, class_ids_ = {};
};

Input vocabulary_list(const std::vector<std::string>& vocabulary);
// The numbers of labels that are words.
Output label_ids(const std::vector<std::string>& vocabulary, Output labels);

// All classes, for every row of `rows`.
Output all_classes(Generation generation, Output rows, std::int64_t n_classes,
                   const std::vector<std::string>& vocabulary);
// What a served model answers to Classify.
ClassificationOutput classification_output(Generation generation, Output scores,
                                           std::int64_t n_classes,
                                           const std::vector<std::string>& vocabulary);

}  // namespace rill::estimator
