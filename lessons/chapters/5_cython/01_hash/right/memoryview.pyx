# Any buffer of bytes, by its index.
def fnv1a(const unsigned char[:] data not None):
    cdef unsigned long long code = 0xCBF29CE484222325
    cdef Py_ssize_t i
    for i in range(data.shape[0]):
        code ^= data[i]
        code *= 0x100000001B3ULL
    return code
