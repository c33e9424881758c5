#include "rill/graph/argument_shape.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes stated_shape(const ShapeCtx& c) { return {c.attr<PartialShape>("shape")}; }

Shapes argument_shape(const ShapeCtx& c) {
  describe_handle(c);
  return {described_shape(c.attrs())};
}

Shapes list_shapes(const ShapeCtx& c) {
  require(c.input_count() == c.output_count(), c.input_count(), " inputs cannot be ",
          c.output_count(), " outputs");
  Shapes shapes;
  for (int i = 0; i < c.input_count(); ++i) shapes.push_back(c.input(i));
  return shapes;
}

}  // namespace

extern constexpr OpDecl kArg{
    .name = "_Arg",
    .doc = "An argument of the function whose body this is.",
    .outputs = {"output: T"},
    .attrs = {"T: type", "index: int >= 0"},
    .traits = kStateful | kFeedOnly,
    .shape = argument_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kArg));

extern constexpr OpDecl kDeviceArg{
    .name = "_DeviceArg",
    .doc = "An argument, in the memory of the device.",
    .outputs = {"output: T"},
    .attrs = {"T: type", "index: int >= 0"},
    .traits = kStateful | kFeedOnly,
    .shape = argument_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kDeviceArg));

extern constexpr OpDecl kRetval{
    .name = "_Retval",
    .doc = "A result of the function whose body this is.",
    .inputs = {"input: T"},
    .attrs = {"T: type", "index: int >= 0"},
    .traits = kStateful,
    .shape = no_outputs,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kRetval));

extern constexpr OpDecl kDeviceRetval{
    .name = "_DeviceRetval",
    .doc = "A result, in the memory of the device.",
    .inputs = {"input: T"},
    .attrs = {"T: type", "index: int >= 0"},
    .traits = kStateful,
    .shape = no_outputs,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kDeviceRetval));

extern constexpr OpDecl kFakeParam{
    .name = "FakeParam",
    .doc = "Stands for a value that is never used, as a branch not taken would have made it.",
    .outputs = {"output: dtype"},
    .attrs = {"dtype: type", "shape: shape"},
    .traits = kPure,
    .shape = stated_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFakeParam));

extern constexpr OpDecl kListToArray{
    .name = "_ListToArray",
    .doc = "Its inputs, which are all of one type, as an array.",
    .inputs = {"input: Tin"},
    .outputs = {"output: N * T"},
    .attrs = {"Tin: list(type) >= 1", "T: type", "N: int >= 1"},
    .traits = kPure,
    .shape = list_shapes,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kListToArray));

extern constexpr OpDecl kArrayToList{
    .name = "_ArrayToList",
    .doc = "Its inputs as a list.",
    .inputs = {"input: N * T"},
    .outputs = {"output: out_types"},
    .attrs = {"T: type", "N: int >= 1", "out_types: list(type) >= 1"},
    .traits = kPure,
    .shape = list_shapes,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kArrayToList));

extern constexpr OpDecl kDeviceIndex{
    .name = "DeviceIndex",
    .doc =
        "The position in `device_names` of the kind of device that this runs on; their number if"
        " there is none such.",
    .outputs = {"index: int32"},
    .attrs = {"device_names: list(string)"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDeviceIndex));

}  // namespace rill
