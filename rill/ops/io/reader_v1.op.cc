#include "rill/graph/op_decl.h"
#include "rill/ops/io/reader_shapes.h"
#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {

extern constexpr OpDecl kReaderRead{
    .name = "ReaderRead",
    .doc = "The next record of a reader; works are taken from the queue when one is done.",
    .inputs = {"reader_handle: Ref(string)", "queue_handle: Ref(string)"},
    .outputs = {"key: string", "value: string"},
    .traits = kUsesOpened,
    .shape = read_record_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderRead));

extern constexpr OpDecl kReaderReadUpTo{
    .name = "ReaderReadUpTo",
    .doc = "Up to `num_records` records of one work; at least one unless none is asked for.",
    .inputs = {"reader_handle: Ref(string)", "queue_handle: Ref(string)", "num_records: int64"},
    .outputs = {"keys: string", "values: string"},
    .traits = kDataDependentShape | kUsesOpened,
    .shape = read_records_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderReadUpTo));

extern constexpr OpDecl kReaderNumRecordsProduced{
    .name = "ReaderNumRecordsProduced",
    .doc = "How many records a reader has made.",
    .inputs = {"reader_handle: Ref(string)"},
    .outputs = {"records_produced: int64"},
    .traits = kUsesOpened,
    .shape = reader_scalar_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderNumRecordsProduced));

extern constexpr OpDecl kReaderNumWorkUnitsCompleted{
    .name = "ReaderNumWorkUnitsCompleted",
    .doc = "How many works a reader has brought to their end.",
    .inputs = {"reader_handle: Ref(string)"},
    .outputs = {"units_completed: int64"},
    .traits = kUsesOpened,
    .shape = reader_scalar_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderNumWorkUnitsCompleted));

extern constexpr OpDecl kReaderSerializeState{
    .name = "ReaderSerializeState",
    .doc = "What a reader must know to go on, as bytes.",
    .inputs = {"reader_handle: Ref(string)"},
    .outputs = {"state: string"},
    .traits = kUsesOpened,
    .shape = reader_scalar_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderSerializeState));

extern constexpr OpDecl kReaderRestoreState{
    .name = "ReaderRestoreState",
    .doc = "Lets a reader go on from what ReaderSerializeState gave.",
    .inputs = {"reader_handle: Ref(string)", "state: string"},
    .traits = kUsesOpened,
    .shape = restore_reader_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderRestoreState));

extern constexpr OpDecl kReaderReset{
    .name = "ReaderReset",
    .doc = "Lets a reader begin anew.",
    .inputs = {"reader_handle: Ref(string)"},
    .traits = kUsesOpened,
    .shape = reset_reader_shape<check_string_handle>,
    .grad = not_differentiable,
};
static_assert(well_formed(kReaderReset));

}  // namespace rill
