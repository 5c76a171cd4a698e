#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "split.h"

namespace nb = nanobind;
using Weights = std::unordered_map<std::string, double>;
using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

static nb::dict parse(const nb::list &lines, const Weights &weights) {
  std::unordered_map<std::string, std::vector<double>> groups;
  std::size_t number = 0;
  for (nb::handle line : lines) {
    Entry entry;
    number++;
    auto refuse = [&](const std::string &why) {
      throw nb::value_error(("line " + std::to_string(number) + ": " + why).c_str());
    };
    const char *text = PyUnicode_AsUTF8AndSize(line.ptr(), nullptr);
    if (text == nullptr)
      nb::raise_python_error();
    if (int code = split(text, &entry))
      refuse(WRONG[code]);
    const std::string level(entry.level, entry.level_size);
    auto weight = weights.find(level);
    if (weight == weights.end())
      refuse("unknown level " + level);
    groups[{entry.service, entry.service_size}].push_back(weight->second * entry.duration);
  }
  nb::dict result;
  for (auto &[service, values] : groups) {
    auto *kept = new std::vector<double>(std::move(values));
    nb::capsule owner(kept,
                      [](void *it) noexcept { delete static_cast<std::vector<double> *>(it); });
    result[nb::cast(service)] = Doubles(kept->data(), {kept->size()}, owner);
  }
  return result;
}

NB_MODULE(log_nanobind, m) { m.def("parse", &parse); }
