# The structs of dlpack.h in a capsule, named "dltensor_versioned" from DLPack 1.0 on and "dltensor"
# before.

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_SetName
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef struct Tensor:  # DLTensor
    void *data
    int32_t device, device_id
    int32_t n_dimensions
    uint8_t code, bits
    uint16_t lanes
    int64_t *shape
    int64_t *strides  # in items; NULL when C-contiguous
    uint64_t byte_offset

cdef struct Managed:  # DLManagedTensor
    Tensor tensor
    void *context
    void (*deleter)(Managed *) noexcept

cdef struct Versioned:  # DLManagedTensorVersioned
    uint32_t major, minor
    void *context
    void (*deleter)(Versioned *) noexcept
    uint64_t flags  # 1: read-only
    Tensor tensor  # here in version 1

cdef enum:
    CPU = 1  # kDLCPU
    FLOAT = 2  # kDLFloat


cdef inline object capsule_of(values):
    """Return a new capsule, of a read-only tensor too if the library knows DLPack 1.0."""
    if not hasattr(values, "__dlpack__"):
        kind = type(values).__name__
        raise TypeError(f"values must have __dlpack__, which {kind} does not have")
    try:
        return values.__dlpack__(max_version=(1, 0))
    except TypeError:  # an older library
        return values.__dlpack__()


cdef inline const Tensor *tensor_of(capsule) except NULL:
    """Return the tensor, which the capsule owns."""
    if not PyCapsule_IsValid(capsule, "dltensor_versioned"):
        return &(<Managed *>PyCapsule_GetPointer(capsule, "dltensor")).tensor
    cdef Versioned *versioned = <Versioned *>PyCapsule_GetPointer(capsule, "dltensor_versioned")
    if versioned.major != 1:
        raise ValueError(f"values must be a tensor of DLPack 1, not {versioned.major}")
    return &versioned.tensor


cdef inline const double *vector_of(const Tensor *tensor) except? NULL:
    """Return the items of a tensor that is a vector of float64."""
    cdef const char *data = <const char *>tensor.data + tensor.byte_offset
    if (tensor.device != CPU or tensor.n_dimensions != 1
            or tensor.code != FLOAT or tensor.bits != 64 or tensor.lanes != 1
            or tensor.shape == NULL or not 0 <= tensor.shape[0] < <int64_t>1 << 60
            or tensor.data == NULL and tensor.shape[0]
            or tensor.strides != NULL and tensor.shape[0] > 1 and tensor.strides[0] != 1
            or <size_t>data % sizeof(double) and tensor.shape[0]):
        raise ValueError("values must be an aligned 1-D C-contiguous float64 tensor on the CPU")
    return <const double *>data


cdef inline int release(capsule) except -1:
    """Free the tensor: the name says that the capsule no longer does."""
    cdef Versioned *versioned
    cdef Managed *managed
    if PyCapsule_IsValid(capsule, "dltensor_versioned"):
        versioned = <Versioned *>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
        if versioned.deleter != NULL:
            versioned.deleter(versioned)
    else:
        managed = <Managed *>PyCapsule_GetPointer(capsule, "dltensor")
        PyCapsule_SetName(capsule, "used_dltensor")
        if managed.deleter != NULL:
            managed.deleter(managed)
    return 0
