#include "rill/api/rnn/cell_dropout.h"

#include "rill/api/array/joining.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/random.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/api/nn/dropout.h"
#include "rill/api/random/random_seed.h"
#include "rill/base/error.h"
#include "rill/base/md5.h"

namespace rill::nn::rnn_cell {
namespace {

constexpr const char* kNames[] = {"input", "state", "output"};

double number_in(const Tensor& value) {
  if (value.dtype() == DType::f64) return value.scalar_value<double>();
  if (value.dtype() == DType::i32) return value.scalar_value<std::int32_t>();
  require(value.dtype() == DType::f32, "a probability must be a float, not ",
          numpy_name(value.dtype()));
  return static_cast<double>(value.scalar_value<float>());
}

// Numbers in [0, 1), as they are drawn: neither scaled nor shifted.
Output noise_of(Output dims, DType dtype, std::optional<std::int64_t> seed) {
  const NameScope named("random_uniform");
  const RandomSeeds seeds = random_seeds(current_scope().graph(), seed);
  return raw::RandomUniform(dims, dtype, {.seed = seeds.seed, .seed2 = seeds.seed2});
}

}  // namespace

CellDropout::CellDropout(const DropoutForm& form, const Sizes& state, const Sizes& output)
    : variational_(form.variational_recurrent), dtype_(form.dtype), seed_(form.seed) {
  {
    const NameScope named("DropoutWrapperInit");
    const std::pair<Part, const Input*> given[] = {{kInput, &form.input_keep_prob},
                                                   {kState, &form.state_keep_prob},
                                                   {kOutput, &form.output_keep_prob}};
    for (const auto& [part, keep] : given) {
      keep_[part].tensor = as_tensor(*keep);
      const std::optional<Tensor> value = static_value(keep_[part].tensor);
      if (!value || value->element_count() != 1) continue;
      keep_[part].number = number_in(*value);
      require(*keep_[part].number >= 0 && *keep_[part].number <= 1, "Parameter ", kNames[part],
              "_keep_prob must be between 0 and 1: ", *keep_[part].number);
    }
  }
  if (!variational_) return;
  require(dtype_ != DType::invalid, "When variational_recurrent=True, dtype must be provided");
  if (drops(kInput)) {
    require(form.input_size.has_value(),
            "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size "
            "must be provided");
    make_noise(kInput, *form.input_size);
  }
  make_noise(kState, state);
  make_noise(kOutput, output);
}

bool CellDropout::drops(Part part) const { return !keep_[part].number || *keep_[part].number < 1; }

std::optional<std::int64_t> CellDropout::seed(Part part, std::size_t index) const {
  if (!seed_) return {};
  const std::string digits = md5_hex(str_cat(*seed_, kNames[part], "_", index)).substr(0, 8);
  return static_cast<std::int64_t>(std::stoul(digits, nullptr, 16) & 0x7FFFFFFFu);
}

void CellDropout::make_noise(Part part, const Sizes& sizes) {
  for (const PartialShape& size : sizes) {
    const Output dims = concat({Tensor::vector<std::int32_t>({1}), shape_tensor(size.full())}, 0);
    noise_[part].push_back(noise_of(dims, dtype_, seed(part, noise_[part].size())));
  }
}

Output CellDropout::drop(Part part, Output value, std::size_t index,
                         std::optional<std::size_t> noise) const {
  const auto& [number, tensor] = keep_[part];
  const Input keep = number ? Input(*number) : Input(tensor);
  if (!variational_) {
    const Input rate = number ? Input(1.0 - *number) : Input(1.0 - tensor);
    return dropout(value, {.seed = seed(part, index), .rate = rate});
  }
  const Output lifted =
      operators::add(keep, noise_[part].at(noise.value_or(index)), std::source_location::current());
  const Output kept = raw::Floor(lifted);
  const Output larger = divide(value, keep);
  const Output result = larger * kept;
  result.node->graph().refine_shape(result, value.shape());
  return result;
}

std::vector<Output> CellDropout::drop_all(Part part, std::vector<Output> values) const {
  if (!drops(part)) return values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = drop(part, values[i], i);
  return values;
}

}  // namespace rill::nn::rnn_cell
