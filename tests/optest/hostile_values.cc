#include "tests/optest/hostile_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr double kHuge = 9.2e18;  // close to what an int64 holds

bool has_numbers(DType dtype) { return !kObjectTypes.contains(dtype); }
bool has_fractions(DType dtype) { return (kFloatTypes | kComplexTypes).contains(dtype); }

// All `number`, or as close to it as integers of the type come.
Tensor all_of(const Tensor& t, double number) {
  if (!has_fractions(t.dtype())) {
    const double bits = 8.0 * static_cast<double>(element_size(t.dtype()));
    const bool is_unsigned = kUnsignedIntTypes.contains(t.dtype()) || t.dtype() == DType::boolean;
    // The largest int64 is no double.
    const double most = std::min(std::exp2(is_unsigned ? bits : bits - 1) - 1, kHuge);
    number = std::clamp(number, is_unsigned ? 0 : -most, most);
  }
  return filled(t.dtype(), t.shape(), number);
}

// The same elements over and over in another shape.
Tensor reshaped(const Tensor& t, const Shape& shape) {
  Tensor result = Tensor::zeros(t.dtype(), shape);
  if (t.element_count() == 0 || !has_numbers(t.dtype())) return result;
  const std::size_t size = t.byte_size() / static_cast<std::size_t>(t.element_count());
  for (std::int64_t i = 0; i < result.element_count(); ++i)
    std::memcpy(static_cast<char*>(result.raw_data()) + static_cast<std::size_t>(i) * size,
                static_cast<const char*>(t.raw_data()) +
                    static_cast<std::size_t>(i % t.element_count()) * size,
                size);
  return result;
}

std::vector<std::pair<std::string, Shape>> other_shapes(const Shape& shape) {
  std::vector<std::int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::vector<std::pair<std::string, Shape>> shapes{
      {"a scalar", {}}, {"empty", {0}}, {"of rank 9", Shape(std::vector<std::int64_t>(9, 1))}};
  const auto with = [&](const std::string& what, auto change) {
    std::vector<std::int64_t> changed = dims;
    change(changed);
    shapes.emplace_back(what, Shape(changed));
  };
  with("one rank more", [](auto& d) { d.insert(d.begin(), 1); });
  if (dims.empty()) return shapes;
  with("one rank less", [](auto& d) { d.erase(d.begin()); });
  with("without rows", [](auto& d) { d.front() = 0; });
  with("without columns", [](auto& d) { d.back() = 0; });
  with("one row more", [](auto& d) { ++d.front(); });
  with("one column more", [](auto& d) { ++d.back(); });
  return shapes;
}

std::vector<std::pair<std::string, Tensor>> other_contents(const Tensor& t) {
  std::vector<std::pair<std::string, Tensor>> contents;
  if (t.dtype() == DType::string) {
    Tensor odd(DType::string, t.shape());
    for (std::string& item : odd.flat<std::string>()) item = std::string("\xff\0%s,[", 6);
    contents.emplace_back("odd text", odd);
    return contents;
  }
  if (!has_numbers(t.dtype())) return contents;
  for (const double number : {0.0, -1.0, -7.0, 1000.0, 2147483647.0, -2147483648.0, kHuge, -kHuge})
    contents.emplace_back(str_cat("all ", number), all_of(t, number));
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    if (has_fractions(t.dtype())) contents.emplace_back(str_cat("all ", number), all_of(t, number));
  return contents;
}

std::vector<std::pair<std::string, Tensor>> other_tensors(const Tensor& t) {
  auto others = other_contents(t);
  for (const auto& [what, shape] : other_shapes(t.shape()))
    others.emplace_back(what, reshaped(t, shape));
  for (const DType type : {DType::f32, DType::i32, DType::i64, DType::string, DType::boolean})
    if (type != t.dtype())
      others.emplace_back(str_cat("of type ", type), Tensor::zeros(type, t.shape()));
  return others;
}

// Something else where a queue, a table or a dataset belongs.
void change_handle(const OpCase& row, std::size_t i, const Arg& arg,
                   std::vector<HostileCase>& cases) {
  OpCase changed = row;
  if (arg.is_ref)
    changed.in[i] = ref(strings({2}, {"no such", "thing"}));
  else if (arg.type == DType::resource)
    changed.in[i] = resource(Tensor::zeros(DType::f32, {2}));
  else if (arg.type == DType::variant || arg.type == DType::string)
    changed.in[i] = Tensor::zeros(arg.type, {2});
  else
    return;
  cases.push_back({str_cat("input ", i, " something else"), std::move(changed)});
}

void change_input(const OpCase& row, std::size_t i, const Arg& arg,
                  std::vector<HostileCase>& cases) {
  const CaseInput& input = row.in[i];
  if (input.kind == CaseInput::Kind::kNodes && !arg.is_list()) change_handle(row, i, arg, cases);
  for (std::size_t k = 0; k < input.values.size() && k < 2; ++k) {
    for (auto& [what, tensor] : other_tensors(input.values[k])) {
      OpCase changed = row;
      changed.in[i].values[k] = std::move(tensor);
      cases.push_back(
          {str_cat("input ", i, input.values.size() > 1 ? str_cat("[", k, "]") : "", " ", what),
           std::move(changed)});
    }
  }
  if (input.kind != CaseInput::Kind::kList) return;
  OpCase none = row, fewer = row, more = row;
  none.in[i].values.clear();
  if (!input.values.empty()) {
    fewer.in[i].values.pop_back();
    more.in[i].values.push_back(input.values[0]);
  }
  cases.push_back({str_cat("input ", i, " of no elements"), std::move(none)});
  cases.push_back({str_cat("input ", i, " of one element less"), std::move(fewer)});
  cases.push_back({str_cat("input ", i, " of one element more"), std::move(more)});
}

constexpr std::int64_t kOddInts[] = {0,
                                     -1,
                                     1,
                                     7,
                                     1 << 12,
                                     std::numeric_limits<int>::max(),
                                     std::numeric_limits<int>::min(),
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min()};

template <class T>
void odd_lists(const std::vector<T>& list, const std::vector<T>& odd,
               std::vector<AttrValue>& values) {
  values.emplace_back(std::vector<T>());
  std::vector<T> longer = list;
  longer.push_back(list.empty() ? odd[0] : list[0]);
  values.emplace_back(longer);
  if (list.empty()) return;
  values.emplace_back(std::vector<T>(list.begin() + 1, list.end()));
  for (const T& item : odd) {
    for (const std::size_t place : {std::size_t{0}, list.size() - 1}) {
      std::vector<T> changed = list;
      changed[place] = item;
      values.emplace_back(changed);
    }
    values.emplace_back(std::vector<T>(list.size(), item));
  }
}

std::vector<AttrValue> other_values(const AttrValue& value) {
  std::vector<AttrValue> values;
  const std::vector<std::int64_t> ints(std::begin(kOddInts), std::end(kOddInts));
  const std::vector<float> floats{0, -1, 1e30f, std::numeric_limits<float>::infinity(), NAN};
  const std::vector<std::string> texts{"", "no such thing", std::string("\xff\0%s", 4)};
  const std::vector<DType> types{DType::f32,      DType::i64,     DType::string,
                                 DType::resource, DType::boolean, DType::c64};
  const std::vector<PartialShape> shapes{PartialShape(), PartialShape(Shape{}),
                                         PartialShape(Shape{0}), PartialShape(Shape{1 << 30, 7})};
  if (value.get_if<std::int64_t>()) values.assign(ints.begin(), ints.end());
  if (value.get_if<float>()) values.assign(floats.begin(), floats.end());
  if (value.get_if<std::string>()) values.assign(texts.begin(), texts.end());
  if (value.get_if<DType>()) values.assign(types.begin(), types.end());
  if (value.get_if<PartialShape>()) values.assign(shapes.begin(), shapes.end());
  if (const bool* is = value.get_if<bool>()) values.emplace_back(!*is);
  if (const Tensor* t = value.get_if<Tensor>())
    for (const auto& [what, other] : other_tensors(*t)) values.emplace_back(other);
  if (const auto* list = value.get_if<std::vector<std::int64_t>>()) odd_lists(*list, ints, values);
  if (const auto* list = value.get_if<std::vector<float>>()) odd_lists(*list, floats, values);
  if (const auto* list = value.get_if<std::vector<std::string>>()) odd_lists(*list, texts, values);
  if (const auto* list = value.get_if<std::vector<DType>>()) odd_lists(*list, types, values);
  if (const auto* list = value.get_if<std::vector<PartialShape>>())
    odd_lists(*list, shapes, values);
  return values;
}

void change_attr(const OpCase& row, const AttrSpec& spec, std::vector<HostileCase>& cases) {
  const auto given = row.attrs.find(spec.name);
  if (given == row.attrs.end() && !spec.default_value) return;
  const AttrValue& value = given == row.attrs.end() ? *spec.default_value : given->second;
  for (AttrValue& other : other_values(value)) {
    OpCase changed = row;
    const std::string what = str_cat("attribute ", spec.name, " = ", to_text(other));
    changed.attrs.insert_or_assign(spec.name, std::move(other));
    cases.push_back({what, std::move(changed)});
  }
}

// --- ops without rows --------------------------------------------------------------------------

AttrValue plain_value(const AttrSpec& spec) {
  const auto length = static_cast<std::size_t>(std::max<std::int64_t>(spec.minimum.value_or(1), 1));
  const auto value = [&](auto item) {
    return spec.is_list ? AttrValue(std::vector<decltype(item)>(length, item)) : AttrValue(item);
  };
  switch (spec.kind) {
    case AttrKind::kString:
      return value(spec.allowed_strings.empty() ? std::string("a") : spec.allowed_strings[0]);
    case AttrKind::kInt:
      return value(std::max<std::int64_t>(spec.is_list ? 1 : spec.minimum.value_or(1), 1));
    case AttrKind::kFloat:
      return value(1.0f);
    case AttrKind::kBool:
      return value(true);
    case AttrKind::kType:
      return value(spec.allowed_types.empty() ? DType::f32 : spec.allowed_types[0]);
    case AttrKind::kShape:
      return value(PartialShape(Shape{2}));
    case AttrKind::kTensor:
      return value(Tensor::zeros(DType::f32, {}));
    case AttrKind::kFunc:
      return value(FuncName{.name = "nothing"});
  }
  return {};
}

}  // namespace

std::vector<HostileCase> made_hostile(const OpCase& row, const Op& op) {
  std::vector<HostileCase> cases;
  for (std::size_t i = 0; i < row.in.size(); ++i) change_input(row, i, op.inputs[i], cases);
  for (const AttrSpec& spec : op.attrs) change_attr(row, spec, cases);
  return cases;
}

OpCase plain_call(const Op& op) {
  OpCase row{.op = op.name.c_str()};
  for (const AttrSpec& spec : op.attrs)
    if (!spec.default_value) row.attrs.emplace(spec.name, plain_value(spec));
  AttrMap attrs = row.attrs;
  for (const AttrSpec& spec : op.attrs)
    if (spec.default_value) attrs.emplace(spec.name, *spec.default_value);
  for (const Arg& arg : op.inputs) {
    std::vector<Tensor> tensors;
    bool is_handle = false;
    for (const DType type : arg_types(arg, attrs)) {
      is_handle |= base_type(type) == DType::resource;
      tensors.push_back(Tensor::zeros(is_handle ? DType::f32 : base_type(type), {2}));
    }
    auto kind = arg.is_list() ? CaseInput::Kind::kList : CaseInput::Kind::kValue;
    if (arg.is_ref) kind = CaseInput::Kind::kRefVariable;
    if (is_handle && !arg.is_list()) kind = CaseInput::Kind::kResourceVariable;
    row.in.emplace_back(kind, std::move(tensors));
  }
  return row;
}

}  // namespace rill
