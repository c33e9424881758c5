#pragma once

#include <cstddef>
#include <memory>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// Element-wise kernels are rows found by dtype plus one loop around them, compiled once. A row
// function knows its element types; it must allow `out` to be the same memory as an operand.
using UnaryRow = void (*)(void* out, const void* x, std::size_t n);
using BinaryRow = void (*)(void* out, const void* x, const void* y, std::size_t n);

// The row that calls `f` for each element.
template <class T, T (*f)(T)>
void mapped_row(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = f(static_cast<const T*>(x)[i]);
}

struct UnaryRows {
  UnaryRow row = nullptr;
  double cost = 0.3;  // nanoseconds for one element, roughly
};

struct BinaryRows {
  BinaryRow both = nullptr;      // x[i] with y[i]
  BinaryRow scalar_y = nullptr;  // x[i] with y[0]; without it `both` runs on a repeated y[0]
  BinaryRow scalar_x = nullptr;  // x[0] with y[i]; likewise
  double cost = 0.3;
  void (*check_y)(const void* y, std::size_t n) = nullptr;  // throws on values it refuses
};

// Finds the rows of one op. half and bfloat16 need no rows: they are computed through float and
// rounded once, unless the finder has rows for them.
using FindUnary = UnaryRows (*)(DType);
using FindBinary = BinaryRows (*)(DType);

std::unique_ptr<KernelState> make_unary_state(const KernelNode& node, FindUnary find);
std::unique_ptr<KernelState> make_binary_state(const KernelNode& node, FindBinary find);

// For KernelEntry::make_state.
template <FindUnary find>
std::unique_ptr<KernelState> unary_state(const KernelNode& node) {
  return make_unary_state(node, find);
}
template <FindBinary find>
std::unique_ptr<KernelState> binary_state(const KernelNode& node) {
  return make_binary_state(node, find);
}

// The rows of Add, for kernels that sum.
BinaryRows find_add_rows(DType type);

// Structured kernels: output 0 is sized, input shapes broadcast to it.
void run_unary(KernelCall& call);
void run_binary(KernelCall& call);
// run_binary on the same elements seen under other shapes.
void run_binary_as(KernelCall& call, const Shape& x, const Shape& y, const Shape& out);

template <FindUnary find>
constexpr KernelEntry unary_entry(const OpDecl* op, TypeSet types) {
  return {.op = op,
          .types = types,
          .run = run_unary,
          .make_state = unary_state<find>,
          .expensive = false};
}
template <FindBinary find>
constexpr KernelEntry binary_entry(const OpDecl* op, TypeSet types) {
  return {.op = op,
          .types = types,
          .run = run_binary,
          .make_state = binary_state<find>,
          .expensive = false};
}

}  // namespace rill
