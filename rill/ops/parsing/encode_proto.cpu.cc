#include <algorithm>
#include <bit>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/proto_message.h"
#include "rill/tensor/base128.h"

namespace rill {

extern const OpDecl kEncodeProto;

namespace {

struct EncodeState final : KernelState {
  explicit EncodeState(const KernelNode& node)
      : message(node.attr<std::string>("descriptor_source"), node.attr<std::string>("message_type"),
                node.attr<std::vector<std::string>>("field_names")),
        order(message.fields().size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return message.fields()[a].number < message.fields()[b].number;
    });
  }
  ProtoMessage message;
  std::vector<std::size_t> order;  // of the fields in a message: by number
};

std::unique_ptr<KernelState> make_encode_state(const KernelNode& node) {
  const auto& types = node.attr<std::vector<DType>>("Tinput_types");
  require(node.attr<std::vector<std::string>>("field_names").size() == types.size(),
          "Length of inputs list must match field_names");
  auto state = std::make_unique<EncodeState>(node);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ProtoField& field = state->message.fields()[i];
    // A double may be written to a float field, as an int64 to one of 32 bits.
    require(holds(types[i], field.kind), "Incompatible type for field ", field.name,
            ".  Saw dtype: ", types[i], " but field type is: ", field.type_name);
  }
  return state;
}

void append_fixed(std::uint64_t bits, std::size_t size, std::string* out) {
  for (std::size_t i = 0; i < size; ++i) out->push_back(static_cast<char>(bits >> (8 * i)));
}

std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}

// A whole number of any type, with its sign, as 64 bits.
std::uint64_t whole_bits(const Tensor& values, std::int64_t at) {
  switch (values.dtype()) {
    case DType::i32:
      return static_cast<std::uint64_t>(std::int64_t{values.data<std::int32_t>()[at]});
    case DType::i64:
      return static_cast<std::uint64_t>(values.data<std::int64_t>()[at]);
    case DType::u32:
      return values.data<std::uint32_t>()[at];
    case DType::u64:
      return values.data<std::uint64_t>()[at];
    case DType::boolean:
      return values.data<bool>()[at] ? 1 : 0;
    default:
      return 0;
  }
}
double real_value(const Tensor& values, std::int64_t at) {
  return values.dtype() == DType::f64 ? values.data<double>()[at]
                                      : double{values.data<float>()[at]};
}

// The value without its tag. What does not fit into a field of 32 bits is cut off, as in
// TensorFlow.
void append_value(ProtoKind kind, const Tensor& values, std::int64_t at, std::string* out) {
  switch (kind) {
    case ProtoKind::f64:
      return append_fixed(std::bit_cast<std::uint64_t>(real_value(values, at)), 8, out);
    case ProtoKind::f32:
      return append_fixed(std::bit_cast<std::uint32_t>(static_cast<float>(real_value(values, at))),
                          4, out);
    case ProtoKind::fixed64:
    case ProtoKind::sfixed64:
      return append_fixed(whole_bits(values, at), 8, out);
    case ProtoKind::fixed32:
    case ProtoKind::sfixed32:
      return append_fixed(whole_bits(values, at), 4, out);
    case ProtoKind::i32:
    case ProtoKind::enumeration:
      return append_base128(static_cast<std::uint64_t>(
                                std::int64_t{static_cast<std::int32_t>(whole_bits(values, at))}),
                            out);
    case ProtoKind::u32:
      return append_base128(static_cast<std::uint32_t>(whole_bits(values, at)), out);
    case ProtoKind::sint32:
      return append_base128(zigzag(static_cast<std::int32_t>(whole_bits(values, at))), out);
    case ProtoKind::sint64:
      return append_base128(zigzag(static_cast<std::int64_t>(whole_bits(values, at))), out);
    case ProtoKind::string:
    case ProtoKind::bytes:
    case ProtoKind::message: {
      const std::string& text = values.data<std::string>()[at];
      append_base128(text.size(), out);
      out->append(text);
      return;
    }
    default:
      return append_base128(whole_bits(values, at), out);
  }
}

void append_field(const ProtoField& field, const Tensor& values, std::int64_t first,
                  std::int64_t count, std::string* out) {
  if (field.packed && count > 0) {
    std::string packed;
    for (std::int64_t k = 0; k < count; ++k) append_value(field.kind, values, first + k, &packed);
    append_base128(delimited_tag(field.number), out);
    append_base128(packed.size(), out);
    out->append(packed);
    return;
  }
  for (std::int64_t k = 0; k < count; ++k) {
    append_base128(wire_tag(field.number, wire_type(field.kind)), out);
    append_value(field.kind, values, first + k, out);
  }
}

// Throws InvalidArgument unless all arguments are of the batch that the outputs have.
void check_shapes(const KernelCall& call, std::size_t field_count) {
  const Shape& batch = call.output_tensor(0).shape();
  const Shape wanted = batch.with_dim(batch.rank(), static_cast<std::int64_t>(field_count));
  require(call.input_tensor(0).shape() == wanted,
          "sizes should be batch_size + [len(field_names)].  Saw: ", call.input_tensor(0).shape(),
          " but expected: ", wanted);
}

void encode_proto(KernelCall& call) {
  const auto& state = call.state<EncodeState>();
  const std::vector<ProtoField>& fields = state.message.fields();
  check_shapes(call, fields.size());
  const std::span<const std::int32_t> sizes = call.input<std::int32_t>(0);
  const std::span<std::string> messages = call.output<std::string>(0);
  call.parallel_for(messages.size(), 50 + 20.0 * static_cast<double>(fields.size()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t m = begin; m < end; ++m)
                        for (const std::size_t f : state.order) {
                          const Tensor& values = call.input_tensor(1 + static_cast<int>(f));
                          const std::int64_t width = values.dim(values.rank() - 1);
                          const std::int64_t size = sizes[m * fields.size() + f];
                          require(size <= width,
                                  "Size to write must not be larger than value tensor; but saw: ",
                                  size, " > ", width, " at message ", m, " field ", f);
                          append_field(fields[f], values, static_cast<std::int64_t>(m) * width,
                                       size, &messages[m]);
                        }
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kEncodeProto, .run = encode_proto, .make_state = make_encode_state},
};

}  // namespace

extern const KernelTable kEncodeProtoCpu{kEntries};

}  // namespace rill
