// Many texts in one call of the tokenizer, through pybind11.
//
// Shows:  a list of texts that the kernel reads where they lie, without a copy; two arrays out.
// Bites:  a list may change whenever Python code runs, so the batch holds each of its texts.
#include <vector>

#include "results.hpp"
#include "threads.hpp"
#include "tokenizer.hpp"
#include "tuples.hpp"
#include "utf8.hpp"

// ---- arguments -----------------------------------------------------------------------------

// The texts of a list or tuple, and the objects that keep them alive: the list can change.
struct Texts {
  std::vector<py::object> owners;
  std::vector<const uint8_t *> texts;
  std::vector<size_t> sizes;
  size_t total = 0;

  explicit Texts(const py::object &given) {
    if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given))
      refuse_type("texts must be a list or tuple of str or bytes", given);
    for (py::handle text : tuple_of(given)) {
      Utf8 utf8(py::reinterpret_borrow<py::object>(text));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};

// ---- kernel --------------------------------------------------------------------------------

py::tuple Tokenizer::encode_batch(const py::object &texts, const py::object &threads,
                                  const py::object &allowed, const py::object &disallowed) const {
  int most = checked_threads(threads);
  Texts borrowed(texts);
  std::string policy = model.policy(allowed, disallowed);
  size_t n = borrowed.texts.size();
  auto ids = new_array<uint32_t>(borrowed.total);
  auto offsets = new_array<int64_t>(n + 1);
  const ck_texts given{borrowed.texts.data(), borrowed.sizes.data(), n};
  ck_buffer room{ids.mutable_data(), borrowed.total, 0};
  int64_t *ends = offsets.mutable_data();
  model.run(borrowed.total, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_encode_batch(bpe, &given, bytes_of(policy), &room, ends, most, interrupt, error);
  });
  return py::make_tuple(shortened(std::move(ids), static_cast<size_t>(ends[n])), offsets);
}
