// The tokenizer through pybind11.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling; text in, arrays of their exact size out.
// Build:  pybind11_add_module(... tokenizer.cpp).
// Bites:  members are destroyed in reverse order: what borrows (blob) is declared after what it
//         borrows from (model). A default argument is a Python object made once, with the module.
//
// Memory: the tokenizer keeps the Model alive and borrows its blob; calls share nothing but a pool,
// so any number of threads may call it at once. Results belong to the caller.
#include <vector>

#include "common.hpp"
#include "texts.hpp"

class Tokenizer {
public:
  explicit Tokenizer(py::object given)
      : model(std::move(given)), names(model.attr("special_names")),
        default_policy(py::bytes(model.attr("default_policy"))),
        blob(py::buffer(model.attr("blob"))) {
    if (ck_bpe_open(&bpe, blob.data(), blob.size()) != CK_OK ||
        default_policy.size() != bpe.n_special)
      throw py::value_error("not a tokenizer model");
  }

  Ids encode(const py::object &text, const py::object &allowed,
             const py::object &disallowed) const {
    Utf8 utf8(text);
    std::string policy = policy_for(allowed, disallowed);
    auto ids = uninitialised<uint32_t>(utf8.size);
    size_t n = run(utf8.data, utf8.size, bytes_of(policy), ids.get(), utf8.size);
    return array_from(std::move(ids), n);
  }

  size_t encode_into(const py::buffer &buffer, py::array_t<uint32_t, 0> out) const {
    Bytes text(buffer);
    check_ids(out);
    uint32_t *ids = out.mutable_data();
    auto room = static_cast<size_t>(out.size());
    check_apart(text, ids, room);
    return run(text.data(), text.size(), nullptr, ids, room);
  }

  py::tuple encode_batch(const py::object &texts, const py::object &threads,
                         const py::object &allowed, const py::object &disallowed) const {
    int most = checked_threads(threads);
    Texts lent(texts);
    std::string policy = policy_for(allowed, disallowed);
    size_t n = lent.texts.size();
    auto ids = uninitialised<uint32_t>(lent.total);
    auto offsets = uninitialised<int64_t>(n + 1);
    ck_error error{};
    without_gil(lent.total, [&] {
      ck_bpe_encode_batch(&bpe, lent.texts.data(), lent.sizes.data(), n, bytes_of(policy),
                          ids.get(), lent.total, offsets.get(), &pool, most, &error);
    });
    check(error);
    auto n_ids = static_cast<size_t>(offsets[n]);
    return py::make_tuple(array_from(std::move(ids), n_ids), array_from(std::move(offsets), n + 1));
  }

  size_t count(const py::object &text) const {
    Utf8 utf8(text);
    return run(utf8.data, utf8.size, nullptr, nullptr, 0);
  }

  py::array_t<int64_t> split(const py::object &text) const {
    Utf8 utf8(text);
    auto ends = uninitialised<int64_t>(utf8.size);
    ck_error error{};
    size_t n = 0;
    without_gil(utf8.size, [&] {
      ck_bpe_split(&bpe, utf8.data, utf8.size, ends.get(), utf8.size, &n, &error);
    });
    check(error);
    return array_from(std::move(ends), n);
  }

  py::bytes decode(const py::array_t<uint32_t, 0> &ids) const {
    check_ids(ids);
    const uint32_t *data = ids.data();
    size_t n = static_cast<size_t>(ids.size()), size = 0;
    ck_error error{};
    ck_bpe_decode(&bpe, data, n, nullptr, 0, &size, &error);
    check(error);
    std::string bytes(size, '\0');
    without_gil(size, [&] {
      ck_bpe_decode(&bpe, data, n, reinterpret_cast<uint8_t *>(bytes.data()), size, &size, &error);
    });
    check(error);
    return py::bytes(bytes.data(), size);
  }

  const py::object model;

private:
  std::string policy_for(const py::object &allowed, const py::object &disallowed) const {
    if (are_defaults(allowed, disallowed))
      return default_policy;
    std::string policy = py::bytes(model.attr("special_policy")(allowed, disallowed));
    if (policy.size() != bpe.n_special)
      throw py::value_error("the model's special_policy does not fit its blob");
    return policy;
  }

  size_t run(const uint8_t *text, size_t size, const uint8_t *policy, uint32_t *ids,
             size_t capacity) const {
    size_t n = 0;
    ck_error error{};
    without_gil(size,
                [&] { ck_bpe_encode(&bpe, text, size, policy, ids, capacity, &n, &pool, &error); });
    check(error);
    return n;
  }

  void check(const ck_error &error) const {
    if (error.code != CK_OK)
      raise_error("tokenizer_error", error, names);
  }

  const py::object names;
  const std::string default_policy; // one byte a special token
  const Bytes blob;                 // the model's memory, borrowed for life
  ck_bpe bpe;                       // pointers into it
  mutable Pool pool;
};

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(tokenizer, m) {
  auto allowed = py::arg("allowed_special") = py::tuple();
  auto disallowed = py::arg("disallowed_special") = "all";
  py::class_<Tokenizer>(m, "Tokenizer", "See bindings.protocol.Tokenizer.")
      .def(py::init<py::object>(), py::arg("model"))
      .def("encode", &Tokenizer::encode, py::arg("text"), py::kw_only(), allowed, disallowed)
      .def("encode_into", &Tokenizer::encode_into, py::arg("buffer"), py::arg("out").noconvert())
      .def("encode_batch", &Tokenizer::encode_batch, py::arg("texts"), py::arg("threads") = 1,
           py::kw_only(), allowed, disallowed)
      .def("count", &Tokenizer::count)
      .def("split", &Tokenizer::split)
      .def("decode", &Tokenizer::decode, py::arg("ids").noconvert())
      .def_readonly("model", &Tokenizer::model)
      .def("__reduce__", [](const py::object &self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("model")));
      });
  needs_init<Tokenizer>();
}
