// What is known of elements, and how stages of a pipeline change it.
#include "rill/api/data/element.h"
#include "rill/base/error.h"

namespace rill::data {
namespace {

PartialShape with_rows(const PartialShape& shape, std::int64_t count) {
  if (!shape.has_rank()) return {};
  PartialShape result{count};
  for (const std::int64_t dim : shape.dims()) result.add_dim(dim);
  return result;
}

PartialShape without_rows(const PartialShape& shape, const char* what) {
  if (!shape.has_rank()) return {};
  require(shape.rank() > 0, "Unbatching a ", what, " is only supported for rank >= 1");
  return PartialShape(shape.dims().subspan(1));
}

const char* name_of(PartKind kind) {
  switch (kind) {
    case PartKind::kTensor:
      return "tensor";
    case PartKind::kSparse:
      return "sparse tensor";
    case PartKind::kRagged:
      return "ragged tensor";
    case PartKind::kTensorArray:
      return "tensor array";
    case PartKind::kDataset:
      return "dataset";
    case PartKind::kOptional:
      return "optional";
  }
  return "";
}

PartSpec batched_part(PartSpec part, std::int64_t count) {
  if (part.kind == PartKind::kTensorArray || part.kind == PartKind::kOptional)
    raise(Code::kUnimplemented, "a batch of ", name_of(part.kind), "s");
  part.shape = with_rows(part.shape, count);
  if (part.kind == PartKind::kRagged) ++part.ragged_rank;
  return part;
}

PartSpec unbatched_part(PartSpec part) {
  if (part.kind == PartKind::kTensorArray || part.kind == PartKind::kOptional)
    raise(Code::kUnimplemented, "rows of an ", name_of(part.kind));
  part.shape = without_rows(part.shape, name_of(part.kind));
  if (part.kind == PartKind::kRagged) --part.ragged_rank;
  return part;
}

bool same_kind(const PartSpec& a, const PartSpec& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.ragged_rank == b.ragged_rank;
}

bool compatible_parts(const PartSpec& a, const PartSpec& b) {
  if (!same_kind(a, b) || !a.shape.is_compatible(b.shape)) return false;
  return a.element == nullptr || compatible(*a.element, *b.element);
}

PartSpec most_specific_compatible_part(const PartSpec& a, const PartSpec& b) {
  require_type(same_kind(a, b), "incompatible types: ", to_text(a), " vs. ", to_text(b));
  PartSpec result = a;
  result.shape = most_specific_compatible(a.shape, b.shape);
  if (a.element != nullptr)
    result.element =
        std::make_shared<const ElementSpec>(most_specific_compatible(*a.element, *b.element));
  return result;
}

ElementSpec each(const ElementSpec& spec, auto change) {
  ElementSpec result{{}, spec.form};
  for (const PartSpec& part : spec.parts) result.parts.push_back(change(part));
  return result;
}

}  // namespace

PartSpec PartSpec::tensor(DType dtype, PartialShape shape) {
  return {.kind = PartKind::kTensor, .dtype = dtype, .shape = std::move(shape)};
}
PartSpec PartSpec::sparse(DType dtype, PartialShape shape) {
  return {.kind = PartKind::kSparse, .dtype = dtype, .shape = std::move(shape)};
}

PartialShape PartSpec::carrier_shape() const {
  switch (kind) {
    case PartKind::kTensor:
    case PartKind::kDataset:
      return shape;
    case PartKind::kTensorArray:
    case PartKind::kOptional:
      return PartialShape::scalar();
    case PartKind::kSparse:
    case PartKind::kRagged:
      break;
  }
  return {};
}

std::vector<DType> ElementSpec::types() const {
  std::vector<DType> types;
  for (const PartSpec& part : parts) types.push_back(part.carrier_type());
  return types;
}

std::vector<PartialShape> ElementSpec::shapes() const {
  std::vector<PartialShape> shapes;
  for (const PartSpec& part : parts) shapes.push_back(part.carrier_shape());
  return shapes;
}

ElementSpec batched(const ElementSpec& spec, std::int64_t count) {
  return each(spec, [&](const PartSpec& part) { return batched_part(part, count); });
}

ElementSpec unbatched(const ElementSpec& spec) {
  return each(spec, [](const PartSpec& part) { return unbatched_part(part); });
}

bool compatible(const ElementSpec& a, const ElementSpec& b) {
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (!compatible_parts(a.parts[i], b.parts[i])) return false;
  return true;
}

ElementSpec most_specific_compatible(const ElementSpec& a, const ElementSpec& b) {
  require_type(a.parts.size() == b.parts.size(), "elements of ", a.parts.size(), " and of ",
               b.parts.size(), " parts");
  ElementSpec result{{}, a.form};
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    result.parts.push_back(most_specific_compatible_part(a.parts[i], b.parts[i]));
  return result;
}

PartialShape most_specific_compatible(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return {};
  PartialShape result = PartialShape::scalar();
  for (int i = 0; i < a.rank(); ++i) result.add_dim(a.dim(i) == b.dim(i) ? a.dim(i) : -1);
  return result;
}

std::string to_text(const PartSpec& spec) {
  return str_cat("a ", name_of(spec.kind), " of ", spec.dtype, " ", spec.shape);
}

}  // namespace rill::data
