#include "tensorflow/core/framework/attr_value_util.h"

#include "rill/compat/convert.h"
#include "rill/graph/attr_proto.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/util/padding.h"
#include "tensorflow/core/util/tensor_format.h"

namespace tensorflow {
namespace {

rill::AttrValue value_of(const AttrSlice& attrs, StringPiece name) {
  const AttrValue* found = attrs.Find(name);
  if (found == nullptr)
    raise(rill::Code::kNotFound, "No attr named '", to_rill(name), "' in NodeDef");
  return rill::from_proto(*found);
}

// What the library keeps for an attribute of the type on the left.
template <class T>
struct AttrStorage {
  using Type = T;
  static const T& convert(const T& value) { return value; }
};
template <>
struct AttrStorage<int64> {
  using Type = std::int64_t;
  static int64 convert(std::int64_t value) { return value; }
};
template <>
struct AttrStorage<int32> {
  using Type = std::int64_t;
  static int32 convert(std::int64_t value) {
    rill::require(value >= kint32min && value <= kint32max, "value ", value,
                  " out of range for an int32");
    return static_cast<int32>(value);
  }
};
template <>
struct AttrStorage<DataType> {
  using Type = rill::DType;
  static DataType convert(rill::DType value) { return from_rill(value); }
};
template <>
struct AttrStorage<TensorShape> {
  using Type = rill::PartialShape;
  static TensorShape convert(const rill::PartialShape& value) { return from_rill(value.full()); }
};
template <>
struct AttrStorage<PartialTensorShape> {
  using Type = rill::PartialShape;
  static PartialTensorShape convert(const rill::PartialShape& value) { return from_rill(value); }
};
template <>
struct AttrStorage<TensorShapeProto> {
  using Type = rill::PartialShape;
  static TensorShapeProto convert(const rill::PartialShape& value) {
    TensorShapeProto proto;
    from_rill(value).AsProto(&proto);
    return proto;
  }
};
template <>
struct AttrStorage<Tensor> {
  using Type = rill::Tensor;
  static Tensor convert(const rill::Tensor& value) { return TensorAccess::wrap_aligned(value); }
};
template <>
struct AttrStorage<TensorProto> {
  using Type = rill::Tensor;
  static TensorProto convert(const rill::Tensor& value) {
    TensorProto proto;
    rill::to_proto(value, &proto);
    return proto;
  }
};
template <>
struct AttrStorage<NameAttrList> {
  using Type = rill::FuncName;
  static NameAttrList convert(const rill::FuncName& value) {
    NameAttrList proto;
    rill::to_proto(value, &proto);
    return proto;
  }
};

template <class F>
Status reading(StringPiece name, F&& read) {
  const Status status = guarded(read);
  if (status.ok()) return status;
  if (errors::IsNotFound(status)) return status;
  return Status(status.code(), strings::StrCat("attr '", name, "': ", status.error_message()));
}

template <class T>
Status get(const AttrSlice& attrs, StringPiece name, T* value) {
  return reading(name, [&] {
    *value = AttrStorage<T>::convert(
        value_of(attrs, name).template get<typename AttrStorage<T>::Type>());
  });
}

template <class T, class List>
Status get_list(const AttrSlice& attrs, StringPiece name, List* list) {
  return reading(name, [&] {
    const rill::AttrValue value = value_of(attrs, name);
    list->clear();
    if (value.is_list() && value.list_size() == 0) return;  // of whatever kind
    for (const auto& item : value.get<std::vector<typename AttrStorage<T>::Type>>())
      list->push_back(AttrStorage<T>::convert(item));
  });
}

}  // namespace

const AttrValue* AttrSlice::Find(StringPiece attr_name) const {
  const auto it = attrs_->find(attr_name.ToString());
  return it == attrs_->end() ? nullptr : &it->second;
}
Status AttrSlice::Find(StringPiece attr_name, const AttrValue** attr_value) const {
  *attr_value = Find(attr_name);
  if (*attr_value != nullptr) return Status::OK();
  return errors::NotFound("No attr named '", attr_name, "' in NodeDef");
}

#define RILL_DEFINE_GET_ATTR(TYPE)                                                              \
  Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, TYPE* value) {              \
    return get(attrs, attr_name, value);                                                        \
  }                                                                                             \
  Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, std::vector<TYPE>* value) { \
    return get_list<TYPE>(attrs, attr_name, value);                                             \
  }
RILL_DEFINE_GET_ATTR(string)
RILL_DEFINE_GET_ATTR(int64)
RILL_DEFINE_GET_ATTR(int32)
RILL_DEFINE_GET_ATTR(float)
RILL_DEFINE_GET_ATTR(bool)
RILL_DEFINE_GET_ATTR(DataType)
RILL_DEFINE_GET_ATTR(TensorShapeProto)
RILL_DEFINE_GET_ATTR(TensorShape)
RILL_DEFINE_GET_ATTR(PartialTensorShape)
RILL_DEFINE_GET_ATTR(Tensor)
RILL_DEFINE_GET_ATTR(TensorProto)
RILL_DEFINE_GET_ATTR(NameAttrList)
#undef RILL_DEFINE_GET_ATTR

Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, DataTypeVector* value) {
  return get_list<DataType>(attrs, attr_name, value);
}
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, const NameAttrList** value) {
  const AttrValue* found = nullptr;
  TF_RETURN_IF_ERROR(attrs.Find(attr_name, &found));
  if (!found->has_func()) return errors::InvalidArgument("attr '", attr_name, "' is no func");
  *value = &found->func();
  return Status::OK();
}
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, const TensorProto** value) {
  const AttrValue* found = nullptr;
  TF_RETURN_IF_ERROR(attrs.Find(attr_name, &found));
  if (!found->has_tensor()) return errors::InvalidArgument("attr '", attr_name, "' is no tensor");
  *value = &found->tensor();
  return Status::OK();
}
bool HasNodeAttr(const NodeDef& node_def, StringPiece attr_name) {
  return node_def.attr().count(attr_name.ToString()) != 0;
}
string SummarizeNodeDef(const NodeDef& node_def) {
  string text = rill::str_cat(node_def.name(), " = ", node_def.op(), "[");
  std::map<string, string> sorted;
  for (const auto& [name, value] : node_def.attr()) sorted[name] = SummarizeAttrValue(value);
  bool first = true;
  for (const auto& [name, value] : sorted) {
    text += (first ? "" : ", ") + name + "=" + value;
    first = false;
  }
  text += "](";
  for (int i = 0; i < node_def.input_size(); ++i) text += (i == 0 ? "" : ", ") + node_def.input(i);
  return text + ")";
}

Status GetPaddingFromString(StringPiece text, Padding* value) {
  if (text == "SAME")
    *value = SAME;
  else if (text == "VALID")
    *value = VALID;
  else if (text == "EXPLICIT")
    *value = EXPLICIT;
  else
    return errors::NotFound(text, " is not an allowed padding type");
  return Status::OK();
}
Status GetNodeAttr(const AttrSlice& attrs, StringPiece attr_name, Padding* value) {
  string text;
  TF_RETURN_IF_ERROR(GetNodeAttr(attrs, attr_name, &text));
  return GetPaddingFromString(text, value);
}
bool FormatFromString(const string& format_str, TensorFormat* format) {
  if (format_str != "NHWC" && format_str != "NCHW") return false;
  *format = format_str == "NHWC" ? FORMAT_NHWC : FORMAT_NCHW;
  return true;
}
string ToString(TensorFormat format) { return format == FORMAT_NHWC ? "NHWC" : "NCHW"; }

void SetAttrValue(StringPiece value, AttrValue* out) { out->set_s(value.data(), value.size()); }
void SetAttrValue(const char* value, AttrValue* out) { out->set_s(value); }
void SetAttrValue(const string& value, AttrValue* out) { out->set_s(value); }
void SetAttrValue(int32 value, AttrValue* out) { out->set_i(value); }
void SetAttrValue(int64 value, AttrValue* out) { out->set_i(value); }
void SetAttrValue(float value, AttrValue* out) { out->set_f(value); }
void SetAttrValue(bool value, AttrValue* out) { out->set_b(value); }
void SetAttrValue(DataType value, AttrValue* out) { out->set_type(value); }
void SetAttrValue(const TensorShape& value, AttrValue* out) { value.AsProto(out->mutable_shape()); }
void SetAttrValue(const PartialTensorShape& value, AttrValue* out) {
  value.AsProto(out->mutable_shape());
}
void SetAttrValue(const Tensor& value, AttrValue* out) {
  rill::to_proto(TensorAccess::unwrap(value), out->mutable_tensor());
}
string SummarizeAttrValue(const AttrValue& value) {
  try {
    return to_text(rill::from_proto(value));
  } catch (const rill::Error& error) {
    return "<" + error.message() + ">";
  }
}

}  // namespace tensorflow
