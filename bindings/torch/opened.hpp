// Models that stay open between calls, each with its pool of caches.
//
// An op is a function of its tensors and has no state, and the stable ABI has no classes. So open
// models lie beside the ops and are found by the address of a tensor's memory. No other tensor can
// have that address, since an open model owns its tensor: nothing that a caller passes is used as a
// pointer.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "common.hpp"

struct OpenModel {
  const Tensor model; // whose bytes must not change meanwhile
  const uint8_t *const blob;
  size_t users = 0;
  ck_bpe bpe;
  ck_bpe_pool pool{};

  explicit OpenModel(const Tensor &given) : model(given), blob(elements<uint8_t>(given, "model")) {
    STD_TORCH_CHECK(ck_bpe_open(&bpe, blob, size_of(model)) == CK_OK, "not a tokenizer model");
  }
  OpenModel(const OpenModel &) = delete;
  ~OpenModel() { ck_bpe_pool_free(&pool); }
};

class OpenModels {
public:
  static OpenModels &all() {
    static auto *models = new OpenModels; // outlives every tensor and thread
    return *models;
  }

  // NULL if the model is not open. The caller shares its ownership.
  std::shared_ptr<OpenModel> find(const uint8_t *blob, size_t size) {
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(blob, size);
    return it == models.end() ? nullptr : *it;
  }

  void open(const Tensor &model) {
    auto made = std::make_shared<OpenModel>(model);
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(made->blob, size_of(model));
    if (it == models.end())
      it = models.insert(it, made);
    (*it)->users++;
  }

  void close(const Tensor &model) {
    std::shared_ptr<OpenModel> last; // freed after the lock: freeing a tensor may wait for the GIL
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(elements<uint8_t>(model, "model"), size_of(model));
    STD_TORCH_CHECK(it != models.end(), "this model is not open");
    if (--(*it)->users > 0)
      return;
    last = std::move(*it);
    models.erase(it);
  }

private:
  OpenModels() { // a fork while another thread holds the lock would leave it held for ever
    pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                   [] { all().lock.unlock(); });
  }

  std::vector<std::shared_ptr<OpenModel>>::iterator place_of(const uint8_t *blob, size_t size) {
    return std::find_if(models.begin(), models.end(), [&](const auto &open) {
      return open->blob == blob && size_of(open->model) == size;
    });
  }

  std::mutex lock;
  std::vector<std::shared_ptr<OpenModel>> models;
};
