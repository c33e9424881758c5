// Draws what steps cost on clusters of a thousand workers, as bench/cluster_model.h has it:
//
//   rill_cluster_curve [NAME=VALUE...]              a table, and svg=FILE
//   rill_cluster_curve check workers=2 ... cores=2  one shape on one machine
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/cluster_model.h"

namespace rill::bench {
namespace {

using Arguments = std::map<std::string, std::string>;

double number(const Arguments& arguments, const char* name, double otherwise) {
  const auto it = arguments.find(name);
  return it == arguments.end() ? otherwise : std::atof(it->second.c_str());
}

ClusterCosts costs_of(const Arguments& arguments) {
  ClusterCosts costs;
  costs.message_micros = number(arguments, "message_micros", costs.message_micros);
  costs.byte_nanos = number(arguments, "byte_nanos", costs.byte_nanos);
  costs.apply_byte_nanos = number(arguments, "apply_byte_nanos", costs.apply_byte_nanos);
  costs.step_micros = number(arguments, "step_micros", costs.step_micros);
  costs.latency_micros = number(arguments, "latency_micros", costs.latency_micros);
  costs.card_gigabits = number(arguments, "card_gigabits", costs.card_gigabits);
  costs.cores = static_cast<int>(number(arguments, "cores", costs.cores));
  return costs;
}

int check(const Arguments& arguments) {
  ClusterCosts costs = costs_of(arguments);
  costs.is_one_machine = true;
  costs.card_gigabits = 0;
  costs.latency_micros = number(arguments, "latency_micros", 0);
  const ClusterFigures figures =
      simulate_steps(costs, {.workers = static_cast<int>(number(arguments, "workers", 1)),
                             .servers = static_cast<int>(number(arguments, "servers", 1)),
                             .model_bytes = number(arguments, "bytes", 4),
                             .compute_micros = number(arguments, "compute_micros", 0),
                             .steps = 200});
  std::printf("%.1f steps/s, %.3f ms\n", figures.steps_per_second, figures.step_millis);
  return 0;
}

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

// Both axes by powers of ten.
class Chart {
 public:
  explicit Chart(std::vector<Line> lines) : lines_(std::move(lines)) {}

  void write(const std::string& path) const {
    std::ofstream out(path);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 420\" "
           "font-family=\"sans-serif\" font-size=\"12\">\n"
           "<rect width=\"720\" height=\"420\" fill=\"white\"/>\n";
    for (int power = 0; power <= kRight; ++power)
      grid(out, x(power), y(kBottom), x(power), y(kTop), x(power), y(kBottom) + 18, "middle",
           power);
    for (int power = kBottom; power <= kTop; ++power)
      grid(out, x(0), y(power), x(kRight), y(power), x(0) - 6, y(power) + 4, "end", power);
    out << "<text x=\"310\" y=\"412\" text-anchor=\"middle\">workers</text>\n"
           "<text x=\"12\" y=\"16\">steps a second, all workers together</text>\n";
    static const char* const kColours[] = {"#1b6ca8", "#c44536", "#3a7d44", "#8e5572", "#b58900"};
    for (std::size_t i = 0; i < lines_.size(); ++i) line(out, lines_[i], kColours[i % 5]);
    out << "</svg>\n";
  }

 private:
  static constexpr int kRight = 3, kBottom = 0, kTop = 5;
  static double x(double power) { return 60 + power * 160; }
  static double y(double power) { return 380 - (power - kBottom) * 350 / (kTop - kBottom); }

  static void grid(std::ofstream& out, double x1, double y1, double x2, double y2, double tx,
                   double ty, const char* anchor, int power) {
    out << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2
        << "\" stroke=\"#ddd\"/>\n<text x=\"" << tx << "\" y=\"" << ty << "\" text-anchor=\""
        << anchor << "\">" << std::pow(10, power) << "</text>\n";
  }
  static void line(std::ofstream& out, const Line& line, const char* colour) {
    out << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << colour << "\" points=\"";
    for (const auto& [workers, steps] : line.points)
      out << x(std::log10(workers)) << "," << y(std::log10(std::max(1.0, steps))) << " ";
    const auto& [workers, steps] = line.points.back();
    out << "\"/>\n<text x=\"" << x(std::log10(workers)) + 6 << "\" y=\""
        << y(std::log10(std::max(1.0, steps))) + 4 << "\" fill=\"" << colour << "\">" << line.name
        << "</text>\n";
  }

  const std::vector<Line> lines_;
};

struct Setting {
  const char* name;
  int servers;
  double model_bytes, compute_micros;
};

int curve(const Arguments& arguments) {
  const ClusterCosts costs = costs_of(arguments);
  const Setting settings[] = {{"1 MB, 1 ps", 1, 1e6, 20'000},
                              {"1 MB, 10 ps", 10, 1e6, 20'000},
                              {"100 MB, 10 ps", 10, 1e8, 200'000},
                              {"100 MB, 100 ps", 100, 1e8, 200'000},
                              {"1 MB, 100 ps", 100, 1e6, 20'000}};
  std::vector<Line> lines;
  for (const Setting& setting : settings) {
    Line line{setting.name, {}};
    for (const int workers : {1, 3, 10, 30, 100, 300, 1000}) {
      const ClusterFigures figures =
          simulate_steps(costs, {.workers = workers,
                                 .servers = setting.servers,
                                 .model_bytes = setting.model_bytes,
                                 .compute_micros = setting.compute_micros,
                                 .steps = 8});
      std::printf("| %s | %d | %.1f | %.1f | %.0f | %.0f | %.0f | %.0f |\n", setting.name, workers,
                  figures.step_millis, figures.steps_per_second, 100 * figures.server_cores,
                  100 * figures.server_card, 100 * figures.worker_cores, 100 * figures.worker_card);
      line.points.emplace_back(workers, figures.steps_per_second);
    }
    lines.push_back(std::move(line));
  }
  if (const auto svg = arguments.find("svg"); svg != arguments.end())
    Chart(std::move(lines)).write(svg->second);
  return 0;
}

int run(const std::vector<std::string>& words) {
  Arguments arguments;
  bool checks = false;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (word == "check") {
      checks = true;
    } else if (equals == std::string::npos) {
      std::fprintf(stderr, "rill_cluster_curve: %s is no NAME=VALUE\n", word.c_str());
      return 2;
    } else {
      arguments[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return checks ? check(arguments) : curve(arguments);
}

}  // namespace
}  // namespace rill::bench

int main(int count, char** words) { return rill::bench::run({words + 1, words + count}); }
