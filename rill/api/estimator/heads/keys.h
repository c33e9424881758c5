#pragma once

namespace rill::estimator {

// Names in the results of heads.
namespace metric_keys {
inline constexpr char LOSS[] = "loss";
inline constexpr char LOSS_MEAN[] = "average_loss";
inline constexpr char LOSS_REGULARIZATION[] = "regularization_loss";
inline constexpr char ACCURACY[] = "accuracy";
inline constexpr char PRECISION[] = "precision";
inline constexpr char RECALL[] = "recall";
inline constexpr char ACCURACY_BASELINE[] = "accuracy_baseline";
inline constexpr char AUC[] = "auc";
inline constexpr char AUC_PR[] = "auc_precision_recall";
inline constexpr char LABEL_MEAN[] = "label/mean";
inline constexpr char PREDICTION_MEAN[] = "prediction/mean";
inline constexpr char PROBABILITY_MEAN[] = "probability_mean";
}  // namespace metric_keys

namespace prediction_keys {
inline constexpr char CLASSES[] = "classes";
inline constexpr char CLASS_IDS[] = "class_ids";
inline constexpr char ALL_CLASSES[] = "all_classes";
inline constexpr char ALL_CLASS_IDS[] = "all_class_ids";
inline constexpr char LOGISTIC[] = "logistic";
inline constexpr char LOGITS[] = "logits";
inline constexpr char PREDICTIONS[] = "predictions";
inline constexpr char PROBABILITIES[] = "probabilities";
}  // namespace prediction_keys

// Signatures of exported models.
namespace serving_keys {
inline constexpr char DEFAULT[] = "serving_default";
inline constexpr char CLASSIFY[] = "classification";
inline constexpr char REGRESS[] = "regression";
inline constexpr char PREDICT[] = "predict";
}  // namespace serving_keys

}  // namespace rill::estimator
