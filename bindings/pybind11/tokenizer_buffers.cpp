// Bytes and ids in the caller's memory, through pybind11.
//
// Shows:  a call that makes no object but an int; an array that the kernel fills in place.
// Bites:  another thread may write to borrowed memory during the call: what a first pass measured
//         need not hold in a second.
#include "bytes.hpp"
#include "contiguous.hpp"
#include "tokenizer.hpp"

// ---- arguments -----------------------------------------------------------------------------

// A one-dimensional array of ids in the caller's memory. As an argument of type py::array_t it
// would be converted, which takes longer than encoding a short text even if there is nothing to
// convert.
struct Ids {
  uint32_t *data;
  size_t size;

  Ids(py::handle object, const char *name, bool writable) {
    if (!py::isinstance<py::array_t<uint32_t>>(object))
      throw py::type_error(std::string(name) + " must be a numpy array of uint32");
    auto array = py::reinterpret_borrow<py::array>(object);
    if (array.ndim() != 1)
      throw py::value_error(std::string(name) + " must be one-dimensional");
    check_contiguous(array, name);
    if (writable && !array.writeable())
      throw py::value_error(std::string(name) + " must be writable");
    data = static_cast<uint32_t *>(const_cast<void *>(array.data()));
    size = static_cast<size_t>(array.size());
  }
};

// They must not overlap: the kernel reads the text while it writes the ids.
static void check_apart(const Bytes &text, const Ids &ids) {
  const uint8_t *low = text.data(), *high = low + text.size();
  auto first = reinterpret_cast<const uint8_t *>(ids.data);
  auto end = reinterpret_cast<const uint8_t *>(ids.data + ids.size);
  if (low < high && first < end && low < end && first < high)
    throw py::value_error("out must not overlap buffer");
}

// ---- kernel --------------------------------------------------------------------------------

size_t Tokenizer::encode_into(py::handle buffer, py::handle out) const {
  Bytes text(buffer);
  Ids ids(out, "out", true);
  check_apart(text, ids);
  return run(text.data(), text.size(), nullptr, {ids.data, ids.size, 0});
}

py::bytes Tokenizer::decode(py::handle object) const {
  Ids ids(object, "ids", false);
  ck_buffer room{};
  auto decode = [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_decode(bpe, ids.data, ids.size, &room, interrupt, error);
  };
  model.run(ids.size, decode);
  std::string bytes(room.n, '\0');
  room = {bytes.data(), bytes.size(), 0};
  model.run(bytes.size(), decode);
  return py::bytes(bytes.data(), room.n);
}
