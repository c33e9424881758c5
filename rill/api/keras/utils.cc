#include "rill/api/keras/utils.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "rill/base/error.h"
#include "rill/io/hdf5.h"

namespace rill::keras::utils {
namespace {

// The numbers of an axis lie `stride` apart, and there are so many before the next of the axes
// before it.
template <class T>
void normalize_rows(const Tensor& x, int axis, double order, Tensor& made) {
  const std::int64_t count = x.dim(axis);
  std::int64_t stride = 1;
  for (int i = axis + 1; i < x.rank(); ++i) stride *= x.dim(i);
  const std::int64_t outer = count * stride == 0 ? 0 : x.element_count() / (count * stride);
  for (std::int64_t i = 0; i < outer * stride; ++i) {
    const std::int64_t begin = i / stride * count * stride + i % stride;
    double norm = 0;
    for (std::int64_t k = 0; k < count; ++k)
      norm += std::pow(std::abs(static_cast<double>(x.data<T>()[begin + k * stride])), order);
    norm = std::pow(norm, 1 / order);
    for (std::int64_t k = 0; k < count; ++k)
      made.data<T>()[begin + k * stride] =
          static_cast<T>(x.data<T>()[begin + k * stride] / (norm == 0 ? 1 : norm));
  }
}

template <class... Part>
std::string formatted(const char* format, Part... parts) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), format, parts...);
  return text.data();
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Tensor normalize(const Tensor& x, int axis, double order) {
  const int at = axis < 0 ? axis + x.rank() : axis;
  require(at >= 0 && at < x.rank(), "an array of ", x.rank(), " dimensions has no axis ", axis);
  require(order > 0, "the order of a norm is positive, not ", order);
  Tensor made(x.dtype(), x.shape());
  if (x.dtype() == DType::f32)
    normalize_rows<float>(x, at, order, made);
  else if (x.dtype() == DType::f64)
    normalize_rows<double>(x, at, order, made);
  else
    raise(Code::kInvalidArgument, "normalize takes float32 or float64, not ", x.dtype());
  return made;
}

// --- progress ------------------------------------------------------------------------------------

Progbar::Progbar(std::optional<std::int64_t> target, const ProgbarOptions& options)
    : target_(target),
      options_(options),
      out_(options.out == nullptr ? &std::cout : options.out),
      dynamic_(options.out == nullptr && isatty(STDOUT_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

void Progbar::take(std::int64_t current, const Values& values) {
  for (const auto& [name, value] : values) {
    if (!totals_.contains(name)) order_.push_back(name);
    auto& [total, count] = totals_[name];
    const bool as_it_is = options_.stateful_metrics.contains(name);
    const double more = as_it_is ? 1 : static_cast<double>(current - seen_);
    total = as_it_is ? value : total + value * more;
    count = as_it_is ? 1 : count + more;
  }
  seen_ = current;
}

std::string Progbar::numbers() const {
  std::string text;
  for (const std::string& name : order_) {
    const auto& [total, count] = totals_.at(name);
    const double mean = total / std::max(1.0, count);
    text += " - " + name + ": " + formatted(std::abs(mean) > 1e-3 ? "%.4f" : "%.4e", mean);
  }
  return text;
}

std::string Progbar::line(std::int64_t current, double elapsed, bool done) const {
  std::string text;
  if (target_) {
    const int width = static_cast<int>(std::to_string(*target_).size());
    const double share =
        static_cast<double>(current) / static_cast<double>(std::max<std::int64_t>(*target_, 1));
    const int full = static_cast<int>(options_.width * share);
    std::string bar;
    if (full > 0)
      bar = std::string(static_cast<std::size_t>(std::max(full - (done ? 0 : 1), 0)), '=') +
            (done ? "" : ">");
    text = formatted("%*lld/%lld [", width, static_cast<long long>(current),
                     static_cast<long long>(*target_)) +
           bar + std::string(static_cast<std::size_t>(std::max(options_.width - full, 0)), '.') +
           "]";
  } else {
    text = formatted("%7lld/Unknown", static_cast<long long>(current));
  }
  const double each = elapsed / static_cast<double>(std::max<std::int64_t>(current, 1));
  if (target_ && !done)
    return text + formatted(" - ETA: %.0fs", each * static_cast<double>(*target_ - current)) +
           numbers();
  text += formatted(" - %.0fs", elapsed);
  if (each >= 1)
    text += formatted(" %.0fs/", each);
  else if (each >= 1e-3)
    text += formatted(" %.0fms/", each * 1e3);
  else
    text += formatted(" %.0fus/", each * 1e6);
  return text + options_.unit_name + numbers();
}

void Progbar::update(std::int64_t current, const Values& values) {
  take(current, values);
  const bool done = target_ && current >= *target_;
  const double elapsed = seconds_since(start_);
  if (options_.verbose == 1) {
    if (shown_ > 0 && seconds_since(last_) < options_.interval && !done) return;
    if (dynamic_)
      *out_ << std::string(shown_, '\b') << '\r';
    else if (shown_ > 0)
      *out_ << '\n';
    const std::string text = line(current, elapsed, done);
    shown_ = text.size();
    *out_ << text << (done ? "\n" : "") << std::flush;
  } else if (options_.verbose == 2 && done) {
    *out_ << current << '/' << *target_ << formatted(" - %.0fs", elapsed) << numbers() << std::endl;
  }
  last_ = std::chrono::steady_clock::now();
}

// --- networks ------------------------------------------------------------------------------------

std::vector<Output> get_source_inputs(const Output& tensor) {
  const auto maker = rill::layers::made_by(tensor);
  if (maker.layer == nullptr) return {tensor};
  const auto& record = maker.layer->calls().at(maker.call);
  if (record.inputs.empty()) return record.outputs;
  std::vector<Output> found;
  for (const Output& before : record.inputs)
    for (const Output& source : get_source_inputs(before))
      if (std::ranges::none_of(found, [&](const Output& known) {
            return known.node == source.node && known.index == source.index;
          }))
        found.push_back(source);
  return found;
}

HDF5Matrix::HDF5Matrix(const std::string& datapath, const std::string& dataset,
                       const HDF5MatrixOptions& options)
    : normalizer_(options.normalizer) {
  const Tensor all = Hdf5File::open(datapath).root().read(dataset);
  require(all.rank() > 0, dataset, " of ", datapath, " has no rows");
  whole_ = all.slice(options.start, options.end.value_or(all.dim(0)));
}
Tensor HDF5Matrix::rows(std::int64_t begin, std::int64_t end) const {
  const Tensor part = whole_.slice(begin, end);
  return normalizer_ ? normalizer_(part) : part;
}

namespace {

std::string shapes_text(const std::vector<Output>& tensors) {
  std::string text;
  for (const Output& tensor : tensors) text += (text.empty() ? "" : ", ") + to_text(tensor.shape());
  return text;
}

std::string node_label(const rill::layers::Layer& layer, const DotOptions& options) {
  std::string label = options.show_layer_names ? layer.name() + ": " : std::string();
  label += layer.class_name();
  if (options.show_shapes && !layer.calls().empty())
    label += "\\ninput: " + shapes_text(layer.calls()[0].inputs) +
             "\\noutput: " + shapes_text(layer.calls()[0].outputs);
  return label;
}

}  // namespace

std::string model_to_dot(const Model& model, const DotOptions& options) {
  std::string text =
      "digraph model {\n  rankdir=" + options.rankdir + ";\n  node [shape=record];\n";
  for (const rill::layers::Layer* layer : model.network().layers())
    text += "  \"" + layer->name() + "\" [label=\"" + node_label(*layer, options) + "\"];\n";
  for (const NetworkCall& call : model.network().calls())
    for (const Output& before : call.record().inputs)
      text += "  \"" + rill::layers::made_by(before).layer->name() + "\" -> \"" +
              call.layer->name() + "\";\n";
  return text + "}\n";
}

}  // namespace rill::keras::utils
