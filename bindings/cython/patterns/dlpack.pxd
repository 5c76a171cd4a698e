# The structs in a capsule named "dltensor", from dlpack.h before 1.0.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

cdef struct Tensor:  # DLManagedTensor, with its DLTensor unfolded
    void *data
    int32_t device, device_id
    int32_t n_dimensions
    uint8_t code, bits
    uint16_t lanes
    int64_t *shape
    int64_t *strides  # in items; NULL when C-contiguous
    uint64_t byte_offset
    void *context
    void (*deleter)(Tensor *) noexcept

cdef enum:
    CPU = 1  # kDLCPU
    FLOAT = 2  # kDLFloat


cdef inline const double *vector_of(const Tensor *tensor) except? NULL:
    """Return the items of a tensor that is a vector of float64."""
    cdef const char *data = <const char *>tensor.data + tensor.byte_offset
    if (tensor.device != CPU or tensor.n_dimensions != 1
            or tensor.code != FLOAT or tensor.bits != 64 or tensor.lanes != 1
            or tensor.shape == NULL or not 0 <= tensor.shape[0] < <int64_t>1 << 60
            or tensor.data == NULL and tensor.shape[0]
            or tensor.strides != NULL and tensor.shape[0] > 1 and tensor.strides[0] != 1
            or <size_t>data % sizeof(double) and tensor.shape[0]):
        raise ValueError("expected an aligned 1-D C-contiguous float64 tensor on the CPU")
    return <const double *>data
