#include <algorithm>
#include <bit>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/parsing/proto_message.h"
#include "rill/ops/string/map_strings.h"

namespace rill {

extern const OpDecl kDecodeProtoV2;

namespace {

struct DecodeState final : KernelState {
  DecodeState(const KernelNode& node)
      : message(node.attr<std::string>("descriptor_source"), node.attr<std::string>("message_type"),
                node.attr<std::vector<std::string>>("field_names")) {}
  ProtoMessage message;
  std::vector<std::pair<std::uint32_t, std::size_t>> numbers;  // of the fields, ascending

  // The position of the field with this number; of several the first. -1: not wanted.
  int find(std::uint32_t number) const {
    const auto at =
        std::lower_bound(numbers.begin(), numbers.end(), std::pair{number, std::size_t{0}});
    return at == numbers.end() || at->first != number ? -1 : static_cast<int>(at->second);
  }
};

std::unique_ptr<KernelState> make_decode_state(const KernelNode& node) {
  const auto& types = node.attr<std::vector<DType>>("output_types");
  require(node.attr<std::vector<std::string>>("field_names").size() == types.size(),
          "field_names and output_types attributes must have the same length");
  const auto& format = node.attr<std::string>("message_format");
  require(format == "binary" || format == "text", "format must be one of binary or text");
  auto state = std::make_unique<DecodeState>(node);
  const std::vector<ProtoField>& fields = state->message.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    require(holds(types[i], fields[i].kind), "Unexpected output type for ", fields[i].full_name,
            ": ", fields[i].cpp_type, " to ", static_cast<int>(types[i]));
    state->numbers.emplace_back(fields[i].number, i);
  }
  std::sort(state->numbers.begin(), state->numbers.end());
  return state;
}

// One value as it stands in a message: the bits of a number or bytes.
struct WireValue {
  std::uint64_t bits = 0;
  std::string_view bytes;
};

bool read_value(WireReader& reader, WireType type, WireValue* value) {
  switch (type) {
    case WireType::varint:
      return reader.varint(&value->bits);
    case WireType::fixed64:
      return reader.fixed64(&value->bits);
    case WireType::fixed32:
      return value->bits = 0, reader.fixed32(&value->bits);
    default:
      return reader.delimited(&value->bytes);
  }
}

// Calls each(i, value) for the values of the wanted fields. Numbers may be packed whatever the
// declaration says; what is laid out otherwise than declared is an unknown field. False when the
// bytes are no message.
template <class Each>
bool for_values(std::string_view message, const DecodeState& state, Each each) {
  WireReader reader(message);
  WireValue value;
  while (!reader.at_end()) {
    std::uint32_t tag = 0;
    if (!reader.tag(&tag)) return false;
    const int i = state.find(tag >> 3);
    const auto found = static_cast<WireType>(tag & 7);
    const WireType wanted =
        i < 0 ? found : wire_type(state.message.fields()[static_cast<std::size_t>(i)].kind);
    if (i >= 0 && found == wanted) {
      if (!read_value(reader, wanted, &value)) return false;
      each(static_cast<std::size_t>(i), value);
    } else if (i >= 0 && found == WireType::delimited) {
      std::string_view packed;
      if (!reader.delimited(&packed)) return false;
      for (WireReader values(packed); !values.at_end();) {
        if (!read_value(values, wanted, &value)) return false;
        each(static_cast<std::size_t>(i), value);
      }
    } else if (!reader.skip(tag)) {
      return false;
    }
  }
  return true;
}

std::int64_t without_zigzag(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
}

std::int64_t whole_number(ProtoKind kind, std::uint64_t bits) {
  switch (kind) {
    case ProtoKind::sint32:
      return without_zigzag(bits & UINT32_MAX);
    case ProtoKind::sint64:
      return without_zigzag(bits);
    case ProtoKind::i32:
    case ProtoKind::enumeration:
    case ProtoKind::sfixed32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

double real_number(ProtoKind kind, std::uint64_t bits) {
  if (kind == ProtoKind::f64) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

void write_value(ProtoKind kind, const WireValue& value, const Tensor& out, std::int64_t at) {
  switch (out.dtype()) {
    case DType::f64:
      out.data<double>()[at] = real_number(kind, value.bits);
      break;
    case DType::f32:
      out.data<float>()[at] = static_cast<float>(real_number(kind, value.bits));
      break;
    case DType::i64:
      out.data<std::int64_t>()[at] = whole_number(kind, value.bits);
      break;
    case DType::i32:
      out.data<std::int32_t>()[at] = static_cast<std::int32_t>(whole_number(kind, value.bits));
      break;
    case DType::u64:
      out.data<std::uint64_t>()[at] =
          kind == ProtoKind::u32 ? static_cast<std::uint32_t>(value.bits) : value.bits;
      break;
    case DType::u32:
      out.data<std::uint32_t>()[at] = static_cast<std::uint32_t>(value.bits);
      break;
    case DType::boolean:
      out.data<bool>()[at] = value.bits != 0;
      break;
    default:
      out.data<std::string>()[at].assign(value.bytes);
  }
}

// What stands where a message has no value.
void write_default_value(const ProtoField& field, const Tensor& out, std::int64_t at) {
  WireValue value{field.default_bits, field.default_text};
  // The default of a zigzag number is the number itself.
  const ProtoKind kind = field.kind == ProtoKind::sint32   ? ProtoKind::i32
                         : field.kind == ProtoKind::sint64 ? ProtoKind::i64
                                                           : field.kind;
  write_value(kind, value, out, at);
}

class Decoding {
 public:
  explicit Decoding(KernelCall& call)
      : call_(call),
        state_(call.state<DecodeState>()),
        messages_(call.input<std::string>(0)),
        fields_(state_.message.fields()) {
    const bool text = call.node().attr<std::string>("message_format") == "text";
    if (!text && !call.node().attr<bool>("sanitize")) return;
    for (const std::string& m : messages_)
      rewritten_.push_back(text ? state_.message.from_text(m) : state_.message.rewritten(m));
    messages_ = rewritten_;
  }

  void run() {
    const Shape& batch = call_.input_tensor(0).shape();
    require(!messages_.empty(), "Bufs argument must contain at least one value");
    sizes_ = call_.allocate_output(0, batch.with_dim(batch.rank(), count(fields_.size())))
                 .data<std::int32_t>();
    parallel([&](std::size_t message) { count_values(message); });
    for (std::size_t f = 0; f < fields_.size(); ++f)
      widths_.push_back(
          call_.allocate_output(1 + static_cast<int>(f), batch.with_dim(batch.rank(), longest(f)))
              .dim(batch.rank()));
    parallel([&](std::size_t message) { write_values(message); });
  }

 private:
  static std::int64_t count(std::size_t n) { return static_cast<std::int64_t>(n); }
  std::int32_t* sizes(std::size_t message) const { return sizes_ + message * fields_.size(); }

  void parallel(FunctionRef<void(std::size_t)> body) const {
    call_.parallel_for(messages_.size(), 50 + 2 * typical_length(messages_),
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i) body(i);
                       });
  }

  void count_values(std::size_t message) const {
    std::int32_t* const sizes = this->sizes(message);
    std::fill_n(sizes, fields_.size(), 0);
    const bool ok = for_values(messages_[message], state_, [&](std::size_t f, const WireValue&) {
      sizes[f] = fields_[f].repeated ? sizes[f] + 1 : 1;
    });
    if (!ok)
      raise(Code::kDataLoss, "CountFields: Failed to consume entire buffer of message ", message);
  }

  std::int64_t longest(std::size_t f) const {
    std::int32_t most = 1;
    for (std::size_t m = 0; m < messages_.size(); ++m) most = std::max(most, sizes(m)[f]);
    return most;
  }

  void write_values(std::size_t message) const {
    std::vector<std::int64_t> at(fields_.size());
    for_values(messages_[message], state_, [&](std::size_t f, const WireValue& value) {
      const std::int64_t k = fields_[f].repeated ? at[f]++ : 0;  // of several the last counts
      write_value(fields_[f].kind, value, output(f), count(message) * widths_[f] + k);
    });
    for (std::size_t f = 0; f < fields_.size(); ++f)
      for (std::int64_t k = sizes(message)[f]; k < widths_[f]; ++k)
        write_default_value(fields_[f], output(f), count(message) * widths_[f] + k);
  }
  const Tensor& output(std::size_t f) const { return call_.output_tensor(1 + static_cast<int>(f)); }

  KernelCall& call_;
  const DecodeState& state_;
  std::span<const std::string> messages_;
  const std::vector<ProtoField>& fields_;
  std::vector<std::string> rewritten_;
  std::int32_t* sizes_ = nullptr;
  std::vector<std::int64_t> widths_;
};

void decode_proto(KernelCall& call) { Decoding(call).run(); }

constexpr KernelEntry kEntries[] = {
    {.op = &kDecodeProtoV2,
     .run = decode_proto,
     .make_state = make_decode_state,
     .allocates = true},
};

}  // namespace

extern const KernelTable kDecodeProtoCpu{kEntries};

}  // namespace rill
