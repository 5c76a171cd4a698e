// The tokenizer through nanobind.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling; text in, arrays of their exact size out.
// Build:  nanobind_add_module(... NOMINSIZE tokenizer.cpp).
// Bites:  members are destroyed in reverse order: what borrows (blob) is declared after what it
//         borrows from (model). A default argument is a Python object made once, when the module is
//         imported. An argument that does not say .none() refuses None, in words of nanobind's own.
//
// Memory: the tokenizer keeps the Model alive and borrows its blob; calls share nothing but a pool,
// so any number of threads may call it at once. Results belong to the caller.
#include <vector>

#include "common.hpp"
#include "ids.hpp"
#include "texts.hpp"

class Tokenizer {
public:
  explicit Tokenizer(nb::object given)
      : model(std::move(given)), names(model.attr("special_names")),
        default_policy(bytes_from(model.attr("default_policy"))), blob(model.attr("blob")) {
    if (ck_bpe_open(&bpe, blob.data(), blob.size()) != CK_OK ||
        default_policy.size() != bpe.n_special)
      throw nb::value_error("not a tokenizer model");
  }

  nb::object encode(const nb::object &text, const nb::object &allowed,
                    const nb::object &disallowed) const {
    Utf8 utf8(text);
    std::string policy = policy_for(allowed, disallowed);
    Array<uint32_t> ids(utf8.size);
    return ids.shortened(run(utf8.data, utf8.size, bytes_of(policy), ids.data, utf8.size));
  }

  size_t encode_into(nb::handle buffer, nb::handle out) const {
    Bytes text(buffer);
    Ids ids(out, "out", true);
    check_apart(text, ids);
    return run(text.data(), text.size(), nullptr, ids.data, ids.size);
  }

  nb::tuple encode_batch(const nb::object &texts, const nb::object &threads,
                         const nb::object &allowed, const nb::object &disallowed) const {
    int most = checked_threads(threads);
    Texts lent(texts);
    std::string policy = policy_for(allowed, disallowed);
    size_t n = lent.texts.size();
    Array<uint32_t> ids(lent.total);
    Array<int64_t> offsets(n + 1);
    ck_error error{};
    without_gil(lent.total, [&] {
      ck_bpe_encode_batch(&bpe, lent.texts.data(), lent.sizes.data(), n, bytes_of(policy), ids.data,
                          lent.total, offsets.data, &pool, most, &error);
    });
    check(error);
    return nb::make_tuple(ids.shortened(static_cast<size_t>(offsets.data[n])), offsets.object);
  }

  size_t count(const nb::object &text) const {
    Utf8 utf8(text);
    return run(utf8.data, utf8.size, nullptr, nullptr, 0);
  }

  nb::object split(const nb::object &text) const {
    Utf8 utf8(text);
    Array<int64_t> ends(utf8.size);
    ck_error error{};
    size_t n = 0;
    without_gil(utf8.size, [&] {
      ck_bpe_split(&bpe, utf8.data, utf8.size, ends.data, utf8.size, &n, &error);
    });
    check(error);
    return ends.shortened(n);
  }

  nb::bytes decode(nb::handle object) const {
    Ids ids(object, "ids", false);
    size_t size = 0;
    ck_error error{};
    without_gil(ids.size,
                [&] { ck_bpe_decode(&bpe, ids.data, ids.size, nullptr, 0, &size, &error); });
    check(error);
    std::string bytes(size, '\0');
    without_gil(size, [&] {
      ck_bpe_decode(&bpe, ids.data, ids.size, reinterpret_cast<uint8_t *>(bytes.data()), size,
                    &size, &error);
    });
    check(error);
    return nb::bytes(bytes.data(), size);
  }

  const nb::object model;

private:
  std::string policy_for(const nb::object &allowed, const nb::object &disallowed) const {
    if (are_defaults(allowed, disallowed))
      return default_policy;
    std::string policy = bytes_from(model.attr("special_policy")(allowed, disallowed));
    if (policy.size() != bpe.n_special)
      throw nb::value_error("the model's special_policy does not fit its blob");
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

  const nb::object names;
  const std::string default_policy; // one byte a special token
  const Bytes blob;                 // the model's memory, borrowed for life
  ck_bpe bpe;                       // pointers into it
  mutable Pool pool;
};

// ---- module --------------------------------------------------------------------------------

NB_MODULE(tokenizer, m) {
  if (PyArray_ImportNumPyAPI() < 0)
    throw nb::python_error();
  auto text = nb::arg("text").none();
  auto allowed = nb::arg("allowed_special").none() = nb::tuple();
  auto disallowed = nb::arg("disallowed_special").none() = "all";
  nb::class_<Tokenizer>(m, "Tokenizer", "See bindings.protocol.Tokenizer.")
      .def(nb::init<nb::object>(), nb::arg("model"))
      .def("encode", &Tokenizer::encode, text, nb::kw_only(), allowed, disallowed)
      .def("encode_into", &Tokenizer::encode_into, nb::arg("buffer").none(), nb::arg("out").none())
      .def("encode_batch", &Tokenizer::encode_batch, nb::arg("texts").none(),
           nb::arg("threads").none() = 1, nb::kw_only(), allowed, disallowed)
      .def("count", &Tokenizer::count, text)
      .def("split", &Tokenizer::split, text)
      .def("decode", &Tokenizer::decode, nb::arg("ids").none())
      .def_ro("model", &Tokenizer::model)
      .def("__reduce__", [](const nb::object &self) {
        return nb::make_tuple(self.type(), nb::make_tuple(self.attr("model")));
      });
}
