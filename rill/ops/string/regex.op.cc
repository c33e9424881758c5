#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Everything behind the texts is a scalar.
Shapes regex_shape(const ShapeCtx& c) {
  for (int i = 1; i < c.input_count(); ++i) (void)c.scalar(i);
  return {c.input(0)};
}

}  // namespace

extern constexpr OpDecl kRegexReplace{
    .name = "RegexReplace",
    .doc =
        "Each string with every match (or only the first) of an RE2 expression replaced by "
        "`rewrite`, in which \\0 to \\9 stand for the match and its groups.",
    .inputs = {"input: string", "pattern: string", "rewrite: string"},
    .outputs = {"output: string"},
    .attrs = {"replace_global: bool = true"},
    .traits = kPure,
    .shape = regex_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kRegexReplace));

extern constexpr OpDecl kStaticRegexReplace{
    .name = "StaticRegexReplace",
    .doc = "As RegexReplace, with an expression that is compiled once.",
    .inputs = {"input: string"},
    .outputs = {"output: string"},
    .attrs = {"pattern: string", "rewrite: string", "replace_global: bool = true"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kStaticRegexReplace));

extern constexpr OpDecl kRegexFullMatch{
    .name = "RegexFullMatch",
    .doc = "Whether an RE2 expression matches each string as a whole.",
    .inputs = {"input: string", "pattern: string"},
    .outputs = {"output: bool"},
    .traits = kPure,
    .shape = regex_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRegexFullMatch));

extern constexpr OpDecl kStaticRegexFullMatch{
    .name = "StaticRegexFullMatch",
    .doc = "As RegexFullMatch, with an expression that is compiled once.",
    .inputs = {"input: string"},
    .outputs = {"output: bool"},
    .attrs = {"pattern: string"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kStaticRegexFullMatch));

}  // namespace rill
