// Pieces of files, all of one length.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kFixedLengthRecordDataset{
    .name = "FixedLengthRecordDataset",
    .doc = "The records between header and footer of each file.",
    .inputs = {"filenames: string", "header_bytes: int64", "record_bytes: int64",
               "footer_bytes: int64", "buffer_size: int64"},
    .outputs = {"handle: variant"},
    .traits = kStateful | kReadsFiles | kReadsFileList,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFixedLengthRecordDataset));

extern constexpr OpDecl kFixedLengthRecordDatasetV2{
    .name = "FixedLengthRecordDatasetV2",
    .doc = "The records between header and footer of each file, which may be compressed.",
    .inputs = {"filenames: string", "header_bytes: int64", "record_bytes: int64",
               "footer_bytes: int64", "buffer_size: int64", "compression_type: string"},
    .outputs = {"handle: variant"},
    .traits = kStateful | kReadsFiles | kReadsFileList,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFixedLengthRecordDatasetV2));

}  // namespace rill
