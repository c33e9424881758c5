#include "rill/api/estimator/core/eval_summary.h"

#include "rill/api/core/texts.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/summary/file_writer.h"
#include "rill/api/training/global_step_read.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::estimator {
namespace {

bool is_text(const Tensor& value) {
  return value.dtype() == DType::string && value.shape().rank() == 0;
}

// A scalar as a number; none where it is of another kind.
std::optional<double> number_of(const Tensor& value) {
  if (value.shape().rank() != 0) return {};
  switch (value.dtype()) {
    case DType::f32:
      return *value.data<float>();
    case DType::f64:
      return *value.data<double>();
    case DType::i32:
      return static_cast<double>(*value.data<std::int32_t>());
    case DType::i64:
      return static_cast<double>(*value.data<std::int64_t>());
    default:
      return {};
  }
}

void add_text(const std::string& name, const Tensor& value, tensorflow::Summary& summary) {
  tensorflow::Summary written;
  if (!written.ParseFromString(*value.data<std::string>())) {
    logging::warning("Skipping summary for ", name, ", cannot parse string to Summary.");
    return;
  }
  for (int i = 0; i < written.value_size(); ++i) {
    auto* const copy = summary.add_value();
    *copy = written.value(i);
    copy->set_tag(str_cat(name, "/", i));
  }
}

void add_array(const std::string& name, const Tensor& value, tensorflow::Summary& summary) {
  auto* const added = summary.add_value();
  added->set_tag(name);
  added->set_node_name(name);
  to_proto(value, added->mutable_tensor());
  logging::info(
      "Summary for np.ndarray is not visible in Tensorboard by default. Consider using a "
      "Tensorboard plugin for visualization (see "
      "https://github.com/tensorflow/tensorboard-plugin-example/blob/master/README.md for more "
      "information).");
}

void add_metric(const std::string& name, const Tensor& value, tensorflow::Summary& summary) {
  if (const std::optional<double> number = number_of(value)) {
    auto* const added = summary.add_value();
    added->set_tag(name);
    added->set_simple_value(static_cast<float>(*number));
  } else if (is_text(value)) {
    add_text(name, value, summary);
  } else if (value.shape().rank() != 0) {
    add_array(name, value, summary);
  } else {
    logging::warning("Skipping summary for ", name,
                     ", must be a float, np.float32, np.int64, np.int32 or int or np.ndarray or a "
                     "serialized string of Summary.");
  }
}

}  // namespace

std::string metrics_text(const Values& results) {
  std::string text;
  for (const auto& [name, value] : results)
    if (!is_text(value)) text += str_cat(text.empty() ? "" : ", ", name, " = ", value_text(value));
  return text;
}

void write_eval_summary(const std::string& directory, const Values& results,
                        const std::string& checkpoint) {
  const std::int64_t step = train::step_of(results.at("global_step"));
  logging::info("Saving dict for global step ", step, ": ", metrics_text(results));
  const auto writer = summaries::FileWriterCache::get(directory);
  tensorflow::Summary summary;
  for (const auto& [name, value] : results)
    if (name != "global_step") add_metric(name, value, summary);
  writer->add_summary(std::move(summary), step);
  writer->flush();
  if (checkpoint.empty()) return;
  logging::info("Saving 'checkpoint_path' summary for global step ", step, ": ", checkpoint);
  tensorflow::Summary path;
  path.add_value()->set_tag("checkpoint_path");
  to_proto(Tensor::scalar(checkpoint), path.mutable_value(0)->mutable_tensor());
  writer->add_summary(std::move(path), step);
  writer->flush();
}

}  // namespace rill::estimator
