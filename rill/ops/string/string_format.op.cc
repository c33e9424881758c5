#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/string/template_pieces.h"

namespace rill {
namespace {

Shapes string_format_shape(const ShapeCtx& c) {
  const auto pieces =
      template_pieces(c.attr<std::string>("template"), c.attr<std::string>("placeholder"));
  require(pieces.size() == static_cast<std::size_t>(c.input_count()) + 1,
          "num placeholders in template and num inputs must match: ", pieces.size() - 1, " vs. ",
          c.input_count());
  return scalar_output(c);
}

}  // namespace

extern constexpr OpDecl kStringFormat{
    .name = "StringFormat",
    .doc =
        "The template with each placeholder replaced by the text of an input, of which the first "
        "and last `summarize` elements of every dimension are shown (all if -1).",
    .inputs = {"inputs: T"},
    .outputs = {"output: string"},
    .attrs = {"T: list(type) >= 0", "template: string = '%s'", "placeholder: string = '%s'",
              "summarize: int = 3"},
    .traits = kPure,
    .shape = string_format_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStringFormat));

}  // namespace rill
