#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kLmdbDatasetCases{"lmdb_dataset", [] {
                                         std::vector<OpCase> rows;
                                         add_graphs(rows,
                                                    {"LMDBDataset", "ExperimentalLMDBDataset"}, R"(
        case = $OP(["tests/script/io/entries"], output_types=[string string],
            output_shapes=[[] []])
        elements case 2)");
                                         return rows;
                                       }};

}  // namespace rill
