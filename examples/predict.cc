// Loads a SavedModel that reads digits, such as `example_demo` leaves behind, and asks it about
// some that it draws. Needs nothing of the program that trained it. The Python twin is predict.py.
#include <cstdio>

#include "examples/drawn_digits.h"
#include "rill/rill.h"

namespace tf = rill;

int main(int argc, char** argv) {
  constexpr int kCount = 5;
  if (argc != 2) return std::printf("usage: example_predict MODEL\n"), 2;
  auto model = tf::saved_model::load(argv[1]);
  const auto batch = digits::Pen(42).draw(kCount);
  const auto answer = model.run({{"x", digits::as_tensors(batch).pictures}}).at("digit");

  for (int row = 0; row < digits::kSide; ++row) {
    for (int i = 0; i < kCount; ++i) {
      for (int column = 0; column < digits::kSide; ++column) {
        const auto at =
            static_cast<std::size_t>((i * digits::kSide + row) * digits::kSide + column);
        std::printf("%c", " .:#"[static_cast<int>(batch.pixels[at] * 3.99f)]);
      }
      std::printf(i + 1 < kCount ? "  " : "\n");
    }
  }
  std::printf("the model says:");
  for (const int digit : answer.flat<std::int32_t>()) std::printf(" %d", digit);
  std::printf("   drawn were:");
  for (const int digit : batch.labels) std::printf(" %d", digit);
  std::printf("\n");
}
