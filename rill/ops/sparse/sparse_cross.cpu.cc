#include <algorithm>

#include "rill/base/farmhash.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/sparse/sparse_parts.h"

namespace rill {

extern const OpDecl kSparseCross;

namespace {

// The features of one column: row b has values[starts[b]] to values[starts[b + 1] - 1].
struct Column {
  Tensor values;
  std::vector<std::int64_t> starts;

  std::int64_t count(std::size_t row) const { return starts[row + 1] - starts[row]; }
  std::string text(std::size_t row, std::int64_t i) const {
    const std::int64_t at = starts[row] + i;
    return values.dtype() == DType::string ? values.data<std::string>()[at]
                                           : std::to_string(values.data<Index>()[at]);
  }
  std::uint64_t hash(std::size_t row, std::int64_t i) const {
    const std::int64_t at = starts[row] + i;
    return values.dtype() == DType::string ? farmhash64(values.data<std::string>()[at])
                                           : static_cast<std::uint64_t>(values.data<Index>()[at]);
  }
};

Column sparse_column(const SparseInput& sparse, std::int64_t rows) {
  require(sparse.rank() == 2, "Expected D2 of index to be 2 got ", sparse.rank());
  require(sparse.shape[0] == rows, "Expected batch size ", rows, " got ", sparse.shape[0]);
  Column column{sparse.values, std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1)};
  for (std::int64_t i = 0; i < sparse.count(); ++i) {
    const Index row = sparse.index(i)[0];
    if (row < 0 || row >= rows)
      raise(Code::kInvalidArgument, "indices[", i, "] = ", index_text(sparse.index(i), 2),
            " is out of bounds: the batch has ", rows, " rows");
    if (i > 0 && sparse.index(i - 1)[0] > row)
      raise(Code::kInvalidArgument, "indices[", i, "] = ", index_text(sparse.index(i), 2),
            " is out of order. Many sparse ops require sorted indices.");
    ++column.starts[static_cast<std::size_t>(row) + 1];
  }
  for (std::size_t b = 1; b < column.starts.size(); ++b) column.starts[b] += column.starts[b - 1];
  return column;
}

Column dense_column(const Tensor& dense, std::int64_t rows) {
  require(dense.rank() == 2, "Dense inputs should be a matrix but received shape ", dense.shape());
  require(dense.dim(0) == rows, "Expected batch size ", rows, " got ", dense.dim(0));
  Column column{dense, std::vector<std::int64_t>(static_cast<std::size_t>(rows) + 1)};
  for (std::size_t b = 0; b < column.starts.size(); ++b)
    column.starts[b] = static_cast<std::int64_t>(b) * dense.dim(1);
  return column;
}

std::vector<Column> columns_of(const KernelCall& call, std::int64_t* rows) {
  const auto n = static_cast<int>(call.node().attr<std::int64_t>("N"));
  require(call.input_count() > 0, "SparseCross needs at least one column");
  std::vector<SparseInput> sparse;
  for (int i = 0; i < n; ++i)
    sparse.push_back(
        sparse_input(call.input_tensor(i), call.input_tensor(n + i), call.input_tensor(2 * n + i)));
  if (n > 0) {
    require(sparse[0].rank() == 2, "Expected D2 of index to be 2 got ", sparse[0].rank());
    *rows = sparse[0].shape[0];
  } else {
    require(call.input_tensor(0).rank() == 2, "Dense inputs should be a matrix but received shape ",
            call.input_tensor(0).shape());
    *rows = call.input_tensor(0).dim(0);
  }
  require(*rows >= 0, "Expected shape dimensions to be non-negative, got ", *rows);
  // Rows may be many more than features: the allocator knows whether there is room for their
  // starts.
  (void)Tensor(DType::i64, Shape{*rows, call.input_count() + 1});
  std::vector<Column> columns;
  for (const SparseInput& input : sparse) columns.push_back(sparse_column(input, *rows));
  for (int i = 3 * n; i < call.input_count(); ++i)
    columns.push_back(dense_column(call.input_tensor(i), *rows));
  return columns;
}

// In how many ways one feature of each column can be chosen.
std::int64_t choice_count(const std::vector<Column>& columns, std::size_t row) {
  std::int64_t count = 1;
  for (const Column& column : columns)
    if (column.count(row) == 0) return 0;
  for (const Column& column : columns)
    require(!__builtin_mul_overflow(count, column.count(row), &count), "the crosses of row ", row,
            " are more than 2**63 - 1");
  return count;
}

std::uint64_t mix(std::uint64_t x) { return x ^ (x >> 47); }

// The fingerprint of a pair of fingerprints.
std::uint64_t joined_hash(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
  std::uint64_t result = a ^ kFactor;
  result ^= mix(b * kFactor) * kFactor;
  result *= kFactor;
  return mix(mix(result) * kFactor);
}

struct Crosser {
  const std::vector<Column>& columns;
  std::uint64_t hash_key, buckets;

  void write(std::string* out, std::size_t row, const std::vector<std::int64_t>& choice) const {
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < columns.size(); ++c)
      texts.push_back(columns[c].text(row, choice[c]));
    *out = join(texts, "_X_");
  }
  void write(Index* out, std::size_t row, const std::vector<std::int64_t>& choice) const {
    std::uint64_t hash = hash_key;
    for (std::size_t c = 0; c < columns.size(); ++c)
      hash = joined_hash(hash, columns[c].hash(row, choice[c]));
    *out = static_cast<Index>(hash % buckets);
  }
};

template <class T>
void sparse_cross(KernelCall& call) {
  std::int64_t rows = 0;
  const std::vector<Column> columns = columns_of(call, &rows);
  std::int64_t total = 0, most = 0;
  std::vector<std::int64_t> starts;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t count = choice_count(columns, static_cast<std::size_t>(row));
    starts.push_back(total);
    most = std::max(most, count);
    require(!__builtin_add_overflow(total, count, &total), "there are more than 2**63 - 1 crosses");
  }
  Index* indices = call.allocate_output(0, {total, 2}).template data<Index>();
  T* values = call.allocate_output(1, {total}).template data<T>();
  const Index shape[] = {rows, most};
  call.set_output(2, shape_tensor(shape));
  const auto buckets = static_cast<std::uint64_t>(call.node().attr<std::int64_t>("num_buckets"));
  // Without buckets the hash is only kept from being negative.
  const Crosser crosser{columns,
                        static_cast<std::uint64_t>(call.node().attr<std::int64_t>("hash_key")),
                        buckets > 0 ? buckets : std::uint64_t{INT64_MAX}};
  const double per_row = static_cast<double>(total) / static_cast<double>(std::max<Index>(rows, 1));
  call.parallel_for(static_cast<std::size_t>(rows),
                    20 + 30 * per_row * static_cast<double>(columns.size()),
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<std::int64_t> choice(columns.size());
                      for (std::size_t row = begin; row < end; ++row) {
                        const std::int64_t stop = row + 1 < starts.size() ? starts[row + 1] : total;
                        for (std::int64_t at = starts[row]; at < stop; ++at) {
                          indices[2 * at] = static_cast<Index>(row);
                          indices[2 * at + 1] = at - starts[row];
                          crosser.write(values + at, row, choice);
                          // The next choice: the last column turns fastest.
                          for (std::size_t c = columns.size(); c-- > 0;) {
                            if (++choice[c] < columns[c].count(row)) break;
                            choice[c] = 0;
                          }
                        }
                      }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSparseCross, .types = DType::i64, .run = sparse_cross<Index>, .allocates = true},
    {.op = &kSparseCross,
     .types = DType::string,
     .run = sparse_cross<std::string>,
     .allocates = true},
};

}  // namespace

extern const KernelTable kSparseCrossCpu{kEntries};

}  // namespace rill
