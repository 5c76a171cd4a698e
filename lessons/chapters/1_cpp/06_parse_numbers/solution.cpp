#include "parsing.hpp"

#include <algorithm>
#include <cstdio>

enum { OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER };

namespace {
thread_local char message[256];

int failed(int code, const char *text) noexcept {
  std::snprintf(message, sizeof message, "%s", text);
  return code;
}
} // namespace

extern "C" int parse_numbers(const char *text, std::size_t n, double *out, std::size_t room,
                             std::size_t *written) {
  try {
    std::vector<double> numbers = parsing::numbers(std::string_view(text, n));
    if (numbers.size() > room)
      return failed(NO_ROOM, "there are more numbers than room for them");
    std::copy(numbers.begin(), numbers.end(), out);
    *written = numbers.size();
    return OK;
  } catch (const parsing::bad_number &error) {
    return failed(BAD_NUMBER, error.what());
  } catch (const std::out_of_range &error) {
    return failed(OUT_OF_RANGE, error.what());
  } catch (const std::exception &error) {
    return failed(OTHER, error.what());
  } catch (...) {
    return failed(OTHER, "an exception of an unknown type");
  }
}

extern "C" const char *parse_error() { return message; }
