#include "rill/graph/attr_proto.h"

#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/attr_value.pb.h"

namespace rill {
namespace {

using ListProto = tensorflow::AttrValue::ListValue;

tensorflow::DataType type_number(DType type) { return static_cast<tensorflow::DataType>(type); }

void set(const std::string& s, tensorflow::AttrValue* proto) { proto->set_s(s); }
void set(std::int64_t i, tensorflow::AttrValue* proto) { proto->set_i(i); }
void set(float f, tensorflow::AttrValue* proto) { proto->set_f(f); }
void set(bool b, tensorflow::AttrValue* proto) { proto->set_b(b); }
void set(DType t, tensorflow::AttrValue* proto) { proto->set_type(type_number(t)); }
void set(const PartialShape& s, tensorflow::AttrValue* p) { to_proto(s, p->mutable_shape()); }
void set(const Tensor& t, tensorflow::AttrValue* proto) { to_proto(t, proto->mutable_tensor()); }
void set(const FuncName& f, tensorflow::AttrValue* proto) { to_proto(f, proto->mutable_func()); }
void set(const AttrPlaceholder& p, tensorflow::AttrValue* proto) { proto->set_placeholder(p.name); }

void append_item(const std::string& s, ListProto* list) { list->add_s(s); }
void append_item(std::int64_t i, ListProto* list) { list->add_i(i); }
void append_item(float f, ListProto* list) { list->add_f(f); }
void append_item(bool b, ListProto* list) { list->add_b(b); }
void append_item(DType t, ListProto* list) { list->add_type(type_number(t)); }
void append_item(const PartialShape& s, ListProto* list) { to_proto(s, list->add_shape()); }
void append_item(const Tensor& t, ListProto* list) { to_proto(t, list->add_tensor()); }
void append_item(const FuncName& f, ListProto* list) { to_proto(f, list->add_func()); }

template <class T>
void set(const std::vector<T>& items, tensorflow::AttrValue* proto) {
  ListProto* list = proto->mutable_list();
  for (const auto& item : items) append_item(static_cast<const T&>(item), list);
}

template <class Out, class Items, class Convert>
bool take(const Items& items, AttrValue* value, Convert convert) {
  if (items.size() == 0) return false;
  require(!value->has_value(), "AttrValue had more than one kind of value in a list");
  std::vector<Out> out;
  out.reserve(static_cast<std::size_t>(items.size()));
  for (const auto& item : items) out.push_back(convert(item));
  *value = AttrValue(std::move(out));
  return true;
}

enum class Placeholders { kRefused, kAllowed };
FuncName read_attr(const tensorflow::NameAttrList& proto, Placeholders placeholders);

AttrValue list_from_proto(const ListProto& list, Placeholders placeholders) {
  const auto same = [](const auto& item) { return item; };
  AttrValue value;
  take<std::string>(list.s(), &value, same);
  take<std::int64_t>(list.i(), &value, same);
  take<float>(list.f(), &value, same);
  take<bool>(list.b(), &value, same);
  take<DType>(list.type(), &value, dtype_from_proto);
  take<PartialShape>(list.shape(), &value, shape_from_proto);
  take<Tensor>(list.tensor(), &value, [](const auto& tensor) { return from_proto(tensor); });
  take<FuncName>(list.func(), &value,
                 [&](const auto& func) { return read_attr(func, placeholders); });
  return value.has_value() ? value : AttrValue::empty_list(AttrKind::kInt);
}

AttrValue read_attr(const tensorflow::AttrValue& proto, Placeholders placeholders) {
  switch (proto.value_case()) {
    case tensorflow::AttrValue::kS:
      return proto.s();
    case tensorflow::AttrValue::kI:
      return std::int64_t{proto.i()};
    case tensorflow::AttrValue::kF:
      return proto.f();
    case tensorflow::AttrValue::kB:
      return proto.b();
    case tensorflow::AttrValue::kType:
      return dtype_from_proto(proto.type());
    case tensorflow::AttrValue::kShape:
      return shape_from_proto(proto.shape());
    case tensorflow::AttrValue::kTensor:
      return from_proto(proto.tensor());
    case tensorflow::AttrValue::kList:
      return list_from_proto(proto.list(), placeholders);
    case tensorflow::AttrValue::kFunc:
      return read_attr(proto.func(), placeholders);
    case tensorflow::AttrValue::kPlaceholder:
      if (placeholders == Placeholders::kAllowed) return AttrPlaceholder{proto.placeholder()};
      raise(Code::kInvalidArgument, "AttrValue had unexpected placeholder '", proto.placeholder(),
            "' outside of a function");
    case tensorflow::AttrValue::VALUE_NOT_SET:
      break;
  }
  return {};
}

FuncName read_attr(const tensorflow::NameAttrList& proto, Placeholders placeholders) {
  FuncName func{.name = proto.name()};
  for (const auto& [name, value] : proto.attr())
    func.attrs.emplace(name, read_attr(value, placeholders));
  return func;
}

}  // namespace

void to_proto(const AttrValue& value, tensorflow::AttrValue* proto) {
  proto->Clear();
  std::visit(
      [&]<class T>(const T& v) {
        if constexpr (!std::is_same_v<T, std::monostate>) set(v, proto);
      },
      value.storage());
}

void to_proto(const FuncName& func, tensorflow::NameAttrList* proto) {
  proto->Clear();
  proto->set_name(func.name);
  for (const auto& [name, value] : func.attrs) to_proto(value, &(*proto->mutable_attr())[name]);
}

AttrValue from_proto(const tensorflow::AttrValue& proto) {
  return read_attr(proto, Placeholders::kRefused);
}

AttrValue body_attr_from_proto(const tensorflow::AttrValue& proto) {
  return read_attr(proto, Placeholders::kAllowed);
}

FuncName from_proto(const tensorflow::NameAttrList& proto) {
  return read_attr(proto, Placeholders::kRefused);
}

}  // namespace rill
