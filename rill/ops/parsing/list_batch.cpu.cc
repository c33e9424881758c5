#include "rill/ops/parsing/list_batch.h"

#include <algorithm>

#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/parsing/output_shapes.h"
#include "rill/ops/parsing/wire.h"

namespace rill {
namespace {

// Calls each(feature) for the features of a FeatureList. False when the bytes are no such message.
template <class Each>
bool for_features(std::string_view list, Each each) {
  WireReader reader(list);
  while (!reader.at_end()) {
    std::uint32_t tag = 0;
    std::string_view bytes;
    Feature feature;
    if (!reader.tag(&tag)) return false;
    if (tag != delimited_tag(1)) {
      if (!reader.skip(tag)) return false;
    } else if (!reader.delimited(&bytes) || !read_feature(bytes, &feature)) {
      return false;
    } else {
      each(feature);
    }
  }
  return true;
}

}  // namespace

ListBatch::ListBatch(KernelCall& call, const FeatureSpecs& specs, const ListErrors& errors,
                     const ListTarget& target)
    : call_(call),
      specs_(specs),
      errors_(errors),
      target_(target),
      found_(static_cast<std::size_t>(target.example_count) * specs.keys.size()) {}

void ListBatch::read(std::size_t example, const EntryFinder& finder) {
  for (std::size_t i = 0; i < specs_.keys.size(); ++i) {
    const bool sparse = i < sparse_count();
    if (!finder.has(i)) {
      if (!sparse && !target_.may_miss[i - sparse_count()])
        raise(Code::kInvalidArgument, errors_.missing(example, specs_.keys[i]));
      continue;
    }
    Found& at = found(example, i);
    at.list = finder.value(i);
    if (!for_features(at.list, [&](const Feature& f) { add_feature(example, i, f, &at); }))
      raise(Code::kInvalidArgument, errors_.unreadable(example));
  }
}

void ListBatch::add_feature(std::size_t example, std::size_t i, const Feature& feature,
                            Found* at) const {
  const bool sparse = i < sparse_count();
  const DType wanted = sparse ? specs_.sparse_types[i] : specs_.dense[i - sparse_count()].type;
  const std::int64_t index = at->length++;
  const bool unset = feature.type == DType::invalid;
  if (feature.type != wanted && !unset)
    raise(Code::kInvalidArgument,
          errors_.wrong_type(example, specs_.keys[i], index, sparse, wanted, feature.type));
  const std::int64_t count = unset ? 0 : value_count(feature);
  if (count < 0) raise(Code::kInvalidArgument, errors_.unreadable(example));
  if (!sparse && count != specs_.dense[i - sparse_count()].size)
    raise(Code::kInvalidArgument, errors_.wrong_count(example, specs_.keys[i], index,
                                                      specs_.dense[i - sparse_count()], count));
  at->count += count;
  at->longest = std::max(at->longest, count);
}

void ListBatch::make_outputs() {
  for (std::size_t i = 0; i < sparse_count(); ++i) make_sparse(i);
  for (std::size_t i = 0; i < specs_.dense.size(); ++i) make_dense(i);
}

void ListBatch::make_sparse(std::size_t i) {
  std::int64_t total = 0, length = 0, longest = 0;
  for (std::int64_t example = 0; example < target_.example_count; ++example) {
    Found& at = found(static_cast<std::size_t>(example), i);
    at.offset = total;
    total += at.count;
    length = std::max(length, at.length);
    longest = std::max(longest, at.longest);
  }
  (void)call_.allocate_output(output(i), {total, rank()});
  (void)call_.allocate_output(output(sparse_count() + i), {total});
  auto* shape =
      call_.allocate_output(output(2 * sparse_count() + i), {rank()}).data<std::int64_t>();
  if (!target_.single) *shape++ = target_.example_count;
  shape[0] = length;
  shape[1] = longest;
}

void ListBatch::make_dense(std::size_t i) {
  const std::size_t key = sparse_count() + i;
  const DenseSpec& spec = specs_.dense[i];
  std::int64_t length = 0;
  for (std::int64_t example = 0; example < target_.example_count; ++example)
    length = std::max(length, found(static_cast<std::size_t>(example), key).length);
  const Shape rows = behind(length, spec.row);
  (void)call_.allocate_output(dense_output(i),
                              target_.single ? rows : behind(target_.example_count, rows));
  for (std::int64_t example = 0; example < target_.example_count; ++example)
    found(static_cast<std::size_t>(example), key).offset = example * rows.element_count();
  if (target_.single) return;
  auto* const lengths =
      call_.allocate_output(dense_output(specs_.dense.size() + i), {target_.example_count})
          .data<std::int64_t>();
  for (std::int64_t example = 0; example < target_.example_count; ++example)
    lengths[example] = found(static_cast<std::size_t>(example), key).length;
}

void ListBatch::write(std::size_t example) {
  for (std::size_t i = 0; i < sparse_count(); ++i) write_sparse(example, i);
  for (std::size_t i = 0; i < specs_.dense.size(); ++i) write_dense(example, i);
}

void ListBatch::write_sparse(std::size_t example, std::size_t i) {
  const Found& at = found(example, i);
  const Tensor& values = call_.output_tensor(output(sparse_count() + i));
  auto* index = call_.output_tensor(output(i)).data<std::int64_t>() + at.offset * rank();
  std::int64_t offset = at.offset, position = 0;
  for_features(at.list, [&](const Feature& feature) {
    const std::int64_t count = feature.type == DType::invalid ? 0 : value_count(feature);
    if (count > 0 && !read_values(feature, element_at(values, offset), count))
      raise(Code::kInvalidArgument, errors_.unreadable(example));
    for (std::int64_t k = 0; k < count; ++k) {
      if (!target_.single) *index++ = static_cast<std::int64_t>(example);
      *index++ = position;
      *index++ = k;
    }
    offset += count;
    ++position;
  });
}

// Behind the end of a list there are zeros or empty strings.
void ListBatch::write_dense(std::size_t example, std::size_t i) {
  const Found& at = found(example, sparse_count() + i);
  const DenseSpec& spec = specs_.dense[i];
  const Tensor& values = call_.output_tensor(dense_output(i));
  std::int64_t offset = at.offset;
  for_features(at.list, [&](const Feature& feature) {
    if (!read_values(feature, element_at(values, offset), spec.size))
      raise(Code::kInvalidArgument, errors_.unreadable(example));
    offset += spec.size;
  });
  const std::int64_t end = at.offset + values.element_count() / target_.example_count;
  if (is_trivial(spec.type) && end > offset)
    std::memset(element_at(values, offset), 0,
                static_cast<std::size_t>(end - offset) * element_size(spec.type));
}

}  // namespace rill
