#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// Shape functions of the ops that read, for either form of handle: `check_handle` looks at the
// handle on one input.
using CheckHandle = void (*)(const ShapeCtx&, int i);

template <CheckHandle check_handle>
Shapes read_record_shape(const ShapeCtx& c) {
  check_handle(c, 0);
  check_handle(c, 1);
  return {PartialShape::scalar(), PartialShape::scalar()};
}

template <CheckHandle check_handle>
Shapes read_records_shape(const ShapeCtx& c) {
  check_handle(c, 0);
  check_handle(c, 1);
  (void)c.scalar(2);
  return {PartialShape{-1}, PartialShape{-1}};
}

template <CheckHandle check_handle>
Shapes reader_scalar_shape(const ShapeCtx& c) {
  check_handle(c, 0);
  return {PartialShape::scalar()};
}

template <CheckHandle check_handle>
Shapes restore_reader_shape(const ShapeCtx& c) {
  check_handle(c, 0);
  (void)c.scalar(1);
  return {};
}

template <CheckHandle check_handle>
Shapes reset_reader_shape(const ShapeCtx& c) {
  check_handle(c, 0);
  return {};
}

}  // namespace rill
