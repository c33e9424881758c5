// Any bytes as an Example: parsed, or refused with an error, whatever is asked of them.
#include <cstdint>

#include "rill/ops/kernel_runner.h"

namespace {

using namespace rill;

AttrMap asked() {
  return {{"num_sparse", 2},
          {"sparse_keys", std::vector<std::string>{"s", "t"}},
          {"dense_keys", std::vector<std::string>{"f", "i", "v"}},
          {"sparse_types", std::vector<DType>{DType::string, DType::i64}},
          {"Tdense", std::vector<DType>{DType::f32, DType::i64, DType::f32}},
          {"dense_shapes", std::vector<PartialShape>{{2}, {1}, {-1, 2}}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cpu_allocator().set_limit(std::int64_t{64} << 20);
  const std::vector<DType> outputs{DType::i64, DType::i64, DType::string, DType::i64, DType::i64,
                                   DType::i64, DType::f32, DType::i64,    DType::f32};
  static KernelRunner parse("ParseSingleExample", asked(),
                            {DType::string, DType::f32, DType::i64, DType::f32}, outputs);
  const Tensor bytes =
      Tensor::scalar<std::string>(std::string(reinterpret_cast<const char*>(data), size));
  try {
    parse.run({bytes, Tensor::zeros(DType::f32, {2}), Tensor::zeros(DType::i64, {1}),
               Tensor::zeros(DType::f32, {1})},
              std::vector<Tensor>(outputs.size()));
  } catch (const Error&) {
  }
  return 0;
}
