#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kTFRecordDataset{
    .name = "TFRecordDataset",
    .doc = "The records of TFRecord files.",
    .inputs = {"filenames: string", "compression_type: string", "buffer_size: int64"},
    .outputs = {"handle: variant"},
    .traits = kStateful | kReadsFiles | kReadsFileList,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTFRecordDataset));

}  // namespace rill
