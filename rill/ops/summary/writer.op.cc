#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSummaryWriter{
    .name = "SummaryWriter",
    .doc = "A handle of a writer of event files, which has to be made before it is used.",
    .outputs = {"writer: resource"},
    .attrs = {"shared_name: string = ''", "container: string = ''"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSummaryWriter));

extern constexpr OpDecl kCreateSummaryFileWriter{
    .name = "CreateSummaryFileWriter",
    .doc = "Makes a writer of event files below `logdir`, unless it is there.",
    .inputs = {"writer: resource", "logdir: string", "max_queue: int32", "flush_millis: int32",
               "filename_suffix: string"},
    .traits = kStateful | kWritesFiles,
    .grad = no_gradient,
};
static_assert(well_formed(kCreateSummaryFileWriter));

extern constexpr OpDecl kFlushSummaryWriter{
    .name = "FlushSummaryWriter",
    .doc = "Lets readers see what was written.",
    .inputs = {"writer: resource"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kFlushSummaryWriter));

extern constexpr OpDecl kCloseSummaryWriter{
    .name = "CloseSummaryWriter",
    .doc = "Ends a writer; its handle names nothing afterwards.",
    .inputs = {"writer: resource"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kCloseSummaryWriter));

extern constexpr OpDecl kWriteSummary{
    .name = "WriteSummary",
    .doc = "Writes a tensor under a tag.",
    .inputs = {"writer: resource", "step: int64", "tensor: T", "tag: string",
               "summary_metadata: string"},
    .attrs = {"T: type"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteSummary));

extern constexpr OpDecl kWriteRawProtoSummary{
    .name = "WriteRawProtoSummary",
    .doc = "Writes Summary messages that are there already.",
    .inputs = {"writer: resource", "step: int64", "tensor: string"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteRawProtoSummary));

extern constexpr OpDecl kImportEvent{
    .name = "ImportEvent",
    .doc = "Writes an Event message as it is.",
    .inputs = {"writer: resource", "event: string"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kImportEvent));

extern constexpr OpDecl kWriteScalarSummary{
    .name = "WriteScalarSummary",
    .doc = "Writes a number under a tag.",
    .inputs = {"writer: resource", "step: int64", "tag: string", "value: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteScalarSummary));

extern constexpr OpDecl kWriteHistogramSummary{
    .name = "WriteHistogramSummary",
    .doc = "Writes how numbers are distributed.",
    .inputs = {"writer: resource", "step: int64", "tag: string", "values: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64} = DT_FLOAT"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteHistogramSummary));

extern constexpr OpDecl kWriteImageSummary{
    .name = "WriteImageSummary",
    .doc = "Writes images as PNGs.",
    .inputs = {"writer: resource", "step: int64", "tag: string", "tensor: T", "bad_color: uint8"},
    .attrs = {"max_images: int >= 1 = 3", "T: {uint8, float, half} = DT_FLOAT"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteImageSummary));

extern constexpr OpDecl kWriteAudioSummary{
    .name = "WriteAudioSummary",
    .doc = "Writes sounds as WAVs.",
    .inputs = {"writer: resource", "step: int64", "tag: string", "tensor: float",
               "sample_rate: float"},
    .attrs = {"max_outputs: int >= 1 = 3"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteAudioSummary));

extern constexpr OpDecl kWriteGraphSummary{
    .name = "WriteGraphSummary",
    .doc = "Writes a GraphDef.",
    .inputs = {"writer: resource", "step: int64", "tensor: string"},
    .traits = kStateful | kUsesOpened,
    .grad = no_gradient,
};
static_assert(well_formed(kWriteGraphSummary));

}  // namespace rill
