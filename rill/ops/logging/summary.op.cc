#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kScalarSummary{
    .name = "ScalarSummary",
    .doc = "A Summary with a number under each tag.",
    .inputs = {"tags: string", "values: T"},
    .outputs = {"summary: string"},
    .attrs = {"T: realnumbertype"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kScalarSummary));

extern constexpr OpDecl kHistogramSummary{
    .name = "HistogramSummary",
    .doc = "A Summary with a histogram of all values.",
    .inputs = {"tag: string", "values: T"},
    .outputs = {"summary: string"},
    .attrs = {"T: realnumbertype = DT_FLOAT"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kHistogramSummary));

extern constexpr OpDecl kImageSummary{
    .name = "ImageSummary",
    .doc =
        "A Summary with the first `max_images` images of a batch as PNGs. Images of floats are "
        "scaled, each by itself; pixels that are no numbers get `bad_color`.",
    .inputs = {"tag: string", "tensor: T"},
    .outputs = {"summary: string"},
    .attrs = {"max_images: int >= 1 = 3", "T: {uint8, float, half, double} = DT_FLOAT",
              "bad_color: tensor = { dtype: DT_UINT8 tensor_shape: { dim { size: 4 } } "
              "int_val: 255 int_val: 0 int_val: 0 int_val: 255 }"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kImageSummary));

extern constexpr OpDecl kAudioSummary{
    .name = "AudioSummary",
    .doc = "AudioSummaryV2 whose sample rate is an attribute.",
    .inputs = {"tag: string", "tensor: float"},
    .outputs = {"summary: string"},
    .attrs = {"sample_rate: float", "max_outputs: int >= 1 = 3"},
    .shape = scalar_output,
    .grad = not_differentiable,
    .deprecated = 15,
    .deprecated_why = "Use AudioSummaryV2.",
};
static_assert(well_formed(kAudioSummary));

extern constexpr OpDecl kAudioSummaryV2{
    .name = "AudioSummaryV2",
    .doc = "A Summary with the first `max_outputs` sounds of a batch as WAVs.",
    .inputs = {"tag: string", "tensor: float", "sample_rate: float"},
    .outputs = {"summary: string"},
    .attrs = {"max_outputs: int >= 1 = 3"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kAudioSummaryV2));

extern constexpr OpDecl kTensorSummary{
    .name = "TensorSummary",
    .doc = "A Summary with a tensor under the name of this node.",
    .inputs = {"tensor: T"},
    .outputs = {"summary: string"},
    .attrs = {"T: type", "description: string = ''", "labels: list(string) = []",
              "display_name: string = ''"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorSummary));

extern constexpr OpDecl kTensorSummaryV2{
    .name = "TensorSummaryV2",
    .doc = "A Summary with a tensor under a tag, and with metadata for whoever shows it.",
    .inputs = {"tag: string", "tensor: T", "serialized_summary_metadata: string"},
    .outputs = {"summary: string"},
    .attrs = {"T: type"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorSummaryV2));

extern constexpr OpDecl kMergeSummary{
    .name = "MergeSummary",
    .doc = "One Summary with the values of all; no tag may occur twice.",
    .inputs = {"inputs: N * string"},
    .outputs = {"summary: string"},
    .attrs = {"N: int >= 1"},
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kMergeSummary));

}  // namespace rill
