/* What the blocks of the text build on. */
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

struct Engine {
  int power = 90;
};
struct Car {
  std::string name;
  Engine engine;
  explicit Car(std::string name) : name(std::move(name)) {}
  Engine *own_engine() { return &engine; }
};
struct Garage {
  std::vector<Car *> cars; // owned by others
  void park(Car *car) { cars.push_back(car); }
};
