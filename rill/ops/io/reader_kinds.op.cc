#include "rill/ops/resource/handle_twin.h"

namespace rill {

extern constexpr OpDecl kWholeFileReaderV2{
    .name = "WholeFileReaderV2",
    .doc = "A reader that makes one record of every file.",
    .outputs = {"reader_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kWholeFileReaderV2));

extern constexpr OpDecl kWholeFileReader = string_handle_maker<kWholeFileReaderV2>(
    {.name = "WholeFileReader", .grad = not_differentiable});
static_assert(well_formed(kWholeFileReader));

extern constexpr OpDecl kTextLineReaderV2{
    .name = "TextLineReaderV2",
    .doc =
        "A reader that makes a record of every line; the first `skip_header_lines` of a file are "
        "left out.",
    .outputs = {"reader_handle: resource"},
    .attrs = {"skip_header_lines: int = 0", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTextLineReaderV2));

extern constexpr OpDecl kTextLineReader =
    string_handle_maker<kTextLineReaderV2>({.name = "TextLineReader",
                                            .grad = not_differentiable,
                                            .deprecated = 26,
                                            .deprecated_why = "Use TextLineReaderV2"});
static_assert(well_formed(kTextLineReader));

extern constexpr OpDecl kFixedLengthRecordReader{
    .name = "FixedLengthRecordReader",
    .doc =
        "A reader that makes records of `record_bytes` each, between the header and the footer of "
        "a file. The handle is a reference to strings.",
    .outputs = {"reader_handle: Ref(string)"},
    .attrs = {"header_bytes: int = 0", "record_bytes: int", "footer_bytes: int = 0",
              "hop_bytes: int = 0", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = string_handle_output,
    .grad = not_differentiable,
    .deprecated = 26,
    .deprecated_why = "Use FixedLengthRecordReaderV2",
};
static_assert(well_formed(kFixedLengthRecordReader));

extern constexpr OpDecl kFixedLengthRecordReaderV2{
    .name = "FixedLengthRecordReaderV2",
    .doc =
        "A reader that makes records of `record_bytes` each, between the header and the footer of "
        "a file.",
    .outputs = {"reader_handle: resource"},
    .attrs = {"header_bytes: int = 0", "record_bytes: int", "footer_bytes: int = 0",
              "hop_bytes: int = 0", "container: string = ''", "shared_name: string = ''",
              "encoding: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFixedLengthRecordReaderV2));

extern constexpr OpDecl kTFRecordReaderV2{
    .name = "TFRecordReaderV2",
    .doc = "A reader that makes the records of TFRecord files.",
    .outputs = {"reader_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''",
              "compression_type: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTFRecordReaderV2));

extern constexpr OpDecl kTFRecordReader =
    string_handle_maker<kTFRecordReaderV2>({.name = "TFRecordReader",
                                            .grad = not_differentiable,
                                            .deprecated = 26,
                                            .deprecated_why = "Use TFRecordReaderV2"});
static_assert(well_formed(kTFRecordReader));

extern constexpr OpDecl kIdentityReaderV2{
    .name = "IdentityReaderV2",
    .doc = "A reader that makes every work itself a record, as key and as value.",
    .outputs = {"reader_handle: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIdentityReaderV2));

extern constexpr OpDecl kIdentityReader =
    string_handle_maker<kIdentityReaderV2>({.name = "IdentityReader",
                                            .grad = not_differentiable,
                                            .deprecated = 26,
                                            .deprecated_why = "Use IdentityReaderV2"});
static_assert(well_formed(kIdentityReader));

extern constexpr OpDecl kLMDBReader{
    .name = "LMDBReader",
    .doc =
        "A reader that makes a record of every entry of an LMDB database. The handle is a "
        "reference to strings.",
    .outputs = {"reader_handle: Ref(string)"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful | kReadsFiles,
    .shape = string_handle_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kLMDBReader));

}  // namespace rill
