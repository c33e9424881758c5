#pragma once

#include <complex>
#include <memory>
#include <string>
#include <utility>

#include "rill/base/error.h"
#include "rill/tensor/dtype.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill {

// The repeated fields of TensorProto, each found for reading and for writing.
namespace proto_list {
using Proto = tensorflow::TensorProto;
struct Int {
  static const auto& list(const Proto& p) { return p.int_val(); }
  static auto* list(Proto* p) { return p->mutable_int_val(); }
};
struct Int64 {
  static const auto& list(const Proto& p) { return p.int64_val(); }
  static auto* list(Proto* p) { return p->mutable_int64_val(); }
};
struct UInt32 {
  static const auto& list(const Proto& p) { return p.uint32_val(); }
  static auto* list(Proto* p) { return p->mutable_uint32_val(); }
};
struct UInt64 {
  static const auto& list(const Proto& p) { return p.uint64_val(); }
  static auto* list(Proto* p) { return p->mutable_uint64_val(); }
};
struct Float {
  static const auto& list(const Proto& p) { return p.float_val(); }
  static auto* list(Proto* p) { return p->mutable_float_val(); }
};
struct Double {
  static const auto& list(const Proto& p) { return p.double_val(); }
  static auto* list(Proto* p) { return p->mutable_double_val(); }
};
struct Half {
  static const auto& list(const Proto& p) { return p.half_val(); }
  static auto* list(Proto* p) { return p->mutable_half_val(); }
};
struct Bool {
  static const auto& list(const Proto& p) { return p.bool_val(); }
  static auto* list(Proto* p) { return p->mutable_bool_val(); }
};
struct Complex64 {
  static const auto& list(const Proto& p) { return p.scomplex_val(); }
  static auto* list(Proto* p) { return p->mutable_scomplex_val(); }
};
struct Complex128 {
  static const auto& list(const Proto& p) { return p.dcomplex_val(); }
  static auto* list(Proto* p) { return p->mutable_dcomplex_val(); }
};
struct String {
  static const auto& list(const Proto& p) { return p.string_val(); }
  static auto* list(Proto* p) { return p->mutable_string_val(); }
};
struct Resource {
  static const auto& list(const Proto& p) { return p.resource_handle_val(); }
  static auto* list(Proto* p) { return p->mutable_resource_handle_val(); }
};
struct Variant {
  static const auto& list(const Proto& p) { return p.variant_val(); }
  static auto* list(Proto* p) { return p->mutable_variant_val(); }
};
}  // namespace proto_list

// How elements of type T stand in their list: get() reads the one that starts at an index, add()
// appends one, and each takes kWidth entries.
template <class T, class List>
struct PlainField : List {
  static constexpr int kWidth = 1;
  static T get(const auto& list, int i) { return static_cast<T>(list.Get(i)); }
  static void add(const T& value, auto* list) { list->Add(value); }
};
// Quantised elements share int_val with the small integers.
template <class T>
struct QuantizedField : proto_list::Int {
  static constexpr int kWidth = 1;
  static T get(const auto& list, int i) { return {static_cast<decltype(T::value)>(list.Get(i))}; }
  static void add(const T& value, auto* list) { list->Add(value.value); }
};
// half_val holds the bits of half and bfloat16, not their values.
template <class T>
struct BitsField : proto_list::Half {
  static constexpr int kWidth = 1;
  static T get(const auto& list, int i) {
    T value;
    value.bits = static_cast<std::uint16_t>(list.Get(i));
    return value;
  }
  static void add(const T& value, auto* list) { list->Add(value.bits); }
};
// The real part, then the imaginary one.
template <class T, class List>
struct ComplexField : List {
  static constexpr int kWidth = 2;
  static T get(const auto& list, int i) { return {list.Get(i), list.Get(i + 1)}; }
  static void add(const T& value, auto* list) {
    list->Add(value.real());
    list->Add(value.imag());
  }
};

// The small integers share int_val.
template <class T>
struct ProtoField : PlainField<T, proto_list::Int> {};
template <>
struct ProtoField<std::int64_t> : PlainField<std::int64_t, proto_list::Int64> {};
template <>
struct ProtoField<std::uint32_t> : PlainField<std::uint32_t, proto_list::UInt32> {};
template <>
struct ProtoField<std::uint64_t> : PlainField<std::uint64_t, proto_list::UInt64> {};
template <>
struct ProtoField<float> : PlainField<float, proto_list::Float> {};
template <>
struct ProtoField<double> : PlainField<double, proto_list::Double> {};
template <>
struct ProtoField<bool> : PlainField<bool, proto_list::Bool> {};
template <>
struct ProtoField<half> : BitsField<half> {};
template <>
struct ProtoField<bfloat16> : BitsField<bfloat16> {};
template <>
struct ProtoField<qint8> : QuantizedField<qint8> {};
template <>
struct ProtoField<quint8> : QuantizedField<quint8> {};
template <>
struct ProtoField<qint16> : QuantizedField<qint16> {};
template <>
struct ProtoField<quint16> : QuantizedField<quint16> {};
template <>
struct ProtoField<qint32> : QuantizedField<qint32> {};
template <>
struct ProtoField<std::complex<float>> : ComplexField<std::complex<float>, proto_list::Complex64> {
};
template <>
struct ProtoField<std::complex<double>>
    : ComplexField<std::complex<double>, proto_list::Complex128> {};

template <>
struct ProtoField<std::string> : proto_list::String {
  static constexpr int kWidth = 1;
  static std::string get(const auto& list, int i) { return list.Get(i); }
  static void add(const std::string& value, auto* list) { *list->Add() = value; }
};

// The resource itself is not written: what is read back has names only.
template <>
struct ProtoField<ResourceHandle> : proto_list::Resource {
  static constexpr int kWidth = 1;
  static ResourceHandle get(const auto& list, int i) {
    const tensorflow::ResourceHandleProto& proto = list.Get(i);
    return {.device = proto.device(),
            .container = proto.container(),
            .name = proto.name(),
            .type_name = proto.maybe_type_name(),
            .type_hash = proto.hash_code()};
  }
  static void add(const ResourceHandle& handle, auto* list) {
    tensorflow::ResourceHandleProto* proto = list->Add();
    proto->set_device(handle.device);
    proto->set_container(handle.container);
    proto->set_name(handle.name);
    proto->set_maybe_type_name(handle.type_name);
    proto->set_hash_code(handle.type_hash);
  }
};

template <>
struct ProtoField<Variant> : proto_list::Variant {
  static constexpr int kWidth = 1;
  static rill::Variant get(const auto& list, int i) { return variant_from_proto(list.Get(i)); }
  static void add(const rill::Variant& variant, auto* list) { to_proto(variant, list->Add()); }
};

}  // namespace rill
