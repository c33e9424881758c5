#include "rill/api/estimator/heads/class_predictions.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/string.h"
#include "rill/api/lookup/vocabularies.h"
#include "rill/api/math/search.h"
#include "rill/api/math/sequences.h"
#include "rill/api/nn/softmax.h"

namespace rill::estimator {
namespace {

Output rows_of(Output x) { return slice(shape(x), {Input(0)}); }

Output in_every_row(Output list, Output rows) { return raw::Tile(list, parts::list_of({rows, 1})); }

}  // namespace

Input vocabulary_list(const std::vector<std::string>& vocabulary) {
  const auto size = static_cast<std::int64_t>(vocabulary.size());
  return Input(Tensor::of<std::string>({size}, vocabulary));
}

Output label_ids(const std::vector<std::string>& vocabulary, Output labels) {
  return lookup::index_table_from_tensor(vocabulary_list(vocabulary), {.name = "class_id_lookup"})
      ->lookup(labels);
}

Output all_classes(Generation generation, Output rows, std::int64_t n_classes,
                   const std::vector<std::string>& vocabulary) {
  const Output count = rows_of(rows);
  const int n = static_cast<int>(n_classes);
  if (generation == Generation::kFirst) {
    const Input list =
        vocabulary.empty() ? Input(raw::AsString(range(n))) : vocabulary_list(vocabulary);
    return in_every_row(expand_dims(list, 0), count);
  }
  if (vocabulary.empty()) return in_every_row(raw::AsString(expand_dims(range(n), 0)), count);
  const auto size = static_cast<std::int64_t>(vocabulary.size());
  const Tensor row = Tensor::of<std::string>({1, size}, vocabulary);
  return in_every_row(as_tensor(Input(row)), count);
}

ClassificationOutput classification_output(Generation generation, Output scores,
                                           std::int64_t n_classes,
                                           const std::vector<std::string>& vocabulary) {
  return {scores, all_classes(generation, scores, n_classes, vocabulary)};
}

Output ClassPredictions::class_ids(Output scores) {
  if (class_ids_.node == nullptr)
    class_ids_ = expand_dims(argmax(scores, {.axis = -1, .name = prediction_keys::CLASS_IDS}), -1);
  return class_ids_;
}

Output ClassPredictions::classes(Output scores) {
  const Output ids = class_ids(scores);
  if (vocabulary_.empty()) return raw::AsString(ids, {.name = "str_classes"});
  return lookup::index_to_string_table_from_tensor(vocabulary_list(vocabulary_),
                                                   {.name = "class_string_lookup"})
      ->lookup(ids);
}

Output ClassPredictions::make(const std::string& key, Output scores) {
  namespace keys = prediction_keys;
  if (key == keys::LOGITS) return logits_;
  if (key == keys::PROBABILITIES) return nn::softmax(scores, {.name = keys::PROBABILITIES});
  if (key == keys::CLASS_IDS) return class_ids(scores);
  if (key == keys::CLASSES) return classes(scores);
  if (key == keys::ALL_CLASSES) return all_classes(generation_, logits_, n_classes_, vocabulary_);
  const Output count = rows_of(logits_);
  const Output ids = range(static_cast<int>(n_classes_));
  return in_every_row(expand_dims(ids, 0), count);
}

}  // namespace rill::estimator
