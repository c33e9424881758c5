// Every op's shape function on random attributes, shapes and values: it answers with as many shapes
// as there are outputs, or with an Error.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>

#include "rill/base/error.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/register.h"

namespace {

using namespace rill;

// Numbers from the input, zeros after its end.
class Bytes {
 public:
  // Half of the inputs are tame: one rank for most shapes, small sizes.
  Bytes(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size), tame_(next() % 2 == 1), rank_(next() % 6) {}
  int next() { return position_ < size_ ? data_[position_++] : 0; }
  int below(int n) { return next() % n; }
  std::int64_t number() {
    if (tame_) return 1 + below(3);
    static constexpr std::int64_t kOdd[] = {-1,
                                            0,
                                            1,
                                            2,
                                            3,
                                            4,
                                            5,
                                            7,
                                            16,
                                            -2,
                                            255,
                                            1 << 20,
                                            std::int64_t{1} << 31,
                                            std::int64_t{1} << 62,
                                            INT64_MAX,
                                            INT64_MIN};
    return kOdd[below(16)];
  }
  std::int64_t dim() {
    if (tame_) return below(8) == 0 ? -1 : 2;
    static constexpr std::int64_t kDims[] = {
        -1, -1, 0, 1, 1, 2, 2, 3, 4, 5, 8, 1 << 20, std::int64_t{1} << 40, INT64_MAX};
    return kDims[below(14)];
  }
  int length(int minimum) { return tame_ && minimum < 4 ? 4 + below(2) : minimum + below(6); }
  PartialShape shape() {
    const int rank = tame_ && below(4) != 0 ? rank_ : below(7) - 1;
    if (rank < 0) return {};
    Dims dims;
    for (int i = 0; i < rank; ++i) dims.push_back(dim());
    return PartialShape(dims.span());
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, position_ = 0;
  bool tame_;
  int rank_;
};

AttrValue scalar_value(Bytes& in, const AttrSpec& spec) {
  switch (spec.kind) {
    case AttrKind::kString:
      if (!spec.allowed_strings.empty())
        return spec
            .allowed_strings[static_cast<std::size_t>(in.next()) % spec.allowed_strings.size()];
      return in.below(2) == 0 ? "" : "NHWC";
    case AttrKind::kInt:
      return spec.minimum ? std::max(*spec.minimum, in.number()) : in.number();
    case AttrKind::kFloat:
      return static_cast<float>(in.number());
    case AttrKind::kBool:
      return in.below(2) == 1;
    case AttrKind::kType:
      if (!spec.allowed_types.empty())
        return spec.allowed_types[static_cast<std::size_t>(in.next()) % spec.allowed_types.size()];
      return static_cast<DType>(1 + in.below(kDTypeCount - 1));
    case AttrKind::kShape:
      return in.shape();
    case AttrKind::kTensor:
      return Tensor::scalar<std::int32_t>(in.below(5));
    case AttrKind::kFunc:
      return FuncName{"f", {}};
  }
  return {};
}

template <class T>
AttrValue list_value(Bytes& in, const AttrSpec& spec, int length) {
  std::vector<T> list;
  for (int i = 0; i < length; ++i) list.push_back(scalar_value(in, spec).get<T>());
  return list;
}

AttrValue random_value(Bytes& in, const AttrSpec& spec) {
  if (!spec.is_list) return scalar_value(in, spec);
  const int length = in.length(static_cast<int>(spec.minimum.value_or(0)));
  switch (spec.kind) {
    case AttrKind::kString:
      return list_value<std::string>(in, spec, length);
    case AttrKind::kInt:
      return list_value<std::int64_t>(in, spec, length);
    case AttrKind::kFloat:
      return list_value<float>(in, spec, length);
    case AttrKind::kBool:
      return list_value<bool>(in, spec, length);
    case AttrKind::kType:
      return list_value<DType>(in, spec, length);
    case AttrKind::kShape:
      return list_value<PartialShape>(in, spec, length);
    case AttrKind::kTensor:
      return list_value<Tensor>(in, spec, length);
    case AttrKind::kFunc:
      return list_value<FuncName>(in, spec, length);
  }
  return {};
}

AttrMap random_attrs(Bytes& in, const Op& op) {
  AttrMap attrs;
  for (const AttrSpec& spec : op.attrs) {
    const bool is_default = spec.default_value && in.below(2) == 0;
    AttrValue value = is_default ? *spec.default_value : random_value(in, spec);
    for (const std::vector<Arg>* args : {&op.inputs, &op.outputs})  // lengths stay small
      for (const Arg& arg : *args)
        if (arg.number_attr == spec.name) value = AttrValue(spec.minimum.value_or(0) + in.below(4));
    attrs.emplace(spec.name, std::move(value));
  }
  return attrs;
}

int total_length(const std::vector<Arg>& args, const AttrMap& attrs, std::vector<DType>* types) {
  for (const Arg& arg : args)
    for (const DType type : arg_types(arg, attrs)) types->push_back(base_type(type));
  return static_cast<int>(types->size());
}

// A small constant of integers where the input is one and its shape allows.
std::optional<Tensor> random_tensor(Bytes& in, DType type, const PartialShape& shape) {
  if ((type != DType::i32 && type != DType::i64) || in.below(4) == 0) return {};
  if (!shape.is_full() || shape.rank() > 2) return {};
  for (const std::int64_t dim : shape.dims())
    if (dim > 8) return {};
  Tensor tensor(type, shape.full());
  for (std::int64_t i = 0; i < tensor.element_count(); ++i) {
    if (type == DType::i32)
      tensor.data<std::int32_t>()[i] = static_cast<std::int32_t>(in.number());
    else
      tensor.data<std::int64_t>()[i] = in.number();
  }
  return tensor;
}

void infer(Bytes& in, const Op& op) {
  const AttrMap attrs = random_attrs(in, op);
  std::vector<DType> types, result_types;
  const int inputs = total_length(op.inputs, attrs, &types);
  const int outputs = total_length(op.outputs, attrs, &result_types);
  Shapes shapes;
  std::vector<std::optional<Tensor>> values;
  for (int i = 0; i < inputs; ++i) {
    shapes.push_back(in.shape());
    values.push_back(random_tensor(in, types[static_cast<std::size_t>(i)], shapes.back()));
  }
  const auto value = [&](int i) -> const Tensor* {
    const auto& found = values.at(static_cast<std::size_t>(i));
    return found ? &*found : nullptr;
  };
  const auto shape_value = [&](int) { return PartialShape(); };
  const ShapeCtx c(op, attrs, shapes, outputs, value, shape_value);
  const Shapes answer = op.shape(c);
  if (static_cast<int>(answer.size()) != outputs) {
    std::fprintf(stderr, "%s: %zu shapes for %d outputs\n", op.name.c_str(), answer.size(),
                 outputs);
    __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& ops = *new std::vector<const Op*>(standard_ops().all());
  if (size < 3) return 0;
  const Op& op = *ops[(data[0] | static_cast<std::size_t>(data[1]) << 8) % ops.size()];
  if (op.shape == nullptr) return 0;
  Bytes in(data + 2, size - 2);
  try {
    infer(in, op);
  } catch (const Error&) {
  } catch (const std::exception& other) {
    std::fprintf(stderr, "%s: %s\n", op.name.c_str(), other.what());
    __builtin_trap();
  }
  return 0;
}
