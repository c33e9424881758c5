#pragma once

#include <deque>

#include "rill/ops/register.h"
#include "rill/ops/train/update_shape.h"
#include "tests/optest/op_case.h"

namespace rill {

// Rows for one rule of an optimizer in all its forms: by reference and by handle, whole and sparse.
struct UpdateRule {
  std::string rule;             // "Adam"
  std::vector<double> scalars;  // in the order of the ops' arguments
  AttrMap attrs = {};
  TypeSet types = kFloatTypes;  // that TensorFlow has kernels for in all forms
};

// The inputs of `op` in the order of its declaration.
inline std::vector<CaseInput> update_inputs(const Op& op, const UpdateRule& rule, DType dtype,
                                            DType index_type, const Shape& shape) {
  const UpdateArgs args = update_args(op);
  std::vector<CaseInput> inputs;
  std::size_t scalar = 0;
  for (int i = 0; i < static_cast<int>(op.inputs.size()); ++i) {
    const Arg& arg = op.inputs[static_cast<std::size_t>(i)];
    const auto seed = static_cast<std::uint64_t>(i + 1);
    if (i < args.states) {
      // Slots hold what they could: sums of squares are not negative.
      const Tensor value = random(dtype, shape, seed, i == 0 ? -1 : 0.1, 1);
      inputs.push_back(arg.is_ref ? ref(value) : resource(value));
    } else if (i == args.grad) {
      inputs.emplace_back(
          random(dtype, args.indices >= 0 ? shape.with_dim(0, 3) : shape, seed, -1, 1));
    } else if (i == args.indices) {
      inputs.emplace_back(values(index_type, {3}, {1, 0, 1}));
    } else {
      const DType type = arg.type == DType::invalid ? dtype : arg.type;
      inputs.emplace_back(values(type, {}, {rule.scalars.at(scalar++)}));
    }
  }
  return inputs;
}

// Differences of rounded numbers may nearly cancel.
inline double absolute_tolerance(DType dtype) {
  return dtype == DType::f16 ? 4e-3 : dtype == DType::bf16 ? 3e-2 : 1e-7;
}

inline void add_update_cases(std::vector<OpCase>& cases, const UpdateRule& rule) {
  static std::deque<std::string> names;  // rows keep pointers
  for (const char* form : {"Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"}) {
    const Op* op = standard_ops().find(form + rule.rule);
    if (op == nullptr) continue;
    names.push_back(op->name);
    const auto add = [&](DType dtype, DType index_type, const Shape& shape) {
      cases.push_back({.op = names.back().c_str(),
                       .in = update_inputs(*op, rule, dtype, index_type, shape),
                       .attrs = rule.attrs,
                       .atol = absolute_tolerance(dtype)});
    };
    for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
      if (rule.types.contains(dtype)) add(dtype, DType::i32, {2, 5});
    add(DType::f32, DType::i64, {4, 3, 2});
    add(DType::f32, DType::i32, {40, 500});
  }
}

}  // namespace rill
