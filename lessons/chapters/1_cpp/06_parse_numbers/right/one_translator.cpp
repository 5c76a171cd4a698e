#include "parsing.hpp"

#include <cstring>

enum { OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER };

namespace {
struct no_room {};

thread_local char text_of_error[256];

void remember(const char *text) {
  std::strncpy(text_of_error, text, 255);
  text_of_error[255] = 0;
}

/* One place that turns any exception into a code: rethrow it, and see what it is. */
int translate() noexcept {
  try {
    throw;
  } catch (const no_room &) {
    remember("no room");
    return NO_ROOM;
  } catch (const std::exception &error) {
    remember(error.what());
    if (dynamic_cast<const parsing::bad_number *>(&error))
      return BAD_NUMBER;
    return dynamic_cast<const std::out_of_range *>(&error) ? OUT_OF_RANGE : OTHER;
  } catch (...) {
    remember("unknown");
    return OTHER;
  }
}

template <class Function> int guarded(Function function) noexcept {
  try {
    function();
    return OK;
  } catch (...) {
    return translate();
  }
}
} // namespace

extern "C" int parse_numbers(const char *text, std::size_t n, double *out, std::size_t room,
                             std::size_t *written) {
  return guarded([&] {
    auto numbers = parsing::numbers({text, n});
    if (room < numbers.size())
      throw no_room();
    for (std::size_t i = 0; i < numbers.size(); i++)
      out[i] = numbers[i];
    *written = numbers.size();
  });
}

extern "C" const char *parse_error() { return text_of_error; }
