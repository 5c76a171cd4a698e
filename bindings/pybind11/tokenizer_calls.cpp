// The tokenizer's calls on one text, through pybind11.
//
// Shows:  text borrowed where it lies; a result of unknown size, written once: into an array of the
//         largest possible size, which is shortened in place.
// Bites:  a str's UTF-8 lives as long as the str, so it is held until the kernel is done. Lone
//         surrogates have no UTF-8.
#include "results.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

// ---- kernel --------------------------------------------------------------------------------

py::array_t<uint32_t> Tokenizer::encode(const py::object &text, const py::object &allowed,
                                        const py::object &disallowed) const {
  Utf8 utf8(text);
  std::string policy = model.policy(allowed, disallowed);
  auto ids = new_array<uint32_t>(utf8.size);
  size_t n = run(utf8.data, utf8.size, bytes_of(policy), {ids.mutable_data(), utf8.size, 0});
  return shortened(std::move(ids), n);
}

size_t Tokenizer::count(const py::object &text) const {
  Utf8 utf8(text);
  return run(utf8.data, utf8.size, nullptr, {});
}

py::array_t<int64_t> Tokenizer::split(const py::object &text) const {
  Utf8 utf8(text);
  auto ends = new_array<int64_t>(utf8.size);
  ck_buffer room{ends.mutable_data(), utf8.size, 0};
  model.run(utf8.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_split(bpe, utf8.data, utf8.size, &room, interrupt, error);
  });
  return shortened(std::move(ends), room.n);
}
