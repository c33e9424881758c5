#include "rill/api/core/quick_slice.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "rill/api/core/default_graph.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/tape.h"
#include "rill/runtime/eager/eager_context.h"

namespace rill {
namespace {

using Kind = PlainPart::Kind;

// Blocks of more bytes are shared where they are half of the whole or more; others are copied, so
// that they do not keep large values alive.
constexpr std::int64_t kCopiedBytes = 4096;

// The elements from `position` on, as many as `dims` say.
struct Block {
  std::int64_t position = 0;
  Dims dims;
};

class BlockFinder {
 public:
  explicit BlockFinder(const Shape& whole) : whole_(whole) {}

  // False where the parts mean no block, or are wrong.
  bool find(std::span<const PlainPart> parts) {
    int named = 0, ellipses = 0;
    for (const PlainPart& part : parts) {
      named += part.kind == Kind::kIndex || part.kind == Kind::kRange;
      ellipses += part.kind == Kind::kEllipsis;
    }
    if (named > whole_.rank() || ellipses > 1) return false;
    for (const PlainPart& part : parts)
      if (!take(part, whole_.rank() - named)) return false;
    while (next_ < whole_.rank())
      if (!take_all()) return false;
    return true;
  }
  Block block;

 private:
  bool take(const PlainPart& part, int left_open) {
    switch (part.kind) {
      case Kind::kNewAxis:
        block.dims.push_back(1);
        return true;
      case Kind::kEllipsis:
        for (int i = 0; i < left_open; ++i)
          if (!take_all()) return false;
        return true;
      case Kind::kIndex:
        return take_index(part.start);
      case Kind::kRange:
        return take_range(part);
    }
    return false;
  }

  bool take_all() {
    const std::int64_t size = whole_[next_];
    block.dims.push_back(size);
    return narrow(0, size);
  }

  bool take_index(std::int64_t index) {
    const std::int64_t size = whole_[next_];
    if (index < 0) index += size;
    return index >= 0 && index < size && narrow(index, 1);
  }

  bool take_range(const PlainPart& part) {
    const std::int64_t size = whole_[next_];
    const auto within = [size](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
    };
    const std::int64_t start = part.has_start ? within(part.start) : 0;
    const std::int64_t stop = part.has_stop ? within(part.stop) : size;
    const std::int64_t count = std::max<std::int64_t>(stop - start, 0);
    block.dims.push_back(count);
    return narrow(start, count);
  }

  // Once a dimension has several elements all further ones must be whole.
  bool narrow(std::int64_t start, std::int64_t count) {
    const std::int64_t size = whole_[next_++];
    if (is_wide_ && count != size) return false;
    is_wide_ |= count != 1;
    block.position = block.position * size + start;
    return count > 0;
  }

  const Shape& whole_;
  int next_ = 0;
  bool is_wide_ = false;
};

bool somebody_looks(const Output& x) {
  const EagerContext& context = EagerContext::instance();
  if (context.is_observed() || !context.has_one_device()) return true;
  return any_tape_is_on() && any_tape_tracks(std::span(&x, 1));
}

Tensor copied(const Tensor& whole, const Block& block) {
  Tensor made(whole.dtype(), Shape(block.dims.span()));
  const auto size = static_cast<std::int64_t>(element_size(whole.dtype()));
  std::memcpy(made.raw_data(), static_cast<const char*>(whole.raw_data()) + block.position * size,
              static_cast<std::size_t>(made.element_count() * size));
  return made;
}

Tensor part_of(const Tensor& whole, const Block& block) {
  std::int64_t count = 1;
  for (const std::int64_t size : block.dims.span()) count *= size;
  const std::int64_t bytes = count * static_cast<std::int64_t>(element_size(whole.dtype()));
  const bool is_large = bytes > kCopiedBytes && 2 * count >= whole.element_count();
  if (!is_large && is_trivial(whole.dtype())) return copied(whole, block);
  return whole.reshaped({whole.element_count()})
      .slice(block.position, block.position + count)
      .reshaped(Shape(block.dims.span()));
}

}  // namespace

Output block_of(const Output& x, std::span<const PlainPart> parts) {
  if (x.node == nullptr || !x.node->is_executed() || !executing_eagerly()) return {};
  if (executed(*x.node).memory_kind(x.index) != MemoryKind::host || somebody_looks(x)) return {};
  const Tensor& whole = x.value();
  BlockFinder finder(whole.shape());
  if (!finder.find(parts)) return {};
  return EagerContext::instance().constant(part_of(whole, finder.block));
}

}  // namespace rill
