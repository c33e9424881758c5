#include <bit>
#include <cstring>

#include "rill/io/swap_bytes.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kDecodeRaw, kDecodePaddedRaw;

namespace {

// Writes each string to its row of `size` bytes, cut off or filled with zeros.
void write_rows(const KernelCall& call, const Tensor& output, std::size_t size) {
  const std::span<const std::string> texts = call.input<std::string>(0);
  const DType type = output.dtype();
  const bool swap =
      call.node().attr<bool>("little_endian") != (std::endian::native == std::endian::little);
  const double cost = 10 + static_cast<double>(size) * (swap || type == DType::boolean ? 0.5 : 0.1);
  call.parallel_for(texts.size(), cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      char* const row = static_cast<char*>(output.raw_data()) + i * size;
      const std::size_t length = std::min(size, texts[i].size());
      std::memcpy(row, texts[i].data(), length);
      std::memset(row + length, 0, size - length);
      if (swap) swap_bytes(type, {row, size});
      if (type == DType::boolean)  // any other byte in a bool is not one
        for (std::size_t k = 0; k < size; ++k) row[k] = static_cast<char>(row[k] != 0);
    }
  });
}

void decode_raw(KernelCall& call) {
  const std::span<const std::string> texts = call.input<std::string>(0);
  const Shape& batch = call.input_tensor(0).shape();
  const DType type = call.node().output_type(0);
  const std::size_t size = texts.empty() ? 0 : texts[0].size(), width = element_size(type);
  for (std::size_t i = 0; i < texts.size(); ++i)
    require(texts[i].size() == size,
            "DecodeRaw requires input strings to all be the same size, but element ", i,
            " has size ", texts[i].size(), " != ", size);
  require(size % width == 0, "Input to DecodeRaw has length ", size, " that is not a multiple of ",
          width, ", the size of ", type);
  const Tensor& output = call.allocate_output(
      0, batch.with_dim(batch.rank(), static_cast<std::int64_t>(size / width)));
  if (size > 0) write_rows(call, output, size);
}

void decode_padded_raw(KernelCall& call) {
  const Tensor& output = call.output_tensor(0);
  const auto row = static_cast<std::size_t>(call.input_tensor(1).scalar_value<std::int32_t>());
  if (output.element_count() > 0) write_rows(call, output, row);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kDecodeRaw, .run = decode_raw, .allocates = true},
    {.op = &kDecodePaddedRaw, .run = decode_padded_raw},
};

}  // namespace

extern const KernelTable kDecodeRawCpu{kEntries};

}  // namespace rill
