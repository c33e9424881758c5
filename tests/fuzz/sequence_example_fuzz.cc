// Any bytes as a SequenceExample: parsed, or refused with an error, whatever is asked of them.
#include <cstdint>

#include "rill/ops/kernel_runner.h"

namespace {

using namespace rill;

AttrMap asked() {
  using Names = std::vector<std::string>;
  using Types = std::vector<DType>;
  return {{"feature_list_dense_missing_assumed_empty", Names{"d"}},
          {"context_sparse_keys", Names{"s"}},
          {"context_dense_keys", Names{"c"}},
          {"feature_list_sparse_keys", Names{"t"}},
          {"feature_list_dense_keys", Names{"d"}},
          {"Ncontext_sparse", 1},
          {"Ncontext_dense", 1},
          {"Nfeature_list_sparse", 1},
          {"Nfeature_list_dense", 1},
          {"context_sparse_types", Types{DType::i64}},
          {"Tcontext_dense", Types{DType::f32}},
          {"feature_list_dense_types", Types{DType::i64}},
          {"context_dense_shapes", std::vector<PartialShape>{{2}}},
          {"feature_list_sparse_types", Types{DType::string}},
          {"feature_list_dense_shapes", std::vector<PartialShape>{{2}}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cpu_allocator().set_limit(std::int64_t{64} << 20);
  const std::vector<DType> outputs{DType::i64,    DType::i64, DType::i64, DType::f32, DType::i64,
                                   DType::string, DType::i64, DType::i64, DType::i64};
  static KernelRunner parse("ParseSequenceExample", asked(),
                            {DType::string, DType::string, DType::f32}, outputs);
  const std::string text(reinterpret_cast<const char*>(data), size);
  // A batch of two: the bytes, and the part of them that an index in the first byte leaves.
  const std::string part = text.substr(0, size == 0 ? 0 : data[0] % size);
  try {
    parse.run({Tensor::vector<std::string>({text, part}), Tensor(DType::string, {0}),
               Tensor::zeros(DType::f32, {2})},
              std::vector<Tensor>(outputs.size()));
  } catch (const Error&) {
  }
  return 0;
}
