#include "parsing.hpp"

#include <algorithm>
#include <cstring>

enum { OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER };

static thread_local std::string error_text;

static void remember(const char *text) {
  error_text.assign(text, std::min<size_t>(std::strlen(text), 255));
}

/* The parsing alone in the try block, and the rest after it. The memory for a message is there
 * before anything can fail, so no handler allocates. */
extern "C" int parse_numbers(const char *text, size_t n, double *out, size_t room,
                             size_t *written) noexcept {
  std::vector<double> numbers;
  int code = OK;
  try {
    error_text.reserve(255);
    numbers = parsing::numbers(std::string_view(text, n));
  } catch (const std::invalid_argument &error) {
    code = BAD_NUMBER, remember(error.what());
  } catch (const std::out_of_range &error) {
    code = OUT_OF_RANGE, remember(error.what());
  } catch (...) {
    code = OTHER, error_text = "another one";
  }
  if (code == OK && numbers.size() > room)
    code = NO_ROOM, remember("too many numbers");
  if (code == OK) {
    std::copy(numbers.begin(), numbers.end(), out);
    *written = numbers.size();
  }
  return code;
}

extern "C" const char *parse_error(void) { return error_text.c_str(); }
