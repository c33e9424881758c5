#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rill/board/log/wire.h"

namespace rill::board {

// What an event holds, without what is large: that is given by its place in the record.
struct EventFacts {
  enum class Kind { kNothing, kVersion, kGraph, kMetaGraph, kSummary, kStart, kRunMetadata };
  Kind kind = Kind::kNothing;
  double wall_time = 0;
  std::int64_t step = 0;
  std::uint64_t begin = 0, size = 0;  // of what it holds
};

enum class ValueKind : std::uint8_t { kNone, kScalar, kHistogram, kImage, kAudio, kTensor };

struct ValueFacts {
  std::string_view tag, metadata;  // metadata: a SummaryMetadata as it stands there
  ValueKind kind = ValueKind::kNone;
  float number = 0;                   // of a kScalar
  std::uint64_t begin = 0, size = 0;  // of the others, without tag and metadata
  std::string kept_tag = {}, kept_metadata = {};
};

constexpr std::uint64_t kMostText = 64 << 10;  // of a tag; longer ones are no tags

template <class Bytes>
EventFacts event_facts(Bytes& bytes, std::uint64_t size) {
  using Kind = EventFacts::Kind;
  EventFacts facts;
  Fields<Bytes> field(bytes, 0, size);
  const auto holds = [&](Kind kind) {
    facts.kind = kind;
    facts.begin = field.begin();
    facts.size = field.size();
  };
  while (field.next()) {
    if (field.is(1, field.kFixed64)) facts.wall_time = field.as_double();
    if (field.is(2, field.kVarint)) facts.step = static_cast<std::int64_t>(field.integer());
    if (field.is_bytes(3)) holds(Kind::kVersion);
    if (field.is_bytes(4)) holds(Kind::kGraph);
    if (field.is_bytes(5)) holds(Kind::kSummary);
    if (field.is_bytes(7)) {
      Fields<Bytes> log(bytes, field.begin(), field.size());
      while (log.next())
        if (log.is(1, log.kVarint) && log.integer() == 1) holds(Kind::kStart);
    }
    if (field.is_bytes(8)) holds(Kind::kRunMetadata);
    if (field.is_bytes(9)) holds(Kind::kMetaGraph);
  }
  return facts;
}

// Of a Summary.Value at this place.
template <class Bytes>
void read_value(Bytes& bytes, std::uint64_t begin, std::uint64_t size, ValueFacts* value) {
  value->tag = value->metadata = {};
  value->kind = ValueKind::kNone;
  Fields<Bytes> field(bytes, begin, size);
  const auto holds = [&](ValueKind kind) {
    value->kind = kind;
    value->begin = field.begin();
    value->size = field.size();
  };
  while (field.next()) {
    if (field.is_bytes(1) && field.size() <= kMostText) value->tag = field.text(&value->kept_tag);
    if (field.is(2, field.kFixed32)) {
      value->kind = ValueKind::kScalar;
      value->number = field.as_float();
    }
    if (field.is_bytes(4)) holds(ValueKind::kImage);
    if (field.is_bytes(5)) holds(ValueKind::kHistogram);
    if (field.is_bytes(6)) holds(ValueKind::kAudio);
    if (field.is_bytes(8)) holds(ValueKind::kTensor);
    if (field.is_bytes(9) && field.size() <= (16u << 20))
      value->metadata = field.text(&value->kept_metadata);
  }
}

// The event that most logs are full of: one number, its fields in the order of their numbers.
struct PlainScalar {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string_view tag;
  float number = 0;
};
// False for every other event, which says nothing about it.
bool read_plain_scalar(std::string_view record, PlainScalar* scalar);

// What may be said of a TensorProto without its elements.
struct TensorFacts {
  std::uint64_t strings = 0;  // how many texts it holds
  std::uint64_t dtype = 0, first_dimension = 0;
  int rank = 0;
  std::optional<double> number;  // its first element, if that is one
};

template <class Bytes>
TensorFacts tensor_facts(Bytes& bytes, std::uint64_t begin, std::uint64_t size);
extern template TensorFacts tensor_facts(BytesInMemory&, std::uint64_t, std::uint64_t);
extern template TensorFacts tensor_facts(BytesInFile&, std::uint64_t, std::uint64_t);

// A SummaryMetadata.
struct SeriesMetadata {
  std::string plugin, content, display_name, description;
};
SeriesMetadata read_metadata(std::string_view bytes);

// 2 of "brain.Event:2"; 0 of what is no version.
double event_version(std::string_view text);

}  // namespace rill::board
