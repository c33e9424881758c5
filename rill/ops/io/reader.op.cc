#include "rill/ops/io/reader_shapes.h"
#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

void check_resource_handle(const ShapeCtx& c, int i) { (void)c.scalar(i); }

}  // namespace

extern constexpr OpDecl kReaderReadV2{
    .name = "ReaderReadV2",
    .doc = "The next record of a reader; works are taken from the queue when one is done.",
    .inputs = {"reader_handle: resource", "queue_handle: resource"},
    .outputs = {"key: string", "value: string"},
    .traits = kStateful | kUsesOpened,
    .shape = read_record_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderReadV2));

extern constexpr OpDecl kReaderRead =
    string_handle_user<kReaderReadV2>({.name = "ReaderRead",
                                       .shape = read_record_shape<check_string_handle>,
                                       .grad = not_differentiable});
static_assert(well_formed(kReaderRead));

extern constexpr OpDecl kReaderReadUpToV2{
    .name = "ReaderReadUpToV2",
    .doc = "Up to `num_records` records of one work; at least one unless none is asked for.",
    .inputs = {"reader_handle: resource", "queue_handle: resource", "num_records: int64"},
    .outputs = {"keys: string", "values: string"},
    .traits = kStateful | kDataDependentShape | kUsesOpened,
    .shape = read_records_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderReadUpToV2));

extern constexpr OpDecl kReaderReadUpTo =
    string_handle_user<kReaderReadUpToV2>({.name = "ReaderReadUpTo",
                                           .shape = read_records_shape<check_string_handle>,
                                           .grad = not_differentiable});
static_assert(well_formed(kReaderReadUpTo));

extern constexpr OpDecl kReaderNumRecordsProducedV2{
    .name = "ReaderNumRecordsProducedV2",
    .doc = "How many records a reader has made.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"records_produced: int64"},
    .traits = kStateful | kUsesOpened,
    .shape = reader_scalar_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderNumRecordsProducedV2));

extern constexpr OpDecl kReaderNumRecordsProduced = string_handle_user<kReaderNumRecordsProducedV2>(
    {.name = "ReaderNumRecordsProduced",
     .shape = reader_scalar_shape<check_string_handle>,
     .grad = not_differentiable});
static_assert(well_formed(kReaderNumRecordsProduced));

extern constexpr OpDecl kReaderNumWorkUnitsCompletedV2{
    .name = "ReaderNumWorkUnitsCompletedV2",
    .doc = "How many works a reader has brought to their end.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"units_completed: int64"},
    .traits = kStateful | kUsesOpened,
    .shape = reader_scalar_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderNumWorkUnitsCompletedV2));

extern constexpr OpDecl kReaderNumWorkUnitsCompleted =
    string_handle_user<kReaderNumWorkUnitsCompletedV2>(
        {.name = "ReaderNumWorkUnitsCompleted",
         .shape = reader_scalar_shape<check_string_handle>,
         .grad = not_differentiable});
static_assert(well_formed(kReaderNumWorkUnitsCompleted));

extern constexpr OpDecl kReaderSerializeStateV2{
    .name = "ReaderSerializeStateV2",
    .doc = "What a reader must know to go on, as bytes.",
    .inputs = {"reader_handle: resource"},
    .outputs = {"state: string"},
    .traits = kStateful | kUsesOpened,
    .shape = reader_scalar_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderSerializeStateV2));

extern constexpr OpDecl kReaderSerializeState =
    string_handle_user<kReaderSerializeStateV2>({.name = "ReaderSerializeState",
                                                 .shape = reader_scalar_shape<check_string_handle>,
                                                 .grad = not_differentiable});
static_assert(well_formed(kReaderSerializeState));

extern constexpr OpDecl kReaderRestoreStateV2{
    .name = "ReaderRestoreStateV2",
    .doc = "Lets a reader go on from what ReaderSerializeState gave.",
    .inputs = {"reader_handle: resource", "state: string"},
    .traits = kStateful | kUsesOpened,
    .shape = restore_reader_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderRestoreStateV2));

extern constexpr OpDecl kReaderRestoreState =
    string_handle_user<kReaderRestoreStateV2>({.name = "ReaderRestoreState",
                                               .shape = restore_reader_shape<check_string_handle>,
                                               .grad = not_differentiable});
static_assert(well_formed(kReaderRestoreState));

extern constexpr OpDecl kReaderResetV2{
    .name = "ReaderResetV2",
    .doc = "Lets a reader begin anew.",
    .inputs = {"reader_handle: resource"},
    .traits = kStateful | kUsesOpened,
    .shape = reset_reader_shape<check_resource_handle>,
    .grad = no_gradient,
};
static_assert(well_formed(kReaderResetV2));

extern constexpr OpDecl kReaderReset =
    string_handle_user<kReaderResetV2>({.name = "ReaderReset",
                                        .shape = reset_reader_shape<check_string_handle>,
                                        .grad = not_differentiable});
static_assert(well_formed(kReaderReset));

}  // namespace rill
