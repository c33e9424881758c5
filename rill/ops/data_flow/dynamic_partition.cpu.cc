#include <algorithm>
#include <atomic>
#include <utility>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/element_types.h"
#include "rill/ops/data_flow/row_shapes.h"

namespace rill {

extern const OpDecl kDynamicPartition;

namespace {

// Rows are taken in blocks. What each block sends to each output is counted first, so that blocks
// know where to write and need not wait for each other.
class Partitions {
 public:
  Partitions(std::span<const std::int32_t> where, int count)
      : where_(where),
        count_(static_cast<std::size_t>(count)),
        block_(std::max<std::size_t>(kBlock, 4 * count_)),
        sent_((where.size() + block_ - 1) / block_ * count_, 0) {}

  void count_rows(const KernelCall& call) {
    std::atomic<bool> in_range = true;
    for_blocks(call, 1, [&](std::size_t block, std::size_t begin, std::size_t end) {
      if (!all_in_range(begin, end)) return void(in_range = false);
      std::int64_t* sent = &sent_[block * count_];
      for (std::size_t i = begin; i < end; ++i) ++sent[static_cast<std::size_t>(where_[i])];
    });
    for (std::size_t i = 0; !in_range && i < where_.size(); ++i)
      require(is_in_range(where_[i]), "partitions[", i, "] = ", where_[i], " is not in [0, ",
              count_, ")");
  }

  // Turns the counts of blocks into where each begins; returns how many rows there are in all.
  std::int64_t place_rows(int output) {
    std::int64_t total = 0;
    for (std::size_t at = static_cast<std::size_t>(output); at < sent_.size(); at += count_)
      total += std::exchange(sent_[at], total);
    return total;
  }

  // Rows of `width` elements, to outputs at these addresses.
  template <class T>
  void send(const KernelCall& call, const T* rows, std::size_t width,
            const std::vector<T*>& outputs) const {
    const double nanos = 1.5 + 0.1 * static_cast<double>(width * sizeof(T));
    for_blocks(call, nanos, [&](std::size_t block, std::size_t begin, std::size_t end) {
      std::vector<T*> next(outputs);
      for (std::size_t k = 0; k < count_; ++k)
        next[k] += static_cast<std::size_t>(sent_[block * count_ + k]) * width;
      if (width == 1) {
        for (std::size_t i = begin; i < end; ++i)
          *next[static_cast<std::size_t>(where_[i])]++ = rows[i];
      } else {
        for (std::size_t i = begin; i < end; ++i) {
          T*& to = next[static_cast<std::size_t>(where_[i])];
          to = std::copy_n(rows + i * width, width, to);
        }
      }
    });
  }

 private:
  static constexpr std::size_t kBlock = 1 << 13;

  bool is_in_range(std::int32_t output) const {
    return static_cast<std::uint32_t>(output) < static_cast<std::uint32_t>(count_);
  }
  bool all_in_range(std::size_t begin, std::size_t end) const {
    int outside = 0;
    for (std::size_t i = begin; i < end; ++i) outside |= !is_in_range(where_[i]);
    return outside == 0;
  }
  template <class Body>
  void for_blocks(const KernelCall& call, double nanos, Body body) const {
    const std::size_t blocks = sent_.size() / count_;
    call.parallel_for(blocks, nanos * static_cast<double>(block_),
                      [&](std::size_t first, std::size_t last) {
                        for (std::size_t k = first; k < last; ++k)
                          body(k, k * block_, std::min((k + 1) * block_, where_.size()));
                      });
  }

  std::span<const std::int32_t> where_;
  std::size_t count_, block_;
  std::vector<std::int64_t> sent_;  // by block, then by output
};

void partition(KernelCall& call) {
  const Tensor &data = call.input_tensor(0), &where = call.input_tensor(1);
  require(starts_with(data.shape(), where.shape()),
          "data.shape must start with partitions.shape, got data.shape = ", data.shape(),
          ", partitions.shape = ", where.shape());
  const int count = call.output_count();
  Partitions partitions(where.flat<std::int32_t>(), count);
  partitions.count_rows(call);
  const Shape row = rest_of(data.shape(), where.rank());
  for (int i = 0; i < count; ++i)
    call.allocate_output(i, rows_shape(partitions.place_rows(i), row));
  const auto width = static_cast<std::size_t>(row.element_count());
  if (width == 0) return;
  with_element_type(data.dtype(), [&]<class T>(T*) {
    std::vector<T*> outputs;
    for (int i = 0; i < count; ++i)
      outputs.push_back(static_cast<T*>(call.output_tensor(i).raw_data()));
    partitions.send(call, static_cast<const T*>(data.raw_data()), width, outputs);
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDynamicPartition, .run = partition, .allocates = true}};

}  // namespace

extern const KernelTable kDynamicPartitionCpu{kEntries};

}  // namespace rill
