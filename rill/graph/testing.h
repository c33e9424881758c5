#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rill/base/error.h"
#include "rill/graph/attr_text.h"
#include "rill/graph/op.h"
#include "rill/graph/shape_ctx.h"

// Helpers for tests of declarations. Shapes are written "[2,?]" or "?", several of them "a;b".
namespace rill::testing {

inline Shapes parse_shapes(std::string_view text) {
  Shapes shapes;
  if (text.empty()) return shapes;
  for (const std::string_view part : split(text, ';')) shapes.push_back(parse_shape(strip(part)));
  return shapes;
}

inline std::string shapes_text(const Shapes& shapes) {
  std::vector<std::string> texts;
  for (const PartialShape& shape : shapes) texts.push_back(shape.has_rank() ? to_text(shape) : "?");
  return join(texts, ";");
}

// Gives every attribute that a test leaves open some value: its default, the first type allowed
// (float when any is), and for list arguments the length that uses up all inputs.
inline AttrMap complete_attrs(const Op& op, AttrMap attrs, std::size_t input_count) {
  std::size_t lists = 0;
  for (const Arg& arg : op.inputs) lists += arg.is_list();
  const std::size_t singles = op.inputs.size() - lists;
  const std::size_t length = lists == 0 ? 0 : (input_count - singles) / lists;
  for (const AttrSpec& attr : op.attrs) {
    if (attrs.contains(attr.name)) continue;
    const DType type = attr.allowed_types.empty() ? DType::f32 : attr.allowed_types[0];
    if (op.is_inferred(attr.name) && attr.kind == AttrKind::kInt) {
      attrs.emplace(attr.name, static_cast<std::int64_t>(length));
    } else if (op.is_inferred(attr.name) && attr.is_list) {
      attrs.emplace(attr.name, std::vector<DType>(length, type));
    } else if (attr.default_value) {
      attrs.emplace(attr.name, *attr.default_value);
    } else if (attr.kind == AttrKind::kType && !attr.is_list) {
      attrs.emplace(attr.name, type);
    }
  }
  return attrs;
}

// Runs the shape function; `values[i]` is what is known of input i (nothing if it holds nothing).
inline Shapes infer_shapes(const OpDecl& decl, std::string_view inputs, AttrMap attrs = {},
                           const std::vector<Tensor>& values = {}) {
  const Op op(decl);
  Shapes shapes = parse_shapes(inputs);
  attrs = complete_attrs(op, std::move(attrs), shapes.size());
  int output_count = 0;
  for (const Arg& arg : op.outputs) output_count += static_cast<int>(arg_types(arg, attrs).size());
  const auto value = [&](int i) -> const Tensor* {
    const auto at = static_cast<std::size_t>(i);
    return at < values.size() && values[at].has_value() ? &values[at] : nullptr;
  };
  const auto shape_value = [&](int i) {
    const Tensor* known = value(i);
    if (known == nullptr) return PartialShape();
    Dims dims;
    for (std::int64_t k = 0; k < known->element_count(); ++k)
      dims.push_back(known->dtype() == DType::i32 ? known->data<std::int32_t>()[k]
                                                  : known->data<std::int64_t>()[k]);
    return PartialShape(dims.span());
  };
  const ShapeCtx c(op, attrs, std::move(shapes), output_count, value, shape_value);
  return op.shape == nullptr ? Shapes() : op.shape(c);
}

// The outputs' shapes for these input shapes: expect_shape(kMatMul, "[2,3];[3,?]", "[2,?]").
inline void expect_shape(const OpDecl& decl, std::string_view inputs, std::string_view outputs,
                         AttrMap attrs = {}, const std::vector<Tensor>& values = {}) {
  try {
    EXPECT_EQ(shapes_text(infer_shapes(decl, inputs, std::move(attrs), values)),
              shapes_text(parse_shapes(outputs)))
        << decl.name << " of " << inputs;
  } catch (const Error& error) {
    ADD_FAILURE() << decl.name << " of " << inputs << ": " << error.what();
  }
}

// The shape function throws, and `text` is in the message.
inline void expect_shape_error(const OpDecl& decl, std::string_view inputs, std::string_view text,
                               AttrMap attrs = {}, const std::vector<Tensor>& values = {}) {
  try {
    const Shapes shapes = infer_shapes(decl, inputs, std::move(attrs), values);
    ADD_FAILURE() << decl.name << " of " << inputs << " gave " << shapes_text(shapes);
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
  }
}

// Expects `f()` to throw an Error of this code whose message contains `text`.
template <class F>
void expect_error(Code code, std::string_view text, F f) {
  try {
    f();
    ADD_FAILURE() << "nothing was thrown, expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
  }
}

}  // namespace rill::testing
