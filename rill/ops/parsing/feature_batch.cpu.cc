#include "rill/ops/parsing/feature_batch.h"

#include <algorithm>

#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {

FeatureBatch::FeatureBatch(KernelCall& call, const FeatureSpecs& specs, const FeatureErrors& errors,
                           const FeatureTarget& target)
    : call_(call), specs_(specs), errors_(errors), target_(target) {
  for (std::size_t i = 0; i < specs.dense.size(); ++i) {
    specs.check_default(i, default_value(i));
    if (specs.dense[i].variable) {
      variable_.push_back(i);
    } else {
      make_dense(i, specs.dense[i].row);
    }
  }
  loose_.resize(static_cast<std::size_t>(target.example_count) * loose_count());
}

void FeatureBatch::make_dense(std::size_t i, const Shape& shape) const {
  (void)call_.allocate_output(dense_output(i),
                              target_.single ? shape : behind(target_.example_count, shape));
}

void FeatureBatch::read(std::size_t example, const EntryFinder& finder) {
  Feature feature;
  for (std::size_t i = 0, at = 0; i < specs_.keys.size(); ++i) {
    if (!read_feature(finder.value(i), &feature)) [[unlikely]]
      raise(Code::kInvalidArgument, errors_.unreadable(example, specs_.keys[i]));
    check_type(example, i, feature.type);
    const std::size_t dense = i - sparse_count();
    if (feature.type == DType::invalid && i >= sparse_count() && finder.has(i))
      check_unset(example, dense);
    if (i < sparse_count() || specs_.dense[dense].variable) {
      count(example, i, feature, &loose(example, at++));
    } else {
      write_dense(example, dense, feature);
    }
  }
}

void FeatureBatch::check_type(std::size_t example, std::size_t i, DType type) const {
  const bool sparse = i < sparse_count();
  const DType wanted = sparse ? specs_.sparse_types[i] : specs_.dense[i - sparse_count()].type;
  if (type != wanted && type != DType::invalid) [[unlikely]]
    raise(Code::kInvalidArgument,
          errors_.wrong_type(example, specs_.keys[i], sparse, wanted, type));
}

void FeatureBatch::check_unset(std::size_t example, std::size_t dense) const {
  const std::string wrong =
      errors_.unset(example, specs_.keys[sparse_count() + dense], specs_.dense[dense].type);
  require(wrong.empty(), wrong);
}

void FeatureBatch::count(std::size_t example, std::size_t i, const Feature& feature,
                         Loose* loose) const {
  loose->feature = feature;
  loose->count = feature.type == DType::invalid ? 0 : value_count(feature);
  if (loose->count < 0) raise(Code::kInvalidArgument, errors_.unreadable(example, specs_.keys[i]));
  if (i < sparse_count()) return;
  const DenseSpec& spec = specs_.dense[i - sparse_count()];
  if (loose->count % spec.size != 0)
    raise(Code::kInvalidArgument, errors_.wrong_count(example, specs_.keys[i], spec, loose->count));
}

void FeatureBatch::write_dense(std::size_t example, std::size_t i, const Feature& feature) const {
  const DenseSpec& spec = specs_.dense[i];
  void* const dst = element_at(call_.output_tensor(dense_output(i)),
                               static_cast<std::int64_t>(example) * spec.size);
  if (feature.type != DType::invalid && read_values(feature, dst, spec.size)) [[likely]]
    return;
  const std::string& key = specs_.keys[sparse_count() + i];
  if (feature.type == DType::invalid) {
    const Tensor& value = default_value(i);
    if (value.element_count() == 0)
      raise(Code::kInvalidArgument, errors_.missing(example, key, spec));
    copy_elements(spec.type, dst, value.raw_data(), static_cast<std::size_t>(spec.size));
    return;
  }
  const std::int64_t count = value_count(feature);
  raise(Code::kInvalidArgument, count < 0 || count == spec.size
                                    ? errors_.unreadable(example, key)
                                    : errors_.wrong_count(example, key, spec, count));
}

void FeatureBatch::make_loose() {
  for (std::size_t i = 0; i < sparse_count(); ++i) make_sparse(i);
  for (std::size_t i = 0; i < variable_.size(); ++i) make_variable(i);
}

void FeatureBatch::make_sparse(std::size_t i) {
  std::int64_t total = 0, longest = 0;
  for (std::int64_t example = 0; example < target_.example_count; ++example) {
    Loose& at = loose(static_cast<std::size_t>(example), i);
    at.offset = total;
    total += at.count;
    longest = std::max(longest, at.count);
  }
  (void)call_.allocate_output(output(i), {total, rank()});
  (void)call_.allocate_output(output(sparse_count() + i), {total});
  auto* const shape =
      call_.allocate_output(output(2 * sparse_count() + i), {rank()}).data<std::int64_t>();
  if (!target_.single) shape[0] = target_.example_count;
  shape[rank() - 1] = longest;
}

void FeatureBatch::make_variable(std::size_t v) {
  const DenseSpec& spec = specs_.dense[variable_[v]];
  const auto examples = static_cast<std::size_t>(target_.example_count);
  std::int64_t longest = 0;
  for (std::size_t example = 0; example < examples; ++example)
    longest = std::max(longest, loose(example, sparse_count() + v).count);
  make_dense(variable_[v], behind(longest / spec.size, spec.row));
  for (std::size_t example = 0; example < examples; ++example)
    loose(example, sparse_count() + v).offset = static_cast<std::int64_t>(example) * longest;
}

void FeatureBatch::write_loose(std::size_t example) {
  for (std::size_t i = 0; i < loose_count(); ++i) {
    const Loose& at = loose(example, i);
    const bool sparse = i < sparse_count();
    const std::size_t dense = sparse ? 0 : variable_[i - sparse_count()];
    const Tensor& values =
        call_.output_tensor(sparse ? output(sparse_count() + i) : dense_output(dense));
    if (at.count > 0 && !read_values(at.feature, element_at(values, at.offset), at.count))
      raise(Code::kInvalidArgument,
            errors_.unreadable(example, specs_.keys[sparse ? i : sparse_count() + dense]));
    sparse ? write_indices(example, i, at) : pad(dense, at, values);
  }
}

void FeatureBatch::write_indices(std::size_t example, std::size_t i, const Loose& at) const {
  auto* dst = call_.output_tensor(output(i)).data<std::int64_t>() + at.offset * rank();
  for (std::int64_t k = 0; k < at.count; ++k) {
    if (!target_.single) *dst++ = static_cast<std::int64_t>(example);
    *dst++ = k;
  }
}

// Behind the values of one example, up to those of the next.
void FeatureBatch::pad(std::size_t dense, const Loose& at, const Tensor& values) const {
  const std::int64_t length = values.element_count() / target_.example_count;
  for (std::int64_t k = at.count; k < length; ++k)
    copy_elements(values.dtype(), element_at(values, at.offset + k),
                  default_value(dense).raw_data(), 1);
}

void for_examples(const KernelCall& call, std::span<const std::string> examples,
                  FunctionRef<void(std::size_t, std::size_t)> body) {
  std::size_t bytes = 0;
  for (const std::string& example : examples) bytes += example.size();
  const auto count = static_cast<double>(std::max<std::size_t>(1, examples.size()));
  call.parallel_for(examples.size(), 100 + static_cast<double>(bytes) / count, body);
}

}  // namespace rill
