// Bytes and ids in the caller's memory, through nanobind.
//
// Shows:  a call that makes no object but an int; an array that the kernel fills in place.
// Bites:  another thread may write to borrowed memory during the call: what a first pass measured
//         need not hold in a second.
#include "bytes.hpp"
#include "results.hpp"
#include "tokenizer.hpp"

// ---- arguments -----------------------------------------------------------------------------

// A one-dimensional array of ids in the caller's memory.
struct Ids {
  uint32_t *data;
  size_t size;

  Ids(nb::handle object, const char *name, bool writable) {
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!PyArray_Check(array) || PyArray_TYPE(array) != NPY_UINT32 || !PyArray_ISNOTSWAPPED(array))
      nb::raise_type_error("%s must be a numpy array of uint32", name);
    if (PyArray_NDIM(array) != 1)
      throw nb::value_error((std::string(name) + " must be one-dimensional").c_str());
    if (!PyArray_ISCARRAY_RO(array))
      throw nb::value_error((std::string(name) + " must be C-contiguous and aligned").c_str());
    if (writable && !PyArray_ISWRITEABLE(array))
      throw nb::value_error((std::string(name) + " must be writable").c_str());
    data = static_cast<uint32_t *>(PyArray_DATA(array));
    size = static_cast<size_t>(PyArray_DIM(array, 0));
  }
};

// They must not overlap: the kernel reads the text while it writes the ids.
static void check_apart(const Bytes &text, const Ids &ids) {
  const uint8_t *low = text.data(), *high = low + text.size();
  auto first = reinterpret_cast<const uint8_t *>(ids.data);
  auto end = reinterpret_cast<const uint8_t *>(ids.data + ids.size);
  if (low < high && first < end && low < end && first < high)
    throw nb::value_error("out must not overlap buffer");
}

// ---- kernel --------------------------------------------------------------------------------

size_t Tokenizer::encode_into(nb::handle buffer, nb::handle out) const {
  Bytes text(buffer);
  Ids ids(out, "out", true);
  check_apart(text, ids);
  return run(text.data(), text.size(), nullptr, {ids.data, ids.size, 0});
}

nb::bytes Tokenizer::decode(nb::handle object) const {
  Ids ids(object, "ids", false);
  ck_buffer room{};
  auto decode = [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
    ck_bpe_decode(bpe, ids.data, ids.size, &room, interrupt, error);
  };
  model.run(ids.size, decode);
  std::string bytes(room.n, '\0');
  room = {bytes.data(), bytes.size(), 0};
  model.run(bytes.size(), decode);
  return nb::bytes(bytes.data(), room.n);
}
