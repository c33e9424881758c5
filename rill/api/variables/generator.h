#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/shape_input.h"
#include "rill/api/variables/variable.h"

namespace rill::random {

enum class RngAlgorithm { kPhilox = 1, kThreeFry = 2 };

// "philox", "threefry" or "auto_select". Throws InvalidArgument for others.
RngAlgorithm rng_algorithm_named(const std::string& name);

// What a generator starts from: a counter of two numbers, then a key.
Output create_rng_state(const Input& seed, RngAlgorithm algorithm = RngAlgorithm::kPhilox);

struct GeneratorOptions {
  DType dtype = DType::f32;
  std::string name = {};
};

// Random numbers from a state of its own, which a variable keeps: unlike random ops it can be
// saved, restored and reset. Throws Unimplemented for algorithms other than Philox.
//
//   Generator generator = Generator::from_seed(1);
//   Output x = generator.normal({2, 3});
//
// Drawing moves the state on, in the order in which the nodes run. The state must be initialised as
// other variables are.
class Generator {
 public:
  // `state`: counter and key, as create_rng_state gives them.
  explicit Generator(const Input& state, RngAlgorithm algorithm = RngAlgorithm::kPhilox,
                     std::source_location at = std::source_location::current());
  // seed: one int64; equal seeds give equal numbers. from_key_counter: what other programs call key
  // and counter. The third draws its state when it is initialised, differently in every session.
  static Generator from_seed(const Input& seed, RngAlgorithm algorithm = RngAlgorithm::kPhilox,
                             std::source_location at = std::source_location::current());
  static Generator from_key_counter(const Input& key, const Input& counter,
                                    RngAlgorithm algorithm = RngAlgorithm::kPhilox,
                                    std::source_location at = std::source_location::current());
  static Generator from_non_deterministic_state(
      RngAlgorithm algorithm = RngAlgorithm::kPhilox,
      std::source_location at = std::source_location::current());

  RngAlgorithm algorithm() const { return algorithm_; }
  const Variable& state() const { return state_; }
  Output key() const;

  // Each makes an operation that sets the state. skip: as if `delta` numbers had been drawn.
  Node& reset(const Input& state) const;
  Node& reset_from_seed(const Input& seed) const;
  Node& reset_from_key_counter(const Input& key, const Input& counter) const;
  Node& skip(const Input& delta) const;

  Output normal(const ShapeInput& shape, const Input& mean = 0.0, const Input& stddev = 1.0,
                const GeneratorOptions& options = {},
                std::source_location at = std::source_location::current()) const;
  // Without values further than two deviations from the mean.
  Output truncated_normal(const ShapeInput& shape, const Input& mean = 0.0,
                          const Input& stddev = 1.0, const GeneratorOptions& options = {},
                          std::source_location at = std::source_location::current()) const;
  // Integers need `maxval`; for others it is 1 when absent.
  Output uniform(const ShapeInput& shape, const Input& minval = 0, const OptionalInput& maxval = {},
                 const GeneratorOptions& options = {},
                 std::source_location at = std::source_location::current()) const;
  // Any number of the type.
  Output uniform_full_int(const ShapeInput& shape,
                          const GeneratorOptions& options = {.dtype = DType::u64},
                          std::source_location at = std::source_location::current()) const;
  // How often of `counts` tries something of probability `probs` happens.
  Output binomial(const ShapeInput& shape, const Input& counts, const Input& probs,
                  const GeneratorOptions& options = {.dtype = DType::i32},
                  std::source_location at = std::source_location::current()) const;
  // Seeds for stateless functions: a column for each.
  Output make_seeds(std::int64_t count = 1) const;
  // Generators whose numbers have nothing to do with each other.
  std::vector<Generator> split(std::int64_t count = 1) const;

 private:
  Output algorithm_tensor() const;

  RngAlgorithm algorithm_;
  Variable state_;
};

}  // namespace rill::random
