#include <unordered_map>

#include "rill/io/checkpoint_reader.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/io/single_string.h"
#include "rill/ops/lookup/vocabulary.h"

namespace rill {

extern const OpDecl kGenerateVocabRemapping, kLoadAndRemapMatrix;

namespace {

// The lines of a file, which are all or the first `count`.
Tensor words_of(const std::string& file, std::int64_t count) {
  return read_vocabulary({.file = file,
                          .key_type = DType::string,
                          .value_type = DType::i64,
                          .key_index = kWholeLine,
                          .value_index = kLineNumber,
                          .lines = count,
                          .delimiter = '\t'})
      .first;
}

void vocabulary_remapping(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto offset = node.attr<std::int64_t>("new_vocab_offset");
  const auto count = node.attr<std::int64_t>("num_new_vocab");
  const Tensor new_words = words_of(single_string(call, 0, "new_vocab_file"), -1);
  require(offset <= new_words.element_count() && count <= new_words.element_count() - offset,
          "lookup table size must be larger than last new vocab entry's line");
  const Tensor old_words =
      words_of(single_string(call, 1, "old_vocab_file"), node.attr<std::int64_t>("old_vocab_size"));
  std::unordered_map<std::string_view, std::int64_t> places;
  for (const std::string& word : old_words.flat<std::string>()) {
    const auto place = static_cast<std::int64_t>(&word - old_words.data<std::string>());
    const auto [it, is_new] = places.emplace(word, place);
    if (!is_new)
      raise(Code::kFailedPrecondition, "HashTable has different value for same key. Key ", word,
            " has ", it->second, " and trying to add value ", place);
  }
  std::int32_t present = 0;
  Tensor& remapping = call.allocate_output(0, {count});
  for (std::int64_t i = 0; i < count; ++i) {
    const auto it = places.find(new_words.data<std::string>()[offset + i]);
    remapping.data<std::int64_t>()[i] = it == places.end() ? -1 : it->second;
    present += it == places.end() ? 0 : 1;
  }
  call.set_output(1, Tensor::scalar(present));
}

// Where the new rows or columns come from: an old number, or a negative one for those that are new.
void check_remapping(std::span<const std::int64_t> old_ids, std::int64_t old_size) {
  std::unordered_map<std::int64_t, std::size_t> seen;
  for (std::size_t i = 0; i < old_ids.size(); ++i) {
    if (old_ids[i] < 0) continue;
    require(old_ids[i] < old_size, "Old ID ", old_ids[i], " is not below ", old_size);
    const auto [it, is_new] = seen.emplace(old_ids[i], i);
    if (!is_new)
      raise(Code::kUnimplemented, "Old ID ", old_ids[i], " is mapped to both new ID ", it->second,
            " and ", i, ", which is not supported.");
  }
}

void load_and_remap_matrix(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto rows = node.attr<std::int64_t>("num_rows"),
             columns = node.attr<std::int64_t>("num_cols");
  const auto row_ids = call.input<std::int64_t>(2), column_ids = call.input<std::int64_t>(3);
  const auto fresh = call.input<float>(4);
  require(static_cast<std::int64_t>(row_ids.size()) == rows, "Size of row_remapping is ",
          row_ids.size(), " instead of being equal to num_rows=", rows);
  require(column_ids.empty() || static_cast<std::int64_t>(column_ids.size()) == columns,
          "Provided col_remapping, but its size is ", column_ids.size(),
          " instead of being equal to num_cols=", columns);
  const std::string& name = single_string(call, 1, "old_tensor_name");
  const auto reader = CheckpointReader::open(single_string(call, 0, "ckpt_path"));
  const StoredTensor& stored = reader->tensor(name);
  require(stored.dtype == DType::f32, "Tensor ", name, " has invalid type ", stored.dtype,
          " instead of expected type float");
  require(stored.shape.rank() == 2, "Tensor ", name, " has shape ", stored.shape,
          " of invalid rank ", stored.shape.rank(), " instead of expected shape of rank 2.");
  require(!column_ids.empty() || stored.shape.dim(1) == columns, "Tensor ", name, " has shape ",
          stored.shape, ", where the size of its 2nd dimension is ", stored.shape.dim(1),
          " instead of being equal to num_cols=", columns);
  check_remapping(row_ids, stored.shape.dim(0));
  check_remapping(column_ids, stored.shape.dim(1));

  // The rows that are wanted, each by itself: the matrix may be larger than memory.
  const bool at_once = node.attr<std::int64_t>("max_rows_in_memory") <= 0;
  const Tensor whole = at_once && rows > 0 ? reader->read(name) : Tensor();
  Tensor& out = call.allocate_output(0, {rows, columns});
  float* to = out.data<float>();
  std::size_t used = 0;
  for (const std::int64_t row : row_ids) {
    Tensor one;
    if (row >= 0)
      one = at_once ? whole.slice(row, row + 1)
                    : reader->read_slice(name, TensorSlice({{row, 1}, {0, TensorSlice::kWhole}}));
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::int64_t column = column_ids.empty() ? c : column_ids[static_cast<std::size_t>(c)];
      if (row >= 0 && column >= 0) {
        *to++ = one.data<float>()[column];
        continue;
      }
      require(used < fresh.size(), "initializing_values contained ", fresh.size(),
              " elements, but more missing values remain.");
      *to++ = fresh[used++];
    }
  }
  require(used == fresh.size(), "initializing_values contained ", fresh.size(),
          " elements, but only ", used, " elements were used to fill in missing values.");
}

constexpr KernelEntry kEntries[] = {
    {.op = &kGenerateVocabRemapping, .run = vocabulary_remapping, .allocates = true},
    {.op = &kLoadAndRemapMatrix, .run = load_and_remap_matrix, .allocates = true},
};

}  // namespace

extern const KernelTable kRemapCpu{kEntries};

}  // namespace rill
