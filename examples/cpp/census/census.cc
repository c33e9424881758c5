// Who earns much? A wide and deep estimator over feature columns, on people who are made up.
#include <cstdio>
#include <random>

#include "rill/rill.h"

namespace tf = rill;
namespace est = rill::estimator;
namespace fc = rill::feature_column;

namespace {

constexpr const char* kJobs[] = {"clerk", "driver", "engineer", "teacher"};
constexpr const char* kSchools[] = {"none", "school", "university"};

struct People {
  tf::Tensor age, job, school, hours, earns_much;
};

People make_people(int count, std::uint32_t seed) {
  std::mt19937 random(seed);
  People p{tf::Tensor(tf::float32, {count}), tf::Tensor(tf::string, {count}),
           tf::Tensor(tf::string, {count}), tf::Tensor(tf::float32, {count}),
           tf::Tensor(tf::int32, {count})};
  for (int i = 0; i < count; ++i) {
    const auto age = static_cast<float>(18 + random() % 50);
    const auto hours = static_cast<float>(10 + random() % 40);
    const auto job = random() % 4, school = random() % 3;
    p.age.data<float>()[i] = age;
    p.hours.data<float>()[i] = hours;
    p.job.data<std::string>()[i] = kJobs[job];
    p.school.data<std::string>()[i] = kSchools[school];
    const bool much = (job == 2 ? 30 : 10) + 12 * static_cast<int>(school) + (age > 30 ? 10 : 0) +
                          static_cast<int>(hours) / 2 >
                      55;
    p.earns_much.data<std::int32_t>()[i] = much;
  }
  return p;
}

est::InputFn people(const People& p, int epochs) {
  return [p, epochs](est::Mode, const est::RunConfig&) -> est::InputValues {
    const auto data =
        tf::data::Dataset::from_tensor_slices({p.age, p.job, p.school, p.hours, p.earns_much})
            .shuffle(1000, {.seed = 1})
            .repeat(epochs)
            .batch(64);
    return est::BatchDataset{data, [](const tf::data::Components& parts) {
                               return est::InputBatch{.features = {{"age", parts[0]},
                                                                   {"job", parts[1]},
                                                                   {"school", parts[2]},
                                                                   {"hours", parts[3]}},
                                                      .labels = {{"", parts[4]}}};
                             }};
  };
}

}  // namespace

int main() {
  const auto age = fc::numeric_column("age"), hours = fc::numeric_column("hours");
  const auto ages = fc::bucketized_column(age, {25, 30, 40, 55});
  const auto job = fc::categorical_column_with_vocabulary_list(
      "job", {"clerk", "driver", "engineer", "teacher"});
  const auto school =
      fc::categorical_column_with_vocabulary_list("school", {"none", "school", "university"});
  const auto both = fc::crossed_column({"job", "school"}, 100);

  est::DNNLinearCombinedClassifier model(
      {.config = est::RunConfig({.tf_random_seed = 1}),
       .linear_feature_columns = {ages, job, school, both},
       .dnn_feature_columns = {age, hours, fc::indicator_column(job),
                               fc::embedding_column(school, 2)},
       .dnn_hidden_units = {32, 16}});
  model.train(people(make_people(4000, 1), 5));
  const auto found = model.evaluate(people(make_people(1000, 2), 1));
  std::printf("accuracy %.3f, area under the curve %.3f\n",
              found.at("accuracy").scalar_value<float>(), found.at("auc").scalar_value<float>());
}
