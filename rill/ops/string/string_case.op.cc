#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes case_shape(const ShapeCtx& c) {
  const auto& encoding = c.attr<std::string>("encoding");
  require(encoding.empty() || encoding == "utf-8",
          "only utf-8 or '' (no encoding) is supported, received ", encoding);
  return same_as_input(c);
}

}  // namespace

extern constexpr OpDecl kStringLower{
    .name = "StringLower",
    .doc = "Each string in lower case: its ASCII letters, or all letters if `encoding` is utf-8.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .attrs = {"encoding: string = ''"},
    .traits = kPure,
    .shape = case_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStringLower));

extern constexpr OpDecl kStringUpper{
    .name = "StringUpper",
    .doc = "Each string in upper case: its ASCII letters, or all letters if `encoding` is utf-8.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .attrs = {"encoding: string = ''"},
    .traits = kPure,
    .shape = case_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStringUpper));

extern constexpr OpDecl kStringStrip{
    .name = "StringStrip",
    .doc = "Each string without the white space at its ends.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kStringStrip));

}  // namespace rill
