#pragma once

#include "rill/api/estimator/heads/head.h"

namespace rill::estimator {

// tf.contrib.estimator's heads are the first, tf.estimator's the second.
enum class Generation { kFirst, kSecond };

// Checks of what heads are given, for the graph while it is built and for the steps. All build in
// current_scope() and throw InvalidArgument where something is known not to fit.

// Labels with a last dimension of this size. Throws where there are none, or sparse ones.
Output dense_labels(Generation generation, const Features& labels, Output logits,
                    std::int64_t dimension);
// The lone tensor or sparse tensor of the labels; throws where there is none.
const data::Component& lone_label(Generation generation, const Features& labels);

// Logits as float32 with a last dimension of this size.
Output checked_logits(Generation generation, Output logits, std::int64_t dimension);

// 1, or the weights that the column gives for each example. `per_logit`: or for each logit.
Input checked_weights(const Features& features, const WeightColumn& column, Output logits,
                      bool per_logit);

// Labels from 0 to n_classes - 1.
Output checked_range(Generation generation, Output labels, std::int64_t n_classes,
                     const std::string& message = {});

Output called_loss(const LossFn& loss_fn, Output labels, Output logits, const Features& features,
                   std::int64_t dimension);

void require_thresholds(const std::vector<double>& thresholds, const char* message);
void require_reduction(losses::Reduction reduction);

}  // namespace rill::estimator
