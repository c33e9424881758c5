#pragma once

#include "rill/api/applications/applications.h"

namespace rill::keras::applications {

using Settings = std::vector<std::pair<std::string, Setting>>;

// Rows as they are added; a row is known by its number.
class LayerRows {
 public:
  explicit LayerRows(const Options& options) : options(options) {}

  int add(const std::string& class_name, std::vector<int> inputs, const std::string& name,
          Settings settings = {}) {
    rows.push_back({class_name, name, std::move(settings), std::move(inputs)});
    return static_cast<int>(rows.size()) - 1;
  }
  // Convolutions; `more` are further settings.
  int conv(int x, std::int64_t filters, std::vector<std::int64_t> window, const std::string& name,
           Settings more = {}) {
    more.insert(more.begin(), {{"filters", filters}, {"kernel_size", std::move(window)}});
    return add("Conv2D", {x}, name, std::move(more));
  }
  int norm(int x, const std::string& name, Settings more = {}) {
    more.insert(more.begin(), {"axis", std::int64_t{options.channels_first ? 1 : 3}});
    return add("BatchNormalization", {x}, name, std::move(more));
  }
  int relu(int x, const std::string& name) {
    return add("Activation", {x}, name, {{"activation", std::string("relu")}});
  }
  int relu6(int x, const std::string& name) { return add("ReLU", {x}, name, {{"max_value", 6.0}}); }
  int pad(int x, std::vector<std::int64_t> rows_and_columns, const std::string& name) {
    const auto& p = rows_and_columns;
    return add("ZeroPadding2D", {x}, name,
               {{"padding", std::vector<std::vector<std::int64_t>>{{p[0], p[1]}, {p[2], p[3]}}}});
  }
  int pool(const char* kind, int x, std::int64_t size, std::int64_t stride, const std::string& name,
           const char* padding = "valid") {
    return add(std::string(kind) + "Pooling2D", {x}, name,
               {{"pool_size", size}, {"strides", stride}, {"padding", std::string(padding)}});
  }
  int joined(const std::vector<int>& parts, const std::string& name) {
    return add("Concatenate", parts, name,
               {{"axis", std::int64_t{options.channels_first ? 1 : 3}}});
  }
  int dense(int x, std::int64_t units, const char* activation, const std::string& name) {
    return add("Dense", {x}, name, {{"units", units}, {"activation", std::string(activation)}});
  }
  // What comes last: classes, or the pooling that was asked for.
  void finish(int x, const std::string& top_pool, const std::string& top,
              const std::string& average_name = {}, const std::string& max_name = {}) {
    if (options.include_top)
      dense(add("GlobalAveragePooling2D", {x}, top_pool), options.classes, "softmax", top);
    else
      finish_without_top(x, average_name, max_name);
  }
  void finish_without_top(int x, const std::string& average_name, const std::string& max_name) {
    if (options.pooling == "avg") add("GlobalAveragePooling2D", {x}, average_name);
    if (options.pooling == "max") add("GlobalMaxPooling2D", {x}, max_name);
  }

  const Options& options;
  std::vector<LayerRow> rows;
};

inline const Settings kNoBias{{"use_bias", false}};
inline const Settings kNoBiasSame{{"padding", std::string("same")}, {"use_bias", false}};

// In files of their own.
void make_resnet(LayerRows& l, const std::vector<int>& units, bool activation_first);
void make_mobilenet(LayerRows& l);
void make_mobilenet_v2(LayerRows& l);
void make_inception_v3(LayerRows& l);
void make_xception(LayerRows& l);

}  // namespace rill::keras::applications
