#include "parsing.hpp"

enum { OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER };

/* The message in a string; if there is no memory even for that, it is empty. */
static thread_local std::string last;

static int failed(int code, std::string_view text) noexcept try {
  last = text.substr(0, 255);
  return code;
} catch (...) {
  last.clear();
  return code;
}

static int parse(std::string_view text, double *out, size_t room, size_t *written) {
  auto numbers = parsing::numbers(text);
  if (numbers.size() > room)
    return failed(NO_ROOM, "no room for " + std::to_string(numbers.size()) + " numbers");
  size_t i = 0;
  for (double number : numbers)
    out[i++] = number;
  *written = i;
  return OK;
}

extern "C" int parse_numbers(const char *text, size_t n, double *out, size_t room,
                             size_t *written) try {
  return parse({text, n}, out, room, written);
} catch (parsing::bad_number &error) {
  return failed(BAD_NUMBER, error.what());
} catch (std::out_of_range &error) {
  return failed(OUT_OF_RANGE, error.what());
} catch (parsing::unknown_unit &error) {
  return failed(OTHER, "unknown unit");
} catch (...) {
  return failed(OTHER, "no memory");
}

extern "C" const char *parse_error() { return last.c_str(); }
