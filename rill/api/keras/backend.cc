#include "rill/api/keras/backend.h"

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/base/error.h"

namespace rill::keras::backend {
namespace {

struct Settings {
  double epsilon = 1e-7;
  DType floatx = DType::f32;
  std::string image_data_format = "channels_last";
};
Settings& settings() {
  static Settings of_process;
  return of_process;
}

// What a graph knows of training.
struct Phase {
  std::optional<bool> fixed;
  Output placeholder;
};
Phase& phase() { return default_graph()->attached<Phase>(); }

}  // namespace

double epsilon() { return settings().epsilon; }
void set_epsilon(double value) { settings().epsilon = value; }

DType floatx() { return settings().floatx; }
void set_floatx(DType dtype) {
  require(dtype == DType::f16 || dtype == DType::f32 || dtype == DType::f64,
          "Unknown floatx type: ", dtype);
  settings().floatx = dtype;
}

const std::string& image_data_format() { return settings().image_data_format; }
void set_image_data_format(const std::string& format) {
  require(format == "channels_last" || format == "channels_first", "Unknown data_format: ", format);
  settings().image_data_format = format;
}

Input learning_phase() {
  Phase& known = phase();
  if (known.fixed) return *known.fixed ? 1 : 0;
  if (executing_eagerly()) return 0;
  if (!known.placeholder.node) {
    const InScope top{Scope(*default_graph())};  // whatever stands around the first question
    known.placeholder = raw::PlaceholderWithDefault(Tensor::scalar(false), PartialShape::scalar(),
                                                    {.name = "keras_learning_phase"});
  }
  return known.placeholder;
}

bool has_learning_phase() { return !phase().fixed && phase().placeholder.node != nullptr; }
void set_learning_phase(std::optional<bool> value) { phase().fixed = value; }

Output in_train_phase(const std::function<Output()>& training,
                      const std::function<Output()>& testing, const OptionalInput& is_training,
                      std::source_location at) {
  const MadeAt place(at);
  const Input chosen = is_training ? *is_training : learning_phase();
  return smart_cond(
             chosen, [&] { return std::vector<Output>{training()}; },
             [&] { return std::vector<Output>{testing()}; })
      .at(0);
}

}  // namespace rill::keras::backend
