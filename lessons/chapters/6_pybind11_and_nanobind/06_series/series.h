// A series of numbers with a name: C++ that knows nothing of Python.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

class Series {
public:
  std::string name;

  Series(std::string name, std::vector<double> values)
      : name(std::move(name)), numbers(std::move(values)) {
    if (numbers.empty())
      throw std::invalid_argument("a series must have values");
  }

  const std::vector<double> &values() const { return numbers; }

  Series scaled(double factor) const {
    std::vector<double> result;
    for (double number : numbers)
      result.push_back(number * factor);
    return {name, result};
  }

  bool operator==(const Series &other) const = default;

private:
  std::vector<double> numbers;
};
