// Stop exceptions at the boundary: make parsing::numbers of parsing.hpp callable from C.
//
//   double out[4];
//   size_t written;
//   parse_numbers("1.5 2", 5, out, 4, &written);  // OK; written is 2, out is {1.5, 2}
//   parse_numbers("1.5 x", 5, out, 4, &written);  // BAD_NUMBER
//   parse_error();                                // "not a number: x"
//
// NO_ROOM: there are more numbers than `room`; nothing is written then. OTHER: any other exception.
// parse_error returns the what() of the exception in this thread's last failed call, cut after 255
// bytes, or a text of your own if there is no what(). The text stays valid until the thread calls
// parse_numbers again. No exception may leave either function.
#include "parsing.hpp"

// BEGIN SOLUTION
#include <algorithm>
#include <cstdio>

// END SOLUTION
enum { OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER };

//: extern "C" int parse_numbers(const char *text, std::size_t n, double *out, std::size_t room,
//:                              std::size_t *written) {
//:   std::vector<double> numbers = parsing::numbers(std::string_view(text, n));
//:   for (std::size_t i = 0; i < numbers.size(); i++)
//:     out[i] = numbers[i];
//:   *written = numbers.size();
//:   return OK; // TODO: exceptions, room, message
//: }
//:
//: extern "C" const char *parse_error() { return ""; }
// BEGIN SOLUTION
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
// END SOLUTION
