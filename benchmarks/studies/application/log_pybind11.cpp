#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "split.h"

namespace py = pybind11;
using Weights = std::unordered_map<std::string, double>;

static py::dict parse(const py::list &lines, const Weights &weights) {
  std::unordered_map<std::string, std::vector<double>> groups;
  std::size_t number = 0;
  for (py::handle line : lines) {
    const std::string where = "line " + std::to_string(++number) + ": ";
    Entry entry;
    const char *text = PyUnicode_AsUTF8(line.ptr());
    if (text == nullptr)
      throw py::error_already_set();
    if (int code = split(text, &entry))
      throw py::value_error(where + WRONG[code]);
    const std::string level(entry.level, entry.level_size);
    auto weight = weights.find(level);
    if (weight == weights.end())
      throw py::value_error(where + "unknown level " + level);
    groups[{entry.service, entry.service_size}].push_back(weight->second * entry.duration);
  }
  py::dict result;
  for (const auto &[service, values] : groups)
    result[py::str(service)] = py::array_t<double>(values.size(), values.data());
  return result;
}

PYBIND11_MODULE(log_pybind11, m) { m.def("parse", &parse); }
