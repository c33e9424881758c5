// The screens that list and show tensors.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rill/base/error.h"
#include "rill/inspect/debugger/analyzer.h"
#include "rill/inspect/debugger/array_text.h"
#include "rill/inspect/debugger/name_pattern.h"
#include "rill/inspect/debugger/tensor_slice.h"
#include "rill/tensor/dtype_visit.h"

namespace rill::debugger {
namespace {

constexpr std::int64_t kShownElements = 2000;

std::string printed(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string size_text(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes < 1 << 10) return str_cat(bytes);
  if (bytes < 1 << 20) return printed("%.2fk", size / (1 << 10));
  if (bytes < 1 << 30) return printed("%.2fM", size / (1 << 20));
  return printed("%.2fG", size / (1 << 30));
}

bool is_in(double x, const std::vector<NumberRange>& ranges) {
  return std::ranges::any_of(ranges,
                             [&](const NumberRange& r) { return x >= r.low && x <= r.high; });
}

std::vector<char> elements_in(const Tensor& tensor, const std::vector<NumberRange>& ranges) {
  std::vector<char> inside(static_cast<std::size_t>(tensor.element_count()), 0);
  visit_dtype(tensor.dtype(), [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      const auto all = tensor.flat<T>();
      for (std::size_t i = 0; i < all.size(); ++i)
        inside[i] = is_in(static_cast<double>(all[i]), ranges) ? 1 : 0;
    }
  });
  return inside;
}

void add_array(const Tensor& tensor, const Arguments& given, RichText* text) {
  const ArrayText array =
      array_repr(tensor, given.has("all") ? tensor.element_count() : kShownElements);
  const std::size_t begin = text->lines.size();
  for (const std::string& line : array.lines) text->add(line);
  if (!given.has("ranges")) return;
  const auto inside = elements_in(tensor, parse_ranges(given.text("ranges")));
  for (const ElementPlace& place : array.places)
    if (inside[place.element] != 0)
      text->fonts[begin + place.line].push_back(
          {.begin = place.begin, .end = place.end, .style = "bold"});
}

std::string highlight_text(const Tensor& tensor, const std::string& ranges) {
  const auto inside = elements_in(tensor, parse_ranges(ranges));
  const auto count = std::ranges::count(inside, 1);
  const double percent =
      inside.empty() ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(inside.size());
  return str_cat(" Highlighted(", ranges, "): ", count, " of ", inside.size(), " element(s) (",
                 printed("%.2f%%", percent), ")");
}

}  // namespace

RichText tensor_text(const DumpedValue& value, const std::string& label, const std::string& slicing,
                     const Arguments& given, bool with_summary) {
  RichText text;
  if (!value.has_value()) {
    text.add(str_cat("Tensor \"", label, slicing, "\":")).add("");
    if (!value.is_initialized) text.add("Uninitialized tensor:");
    for (const std::string_view line : split(value.proto_text, '\n')) text.add(std::string(line));
    return text;
  }
  const Tensor tensor = sliced(value.tensor, slicing);
  std::string first = str_cat("Tensor \"", label, slicing, "\":");
  if (given.has("ranges")) first += highlight_text(tensor, given.text("ranges"));
  text.add(first, {.begin = 8, .end = 8 + label.size(), .style = "bold"});
  text.add("  dtype: " + numpy_type(tensor.dtype()));
  text.add("  shape: " + shape_text(tensor.shape())).add("");
  if (with_summary || given.has("numeric_summary")) {
    text.add("Numeric summary:");
    for (const std::string& line : numeric_summary(tensor)) text.add(line);
    text.add("");
  }
  if (given.has("write_path")) {
    const std::string& path = given.text("write_path");
    text.add(str_cat("Saved value to: ", path, " (", size_text(save_npy(tensor, path)), "B)"));
    text.add("");
  }
  add_array(tensor, given, &text);
  return text;
}

double Analyzer::milliseconds(const DumpDatum& datum) const {
  return static_cast<double>(datum.timestamp - dumps_->t0()) / 1000.0;
}

std::string Analyzer::op_of(const DumpDatum& datum) const {
  for (const auto& graph : dumps_->graphs())
    if (const auto* node = graph->find(datum.node);
        node != nullptr && (datum.device.empty() || graph->device() == datum.device))
      return node->op;
  return "";
}

std::vector<const DumpDatum*> Analyzer::wanted_tensors(const Arguments& given) const {
  std::vector<const DumpDatum*> data;
  if (given.has("tensor_filter")) {
    const auto filter = filters_.find(given.text("tensor_filter"));
    require(filter != filters_.end(), "There is no tensor filter named \"",
            given.text("tensor_filter"), "\".");
    data = dumps_->find(filter->second, 0, "", given.text("filter_exclude_node_names"));
  } else {
    require(!given.has("filter_exclude_node_names"),
            "The flag --filter_exclude_node_names is valid only when the flag -f or ",
            "--tensor_filter is used.");
    for (const DumpDatum& datum : dumps_->data()) data.push_back(&datum);
  }
  const auto keep = [&](const char* option, const auto& text_of) {
    if (!given.has(option)) return;
    const NamePattern pattern(given.text(option));
    std::erase_if(data, [&](const DumpDatum* datum) { return !pattern.matches(text_of(*datum)); });
  };
  keep("node_name_filter", [](const DumpDatum& datum) { return datum.node; });
  keep("op_type_filter", [&](const DumpDatum& datum) { return op_of(datum); });
  return data;
}

void Analyzer::sort_tensors(const Arguments& given, std::vector<const DumpDatum*>* data) const {
  const std::string key = given.has("sort_by") ? given.text("sort_by") : "timestamp";
  const auto by = [&](const auto& value) {
    std::ranges::stable_sort(*data, [&](const DumpDatum* a, const DumpDatum* b) {
      return given.has("reverse") ? value(*b) < value(*a) : value(*a) < value(*b);
    });
  };
  if (key == "timestamp")
    by([](const DumpDatum& d) { return d.timestamp; });
  else if (key == "dump_size")
    by([](const DumpDatum& d) { return d.file_size; });
  else if (key == "op_type")
    by([&](const DumpDatum& d) { return op_of(d); });
  else if (key == "tensor_name")
    by([](const DumpDatum& d) { return d.tensor_name(); });
  else
    raise(Code::kInvalidArgument, "Unsupported key to sort tensors by: ", key);
}

RichText Analyzer::list_tensors(const Arguments& given) const {
  std::vector<const DumpDatum*> data = wanted_tensors(given);
  sort_tensors(given, &data);
  RichText text;
  text.add(given.has("tensor_filter") ? str_cat(data.size(), " dumped tensor(s) passing filter \"",
                                                given.text("tensor_filter"), "\":")
                                      : str_cat(data.size(), " dumped tensor(s):"));
  if (given.has("op_type_filter"))
    text.add(str_cat("Op type regex filter: \"", given.text("op_type_filter"), "\""));
  if (given.has("node_name_filter"))
    text.add(str_cat("Node name regex filter: \"", given.text("node_name_filter"), "\""));
  text.add("");
  const auto& all = dumps_->data();
  const auto time = [&](const DumpDatum& datum) { return printed("[%.3f]", milliseconds(datum)); };
  std::size_t times = 7, sizes = 9, ops = 8;
  if (!all.empty()) times = std::max(times, time(all.back()).size() + 2);
  for (const DumpDatum& datum : all) {
    if (given.has("tensor_filter") && std::ranges::find(data, &datum) == data.end()) continue;
    sizes = std::max(sizes, size_text(datum.file_size).size() + 1);
    ops = std::max(ops, op_of(datum).size() + 1);
  }
  if (data.empty() && given.has("tensor_filter")) times = 7;
  text.add(padded("t (ms)", times) + padded("Size (B)", sizes) + padded("Op type", ops) +
           "Tensor name");
  for (const DumpDatum* datum : data) {
    const std::string before = padded(time(*datum), times) +
                               padded(size_text(datum->file_size), sizes) +
                               padded(op_of(*datum), ops);
    text.add(before + datum->tensor_name(), {.begin = before.size(),
                                             .end = before.size() + datum->tensor_name().size(),
                                             .style = "bold",
                                             .command = "pt " + datum->tensor_name()});
  }
  return text;
}

RichText Analyzer::several_dumps(const std::vector<const DumpDatum*>& dumps,
                                 const std::string& name) const {
  RichText text({str_cat("Tensor \"", name, "\" generated ", dumps.size(), " dumps:")});
  for (std::size_t i = 0; i < dumps.size(); ++i) {
    const std::string line = str_cat("#", i, " [", printed("%.3f ms", milliseconds(*dumps[i])),
                                     "] ", dumps[i]->watch_key());
    text.add(line, {.begin = line.size() - dumps[i]->watch_key().size(),
                    .end = line.size(),
                    .style = "bold",
                    .command = str_cat("pt ", name, " -n ", i)});
  }
  text.add("").add("You can use the -n (--number) flag to specify which dump to print.");
  return text.add("For example:").add(str_cat("  print_tensor ", name, " -n 0"));
}

RichText Analyzer::print_tensor(const Arguments& given) const {
  const TensorAndSlice wanted(given.text("tensor_name"));
  const NodeOrTensor named(wanted.tensor);
  if (dumps_->has_graphs() && !dumps_->has_node(named.node))
    return error_text(str_cat("Node \"", named.node, "\" does not exist in partition graphs"));
  std::vector<const DumpDatum*> dumps;
  std::vector<int> slots;
  for (const DumpDatum& datum : dumps_->data()) {
    if (datum.node != named.node || (named.slot >= 0 && datum.slot != named.slot)) continue;
    dumps.push_back(&datum);
    if (std::ranges::find(slots, datum.slot) == slots.end()) slots.push_back(datum.slot);
  }
  if (dumps.empty())
    return error_text(str_cat("Tensor \"", wanted.tensor, "\" did not generate any dumps."));
  if (slots.size() > 1) {
    RichText text({str_cat("Node \"", named.node, "\" generated debug dumps from ", slots.size(),
                           " output slots:"),
                   str_cat("Please specify the output slot: ", named.node, ":x.")});
    return text;
  }
  const long long number = given.number("number", -1);
  if (dumps.size() > 1 && number < 0) return several_dumps(dumps, dumps[0]->tensor_name());
  if (number >= static_cast<long long>(dumps.size()))
    return error_text(str_cat("Specified number (", number,
                              ") exceeds the number of available dumps (", dumps.size(),
                              ") for tensor ", wanted.tensor));
  const DumpDatum& datum = *dumps[static_cast<std::size_t>(std::max(number, 0LL))];
  const std::string label =
      dumps.size() > 1 ? str_cat(datum.watch_key(), " (dump #", number, ")") : datum.watch_key();
  return tensor_text(datum.read(), label, wanted.slicing, given);
}

RichText Analyzer::print_feed(const Arguments& given) const {
  if (facts_.feeds.empty()) return error_text("The feed_dict of the current run is None or empty.");
  const TensorAndSlice wanted(given.text("tensor_name"));
  auto found = facts_.feeds.find(wanted.tensor);
  if (found == facts_.feeds.end()) found = facts_.feeds.find(wanted.tensor + ":0");
  if (found == facts_.feeds.end())
    return error_text(
        str_cat("The feed_dict of the current run does not contain the key ", wanted.tensor));
  DumpedValue value;
  value.tensor = found->second;
  return tensor_text(value, found->first + " (feed)", wanted.slicing, given);
}

}  // namespace rill::debugger
