#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/stream.h"
#include "rill/ops/random/words.h"

namespace rill {

extern const OpDecl kRandomCrop;

namespace {

void random_crop(KernelCall& call) {
  const Tensor &image = call.input_tensor(0), &results = call.output_tensor(0);
  std::int64_t begin[2] = {0, 0};
  // An image of the wanted size takes nothing from the stream.
  if (image.shape() != results.shape()) {
    PhiloxWords words(call.state<NodeStream>().reserve(1));
    for (const int d : {1, 0}) {  // the width is drawn first
      const std::int64_t room = image.dim(d) - results.dim(d);
      if (room > 0) begin[d] = static_cast<std::int64_t>(words.next() % (room + 1));
    }
  }
  const auto size = element_size(image.dtype()) * static_cast<std::size_t>(image.dim(2));
  const auto in_row = size * static_cast<std::size_t>(image.dim(1)),
             out_row = size * static_cast<std::size_t>(results.dim(1));
  const auto* from = static_cast<const char*>(image.raw_data()) +
                     static_cast<std::size_t>(begin[0]) * in_row +
                     static_cast<std::size_t>(begin[1]) * size;
  auto* to = static_cast<char*>(results.raw_data());
  if (results.element_count() == 0) return;
  for (std::int64_t y = 0; y < results.dim(0); ++y, from += in_row, to += out_row)
    std::memcpy(to, from, out_row);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRandomCrop, .run = random_crop, .make_state = NodeStream::make}};

}  // namespace

extern const KernelTable kRandomCropCpu{kEntries};

}  // namespace rill
