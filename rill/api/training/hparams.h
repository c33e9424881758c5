#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// tf.contrib.training.HParams: numbers and words that say how a model is built and trained.
namespace rill::contrib::training {

using HParamList = std::variant<std::vector<bool>, std::vector<std::int64_t>, std::vector<double>,
                                std::vector<std::string>>;
// One value, or a list of one type. Ints of any width are int64, text is a string.
struct HParamValue {
  HParamValue(bool value) : one(value) {}
  HParamValue(int value) : one(std::int64_t{value}) {}
  HParamValue(std::int64_t value) : one(value) {}
  HParamValue(double value) : one(value) {}
  HParamValue(const char* value) : one(std::string(value)) {}
  HParamValue(std::string value) : one(std::move(value)) {}
  HParamValue(HParamList values) : list(std::move(values)), is_list(true) {}

  std::variant<bool, std::int64_t, double, std::string> one = false;
  HParamList list;
  bool is_list = false;
  // Which of the four types: of the value, or of the list's elements.
  std::size_t type() const { return is_list ? list.index() : one.index(); }
  friend bool operator==(const HParamValue&, const HParamValue&) = default;
};

// Named values, each of one type, which text can change.
//
//   HParams hparams({{"rate", 0.1}, {"layers", 2}});
//   hparams.parse("rate=0.5,layers=3");
//   double rate = hparams.get<double>("rate");
//
// Functions throw InvalidArgument for names that are not there, or are there already, for values of
// another type and for text that cannot be read; nothing has changed then.
class HParams {
 public:
  HParams() = default;
  explicit HParams(std::map<std::string, HParamValue> values);

  void add_hparam(const std::string& name, HParamValue value);
  // An int becomes a double where the parameter is one.
  void set_hparam(const std::string& name, HParamValue value);
  void del_hparam(const std::string& name);
  // "rate=0.1,sizes=[1,2],sizes[0]=3"
  HParams& parse(std::string_view text);
  HParams& override_from_dict(const std::map<std::string, HParamValue>& values);

  bool contains(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, HParamValue>& values() const { return values_; }
  const HParamValue& at(const std::string& name) const;
  template <class T>
  const T& get(const std::string& name) const {
    if (const T* value = std::get_if<T>(&at(name).one)) return *value;
    wrong_type(name);
  }
  template <class T>
  const std::vector<T>& get_list(const std::string& name) const {
    if (const auto* values = std::get_if<std::vector<T>>(&at(name).list)) return *values;
    wrong_type(name);
  }
  std::string to_json() const;  // by the order of names

 private:
  [[noreturn]] static void wrong_type(const std::string& name);
  HParamValue fitting(const std::string& name, HParamValue value) const;
  void set_from_text(const std::string& name, const std::string& index, bool is_list,
                     const std::string& text);

  std::map<std::string, HParamValue> values_;
};

}  // namespace rill::contrib::training
