"""CANN's words: graph operators PadV3 and StridedSlice, and their aclnn functions.

>>> import numpy as np
>>> from restride.dialects import cann
>>> cann.pad_v3(np.array([1, 2], np.int32), [[1, 1]], mode="edge").tolist()
[1, 1, 2, 2]
"""

from restride.dialects.cann.aclnn_slice import (
    aclnn_strided_slice,
    aclnn_strided_slice_get_workspace_size,
)
from restride.dialects.cann.backward_pads import (
    aclnn_reflection_pad1d_backward,
    aclnn_reflection_pad1d_backward_get_workspace_size,
    aclnn_reflection_pad2d_backward,
    aclnn_reflection_pad2d_backward_get_workspace_size,
    aclnn_reflection_pad3d_backward,
    aclnn_reflection_pad3d_backward_get_workspace_size,
    aclnn_replication_pad1d_backward,
    aclnn_replication_pad1d_backward_get_workspace_size,
    aclnn_replication_pad2d_backward,
    aclnn_replication_pad2d_backward_get_workspace_size,
    aclnn_replication_pad3d_backward,
    aclnn_replication_pad3d_backward_get_workspace_size,
)
from restride.dialects.cann.constant_pad import (
    aclnn_constant_pad_nd,
    aclnn_constant_pad_nd_get_workspace_size,
)
from restride.dialects.cann.errors import (
    AclnnError,
    AclnnStatus,
    CannError,
    GraphError,
    GraphStatus,
    NoDataError,
)
from restride.dialects.cann.executor import Executor
from restride.dialects.cann.gradients import (
    infer_shape_pad_v3_grad,
    infer_shape_strided_slice_grad,
    pad_v3_grad,
    strided_slice_grad,
)
from restride.dialects.cann.graph_slice import (
    infer_shape_strided_slice,
    strided_slice,
)
from restride.dialects.cann.pad_v3 import (
    infer_shape_pad_v3,
    pad_v3,
    tiling_pad_v3,
)
from restride.dialects.cann.reflection_pad import (
    aclnn_reflection_pad1d,
    aclnn_reflection_pad1d_get_workspace_size,
    aclnn_reflection_pad2d,
    aclnn_reflection_pad2d_get_workspace_size,
    aclnn_reflection_pad3d,
    aclnn_reflection_pad3d_get_workspace_size,
)
from restride.dialects.cann.replication_pad import (
    aclnn_replication_pad1d,
    aclnn_replication_pad1d_get_workspace_size,
    aclnn_replication_pad2d,
    aclnn_replication_pad2d_get_workspace_size,
    aclnn_replication_pad3d,
    aclnn_replication_pad3d_get_workspace_size,
)
from restride.dialects.cann.scalar import AclScalar
from restride.dialects.cann.tensor import AclTensor

__all__ = [
    "AclScalar",
    "AclTensor",
    "AclnnError",
    "AclnnStatus",
    "CannError",
    "Executor",
    "GraphError",
    "GraphStatus",
    "NoDataError",
    "aclnn_constant_pad_nd",
    "aclnn_constant_pad_nd_get_workspace_size",
    "aclnn_reflection_pad1d",
    "aclnn_reflection_pad1d_backward",
    "aclnn_reflection_pad1d_backward_get_workspace_size",
    "aclnn_reflection_pad1d_get_workspace_size",
    "aclnn_reflection_pad2d",
    "aclnn_reflection_pad2d_backward",
    "aclnn_reflection_pad2d_backward_get_workspace_size",
    "aclnn_reflection_pad2d_get_workspace_size",
    "aclnn_reflection_pad3d",
    "aclnn_reflection_pad3d_backward",
    "aclnn_reflection_pad3d_backward_get_workspace_size",
    "aclnn_reflection_pad3d_get_workspace_size",
    "aclnn_replication_pad1d",
    "aclnn_replication_pad1d_backward",
    "aclnn_replication_pad1d_backward_get_workspace_size",
    "aclnn_replication_pad1d_get_workspace_size",
    "aclnn_replication_pad2d",
    "aclnn_replication_pad2d_backward",
    "aclnn_replication_pad2d_backward_get_workspace_size",
    "aclnn_replication_pad2d_get_workspace_size",
    "aclnn_replication_pad3d",
    "aclnn_replication_pad3d_backward",
    "aclnn_replication_pad3d_backward_get_workspace_size",
    "aclnn_replication_pad3d_get_workspace_size",
    "aclnn_strided_slice",
    "aclnn_strided_slice_get_workspace_size",
    "infer_shape_pad_v3",
    "infer_shape_pad_v3_grad",
    "infer_shape_strided_slice",
    "infer_shape_strided_slice_grad",
    "pad_v3",
    "pad_v3_grad",
    "strided_slice",
    "strided_slice_grad",
    "tiling_pad_v3",
]
