#pragma once

#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

namespace rill {

// How candidates are chosen by score. `T` has the arithmetic of the scores.
template <class T>
struct Suppression {
  std::int64_t most = 0;  // this many at most
  T score_threshold, overlap_threshold;
  T sigma = T(0);  // positive: overlaps cost score

  struct Chosen {
    std::int32_t index;
    T score;
  };

  // Takes the best candidate again and again. `overlap(i, k)` tells how much two of them overlap.
  template <class Overlap>
  std::vector<Chosen> choose(std::span<const T> scores, Overlap overlap) const;

 private:
  struct Candidate {
    std::int32_t index;
    T score;
    std::size_t seen = 0;  // the first of the chosen that it was not compared with
    bool operator<(const Candidate& other) const {  // of equals the first one is better
      return score == other.score ? index > other.index : score < other.score;
    }
  };
  // Compares a candidate with what was chosen since it was last looked at, and lowers its score;
  // false when it is out.
  template <class Overlap>
  bool survives(Candidate& candidate, const std::vector<Chosen>& chosen, Overlap overlap) const;
};

template <class T>
template <class Overlap>
bool Suppression<T>::survives(Candidate& candidate, const std::vector<Chosen>& chosen,
                              Overlap overlap) const {
  using std::exp;
  const T zero(0);
  const bool soft = sigma > zero;
  const T scale = soft ? T(-0.5F) / sigma : zero;
  for (std::size_t k = chosen.size(); k > candidate.seen; --k) {
    const T share = overlap(candidate.index, chosen[k - 1].index);
    if (!soft && share > overlap_threshold) return false;
    if (soft) candidate.score = candidate.score * exp(scale * share * share);
    if (candidate.score <= score_threshold) break;
  }
  candidate.seen = chosen.size();
  return true;
}

template <class T>
template <class Overlap>
auto Suppression<T>::choose(std::span<const T> scores, Overlap overlap) const
    -> std::vector<Chosen> {
  std::priority_queue<Candidate> candidates;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] > score_threshold) candidates.push({static_cast<std::int32_t>(i), scores[i], 0});
  std::vector<Chosen> chosen;
  while (static_cast<std::int64_t>(chosen.size()) < most && !candidates.empty()) {
    Candidate next = candidates.top();
    const T before = next.score;
    candidates.pop();
    if (!survives(next, chosen, overlap)) continue;
    if (next.score == before)
      chosen.push_back({next.index, next.score});
    else if (next.score > score_threshold)
      candidates.push(next);
  }
  return chosen;
}

}  // namespace rill
