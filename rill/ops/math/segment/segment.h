#pragma once

#include "rill/ops/update/element_update.h"

namespace rill {

// How the rows of one segment become one row.
enum class SegmentKind { kSum, kMean, kSqrtN, kProd, kMin, kMax };

UpdateKind update_of(SegmentKind kind);

// Puts `number` into every element, or what changes nothing when rows are joined that way: for kMin
// and kMax the highest and the lowest number of the type.
void fill_number(const Tensor& tensor, double number);
void fill_neutral(const Tensor& tensor, SegmentKind kind);

// What kMean and kSqrtN divide the sum of `count` rows by; 1 for others.
double segment_divisor(SegmentKind kind, std::int64_t count);
// Divides a row of sums by what kMean and kSqrtN divide `count` rows by; does nothing for others.
void divide_row(SegmentKind kind, DType dtype, void* row, std::int64_t count, std::size_t width);

}  // namespace rill
