#include <algorithm>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/element_types.h"

namespace rill {

extern const OpDecl kWhere;

namespace {

constexpr int kMaxDims = 8;

// An element is zero when the bits under `mask` are: all of them, or all but the sign of a float.
template <class T>
T zero_mask(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::bf16:
      return static_cast<T>(0x7fff);
    case DType::f32:
      return static_cast<T>(0x7fffffff);
    case DType::f64:
      return static_cast<T>(0x7fffffffffffffff);
    case DType::c64:
      return static_cast<T>(0x7fffffff7fffffff);
    default:
      return static_cast<T>(~std::uint64_t{0});
  }
}

template <class T>
bool is_set(T bits, T mask) {
  return (bits & mask) != 0;
}
bool is_set(const Bytes16& bits, std::uint64_t mask) {
  return ((bits.low | bits.high) & mask) != 0;
}

constexpr std::int64_t kBlock = 1 << 14;  // elements that one thread looks at in a go
constexpr std::int64_t kPiece = 1 << 10;  // elements whose places are put aside before written

// Writes the places of set elements, in order, as their indices in each dimension.
class PlaceWriter {
 public:
  PlaceWriter(const Shape& shape, std::int64_t* out)
      : shape_(shape), rank_(shape.rank()), row_(shape.dim(rank_ - 1)), out_(out) {}

  // Elements first + offset[0], first + offset[1], ...
  void write(std::int64_t first, const std::uint32_t* offset, std::int64_t count) {
    std::int64_t i = 0;
    while (i < count) {
      if (first + offset[i] >= row_end_) enter_row((first + offset[i]) / row_);
      const std::int64_t left = row_end_ - first, most = std::min(count - i, left - offset[i]);
      const std::int64_t here =
          std::lower_bound(offset + i, offset + i + most, left) - (offset + i);
      write_columns(row_ - left, offset + i, here);
      i += here;
    }
  }

 private:
  void enter_row(std::int64_t row) {
    row_end_ = (row + 1) * row_;
    for (int d = rank_ - 2; d >= 0; --d) {
      front_[d] = row % shape_.dim(d);
      row /= shape_.dim(d);
    }
  }
  void write_columns(std::int64_t shift, const std::uint32_t* offset, std::int64_t count) {
    std::int64_t* out = out_;
    out_ += count * rank_;
    if (rank_ == 1) {
      for (std::int64_t i = 0; i < count; ++i) out[i] = shift + offset[i];
    } else if (rank_ == 2) {
      const std::int64_t row = front_[0];
      for (std::int64_t i = 0; i < count; ++i) {
        out[2 * i] = row;
        out[2 * i + 1] = shift + offset[i];
      }
    } else {
      for (std::int64_t i = 0; i < count; ++i, out += rank_) {
        for (int d = 0; d < rank_ - 1; ++d) out[d] = front_[d];
        out[rank_ - 1] = shift + offset[i];
      }
    }
  }

  const Shape& shape_;
  int rank_;
  std::int64_t row_, row_end_ = 0;
  std::int64_t front_[kMaxDims - 1] = {};  // the indices of the row
  std::int64_t* out_;
};

template <class T, class Mask>
std::int64_t count_set(const T* src, std::int64_t count, Mask mask) {
  std::uint32_t set = 0;
  for (std::int64_t i = 0; i < count; ++i) set += is_set(src[i], mask);
  return set;
}

// Without a branch on what is set: every place is written and counts only if it is.
template <class T, class Mask>
void write_set(const T* src, std::int64_t begin, std::int64_t end, Mask mask, PlaceWriter writer) {
  std::uint32_t offset[kPiece];
  for (; begin < end; begin += kPiece) {
    const auto piece = static_cast<std::uint32_t>(std::min(kPiece, end - begin));
    std::int64_t found = 0;
    for (std::uint32_t i = 0; i < piece; ++i) {
      offset[found] = i;
      found += is_set(src[begin + i], mask);
    }
    writer.write(begin, offset, found);
  }
}

template <class T, class Mask>
void where_of(const KernelCall& call, const Tensor& input, Mask mask) {
  const T* src = static_cast<const T*>(input.raw_data());
  const std::int64_t total = input.element_count(), blocks = (total + kBlock - 1) / kBlock;
  std::vector<std::int64_t> before(static_cast<std::size_t>(blocks) + 1, 0);  // set, by block
  const auto for_blocks = [&](double nanos, auto body) {
    call.parallel_for(static_cast<std::size_t>(blocks), nanos * kBlock,
                      [&](std::size_t first, std::size_t last) {
                        for (std::size_t k = first; k < last; ++k) {
                          const auto begin = static_cast<std::int64_t>(k) * kBlock;
                          body(k, begin, std::min(begin + kBlock, total));
                        }
                      });
  };
  for_blocks(0.1 * sizeof(T), [&](std::size_t k, std::int64_t begin, std::int64_t end) {
    before[k + 1] = count_set(src + begin, end - begin, mask);
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  const Tensor& out = call.allocate_output(0, {before.back(), input.rank()});
  for_blocks(1.5, [&](std::size_t k, std::int64_t begin, std::int64_t end) {
    if (before[k + 1] == before[k]) return;
    write_set(src, begin, end, mask,
              PlaceWriter(input.shape(), out.data<std::int64_t>() + before[k] * input.rank()));
  });
}

void where(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  require(input.rank() >= 1 && input.rank() <= kMaxDims,
          "WhereOp : Unhandled input dimensions: ", input.rank());
  with_element_type(input.dtype(), [&]<class T>(T*) {
    if constexpr (std::is_same_v<T, Bytes16> || std::is_integral_v<T>) {
      using Mask = std::conditional_t<std::is_integral_v<T>, T, std::uint64_t>;
      const auto mask =
          sizeof(T) == 16 ? static_cast<Mask>(0x7fffffffffffffff) : zero_mask<Mask>(input.dtype());
      where_of<T, Mask>(call, input, mask);
    }
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kWhere, .types = kNumberTypes | DType::boolean, .run = where, .allocates = true}};

}  // namespace

extern const KernelTable kWhereCpu{kEntries};

}  // namespace rill
