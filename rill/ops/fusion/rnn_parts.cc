#include "rill/ops/fusion/rnn_parts.h"

#include <algorithm>

namespace rill {
namespace {

bool is_read_by(const Users& users, Edge value, int reader) {
  const std::vector<int> all = users.of(value);
  return all.size() == 1 && all[0] == reader;
}

}  // namespace

bool is_column_axis(const Pattern& p, Edge axis) {
  const auto& value = p.item(axis.item).constant;
  if (!value || value->element_count() != 1) return false;
  if (value->dtype() != DType::i32 && value->dtype() != DType::i64) return false;
  const std::int64_t number = value->dtype() == DType::i32 ? value->data<std::int32_t>()[0]
                                                           : value->data<std::int64_t>()[0];
  return number == 1 || number == -1;
}

std::optional<CellProduct> product_before(const Pattern& p, const Users& users, Edge value,
                                          int reader) {
  const int bias = value.item;
  if (!p.is(bias, "BiasAdd") || !is_read_by(users, value, reader)) return std::nullopt;
  const auto format = p.node(bias).attrs().find("data_format");
  if (format != p.node(bias).attrs().end() &&
      attr<std::string>(p.node(bias).attrs(), "data_format") != "NHWC")
    return std::nullopt;
  const int product = p.input(bias, 0).item;
  if (!p.is(product, "MatMul") || !is_read_by(users, {product, 0}, bias) ||
      p.graph.dtype({product, 0}) != DType::f32 || p.node(product).attr<bool>("transpose_a") ||
      p.node(product).attr<bool>("transpose_b"))
    return std::nullopt;
  CellProduct found{.parts = {p.input(product, 0)},
                    .weights = p.input(product, 1),
                    .bias = p.input(bias, 1),
                    .members = {bias, product}};
  const Edge all = p.input(product, 0);
  if (p.is(all.item, "ConcatV2") && is_read_by(users, all, product) &&
      is_column_axis(p, p.item(all.item).inputs.back())) {
    found.parts.assign(p.item(all.item).inputs.begin(), p.item(all.item).inputs.end() - 1);
    found.members.push_back(all.item);
  }
  return found;
}

int product_of(const Pattern& p, const Users& users, Edge a, Edge b) {
  for (const int reader : users.of(a))
    if (reader >= 0 && p.is(reader, "Mul") && p.other(reader, a) == b) return reader;
  return -1;
}

}  // namespace rill
