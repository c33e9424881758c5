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

const char* name_of(ComponentKind kind) {
  switch (kind) {
    case ComponentKind::kTensor:
      return "tensor";
    case ComponentKind::kSparse:
      return "sparse tensor";
    case ComponentKind::kRagged:
      return "ragged tensor";
    case ComponentKind::kTensorArray:
      return "tensor array";
    case ComponentKind::kDataset:
      return "dataset";
    case ComponentKind::kOptional:
      return "optional";
  }
  return "";
}

ComponentSpec batched_part(ComponentSpec part, std::int64_t count) {
  if (part.kind == ComponentKind::kTensorArray || part.kind == ComponentKind::kOptional)
    raise(Code::kUnimplemented, "a batch of ", name_of(part.kind), "s");
  part.shape = with_rows(part.shape, count);
  if (part.kind == ComponentKind::kRagged) ++part.ragged_rank;
  return part;
}

ComponentSpec unbatched_part(ComponentSpec part) {
  if (part.kind == ComponentKind::kTensorArray || part.kind == ComponentKind::kOptional)
    raise(Code::kUnimplemented, "rows of an ", name_of(part.kind));
  part.shape = without_rows(part.shape, name_of(part.kind));
  if (part.kind == ComponentKind::kRagged) --part.ragged_rank;
  return part;
}

bool same_kind(const ComponentSpec& a, const ComponentSpec& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.ragged_rank == b.ragged_rank;
}

bool compatible_parts(const ComponentSpec& a, const ComponentSpec& b) {
  if (!same_kind(a, b) || !a.shape.is_compatible(b.shape)) return false;
  return a.element == nullptr || compatible(*a.element, *b.element);
}

ComponentSpec most_specific_compatible_part(const ComponentSpec& a, const ComponentSpec& b) {
  require_type(same_kind(a, b), "incompatible types: ", to_text(a), " vs. ", to_text(b));
  ComponentSpec result = a;
  result.shape = most_specific_compatible(a.shape, b.shape);
  if (a.element != nullptr)
    result.element =
        std::make_shared<const ElementSpec>(most_specific_compatible(*a.element, *b.element));
  return result;
}

ElementSpec each(const ElementSpec& spec, auto change) {
  ElementSpec result{{}, spec.form};
  for (const ComponentSpec& part : spec.parts) result.parts.push_back(change(part));
  return result;
}

}  // namespace

ComponentSpec ComponentSpec::tensor(DType dtype, PartialShape shape) {
  return {.kind = ComponentKind::kTensor, .dtype = dtype, .shape = std::move(shape)};
}
ComponentSpec ComponentSpec::sparse(DType dtype, PartialShape shape) {
  return {.kind = ComponentKind::kSparse, .dtype = dtype, .shape = std::move(shape)};
}

PartialShape ComponentSpec::carrier_shape() const {
  switch (kind) {
    case ComponentKind::kTensor:
    case ComponentKind::kDataset:
      return shape;
    case ComponentKind::kTensorArray:
    case ComponentKind::kOptional:
      return PartialShape::scalar();
    case ComponentKind::kSparse:
    case ComponentKind::kRagged:
      break;
  }
  return {};
}

std::vector<DType> ElementSpec::types() const {
  std::vector<DType> types;
  for (const ComponentSpec& part : parts) types.push_back(part.carrier_type());
  return types;
}

std::vector<PartialShape> ElementSpec::shapes() const {
  std::vector<PartialShape> shapes;
  for (const ComponentSpec& part : parts) shapes.push_back(part.carrier_shape());
  return shapes;
}

ElementSpec batched(const ElementSpec& spec, std::int64_t count) {
  return each(spec, [&](const ComponentSpec& part) { return batched_part(part, count); });
}

ElementSpec unbatched(const ElementSpec& spec) {
  return each(spec, [](const ComponentSpec& part) { return unbatched_part(part); });
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

std::string to_text(const ComponentSpec& spec) {
  return str_cat("a ", name_of(spec.kind), " of ", spec.dtype, " ", spec.shape);
}

}  // namespace rill::data
