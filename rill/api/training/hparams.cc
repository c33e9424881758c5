#include "rill/api/training/hparams.h"

#include <charconv>
#include <regex>

#include "rill/base/error.h"

namespace rill::contrib::training {
namespace {

constexpr std::size_t kBool = 0, kInt = 1, kDouble = 2;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

template <class T>
T number_of(const std::string& text, const std::string& name) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  require(error == std::errc() && stopped == end, "Could not parse hparam '", name,
          "' with value '", text, "'");
  return value;
}

bool bool_of(const std::string& text, const std::string& name) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return number_of<std::int64_t>(text, name) != 0;
}

HParamValue value_of(const std::string& text, std::size_t type, const std::string& name) {
  if (type == kBool) return bool_of(text, name);
  if (type == kInt) return number_of<std::int64_t>(text, name);
  if (type == kDouble) return number_of<double>(text, name);
  return text;
}

HParamList empty_list(std::size_t type) {
  if (type == kBool) return std::vector<bool>();
  if (type == kInt) return std::vector<std::int64_t>();
  if (type == kDouble) return std::vector<double>();
  return std::vector<std::string>();
}

template <class T>
void append(HParamList& list, const T& value) {
  std::get<std::vector<T>>(list).push_back(value);
}

HParamList list_of(const std::string& text, std::size_t type, const std::string& name) {
  HParamList list = empty_list(type);
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string item = trimmed(text.substr(begin, comma - begin));
    if (!item.empty())
      std::visit([&](const auto& value) { append(list, value); }, value_of(item, type, name).one);
    begin = comma + 1;
  }
  return list;
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) >= 0x20)
      quoted += c;
    else
      quoted += c == '\n' ? "\\n" : (c == '\t' ? "\\t" : " ");
  }
  return quoted + '"';
}
std::string json_of(bool value) { return value ? "true" : "false"; }
std::string json_of(std::int64_t value) { return std::to_string(value); }
std::string json_of(const std::string& value) { return in_quotes(value); }
std::string json_of(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  std::string number(text, end);
  return number.find_first_of(".en") == std::string::npos ? number + ".0" : number;
}

std::string json_of(const HParamValue& value) {
  if (!value.is_list) return std::visit([](const auto& one) { return json_of(one); }, value.one);
  return std::visit(
      [](const auto& list) {
        std::string all;
        for (std::size_t i = 0; i < list.size(); ++i)
          all += (i == 0 ? "" : ", ") + json_of(list[i]);
        return "[" + all + "]";
      },
      value.list);
}

}  // namespace

HParams::HParams(std::map<std::string, HParamValue> values) : values_(std::move(values)) {}

void HParams::wrong_type(const std::string& name) {
  raise(Code::kInvalidArgument, "the hyperparameter ", name, " is of another type");
}

const HParamValue& HParams::at(const std::string& name) const {
  const auto found = values_.find(name);
  require(found != values_.end(), "there is no hyperparameter ", name);
  return found->second;
}

void HParams::add_hparam(const std::string& name, HParamValue value) {
  require(!contains(name), "Hyperparameter name is reserved: ", name);
  values_.emplace(name, std::move(value));
}

HParamValue HParams::fitting(const std::string& name, HParamValue value) const {
  const HParamValue& known = at(name);
  require(known.is_list || !value.is_list,
          "Must not pass a list for single-valued parameter: ", name);
  require(value.is_list || !known.is_list, "Must pass a list for multi-valued parameter: ", name);
  if (known.type() == kDouble && value.type() == kInt) {
    if (!value.is_list) return static_cast<double>(std::get<std::int64_t>(value.one));
    const auto& ints = std::get<std::vector<std::int64_t>>(value.list);
    return HParamList(std::vector<double>(ints.begin(), ints.end()));
  }
  require(known.type() == value.type(), "Could not cast hparam '", name, "' from value ",
          json_of(value));
  return value;
}

void HParams::set_hparam(const std::string& name, HParamValue value) {
  HParamValue fitted = fitting(name, std::move(value));
  values_.insert_or_assign(name, std::move(fitted));
}

void HParams::del_hparam(const std::string& name) { values_.erase(name); }

HParams& HParams::override_from_dict(const std::map<std::string, HParamValue>& values) {
  HParams changed = *this;
  for (const auto& [name, value] : values) changed.set_hparam(name, value);
  *this = std::move(changed);
  return *this;
}

void HParams::set_from_text(const std::string& name, const std::string& index, bool is_list,
                            const std::string& text) {
  HParamValue& known = values_.find(name)->second;
  if (index.empty()) {
    if (is_list) return set_hparam(name, list_of(text, known.type(), name));
    return set_hparam(name, value_of(trimmed(text), known.type(), name));
  }
  require(known.is_list && !is_list, "Can't assign to an element of '", name, "' like that");
  const auto i = number_of<std::size_t>(index, name);
  const HParamValue element = value_of(trimmed(text), known.type(), name);
  std::visit(
      [&](auto& list) {
        using T = typename std::decay_t<decltype(list)>::value_type;
        require(i < list.size(), "'", name, "' has no element ", i);
        list[i] = std::get<T>(element.one);
      },
      known.list);
}

HParams& HParams::parse(std::string_view given) {
  static const std::regex assignment(
      R"(^\s*([a-zA-Z][\w.]*)(?:\[ *(\d+) *\])?\s*=\s*(?:\[([^\]]*)\]|([^,\[]*))\s*(?:,|$))");
  // Regular expressions of the standard library need stack for each letter.
  require(given.size() <= 16384, "hyperparameters are given by ", given.size(), " letters");
  HParams changed = *this;
  std::string text(given);
  std::smatch found;
  while (!text.empty()) {
    require(std::regex_search(text, found, assignment), "Malformed hyperparameter value: ", text);
    const std::string name = found[1];
    require(contains(name), "Unknown hyperparameter type for ", name);
    const bool is_list = found[3].matched;
    changed.set_from_text(name, found[2], is_list, is_list ? found[3] : found[4]);
    text = found.suffix();
  }
  *this = std::move(changed);
  return *this;
}

std::string HParams::to_json() const {
  std::string all;
  for (const auto& [name, value] : values_)
    all += (all.empty() ? "" : ", ") + in_quotes(name) + ": " + json_of(value);
  return "{" + all + "}";
}

}  // namespace rill::contrib::training
