#include "rill/io/inflate.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/message_bytes.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kParseTensor, kSerializeTensor, kDecodeJSONExample, kDecodeCompressed;

namespace {

void parse_tensor(KernelCall& call) {
  const Tensor& serialized = call.input_tensor(0);
  require(serialized.rank() == 0,
          "Expected `serialized` to be a scalar, got shape: ", serialized.shape());
  call.set_output(
      0, tensor_from_bytes(serialized.scalar_value<std::string>(), call.node().output_type(0)));
}

void serialize_tensor(KernelCall& call) {
  call.output<std::string>(0)[0] = tensor_bytes(call.input_tensor(0));
}

void decode_json_example(KernelCall& call) {
  map_strings<std::string>(call, 1000, 20, [](const std::string& json, std::string& bytes) {
    bytes = example_from_json(json);
  });
}

void decode_compressed(KernelCall& call) {
  const auto& name = call.node().attr<std::string>("compression_type");
  require(name.empty() || name == "ZLIB" || name == "GZIP",
          "Only ZLIB, GZIP or NONE are supported compressions, not '", name, "'");
  const Compression compression = name.empty()     ? Compression::none
                                  : name == "ZLIB" ? Compression::zlib
                                                   : Compression::gzip;
  map_strings<std::string>(call, compression == Compression::none ? 20 : 5000, 5,
                           [=](const std::string& packed, std::string& bytes) {
                             bytes = inflated(packed, compression);
                           });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kParseTensor, .run = parse_tensor, .allocates = true},
    {.op = &kSerializeTensor, .run = serialize_tensor},
    {.op = &kDecodeJSONExample, .run = decode_json_example},
    {.op = &kDecodeCompressed, .run = decode_compressed},
};

}  // namespace

extern const KernelTable kSerializedCpu{kEntries};

}  // namespace rill
