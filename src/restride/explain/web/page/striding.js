// AsStrided, and the steps that only lay elements out otherwise.

/** A number and its noun. */
function counted(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}

/** Least and most element that an as_strided reads. */
function spanOf({ size, stride, offset }) {
  const reaches = size.map((n, k) => (n - 1n) * stride[k]);
  return [
    offset + sum(reaches.filter((r) => r < 0n)),
    offset + sum(reaches.filter((r) => r > 0n)),
  ];
}

/** Refuse an as_strided that leaves an array of `total` elements. */
function checkSpan(total, params) {
  const { size, stride, offset } = params;
  if (size.includes(0n)) {
    if (offset >= 0n && offset <= total) return;
    refuse("BoundsError", `as_strided: offset ${offset} with an empty size; allowed is ` +
      `0 to ${total}, the number of elements.`);
  }
  const [low, high] = spanOf(params);
  if (low >= 0n && high < total) return;
  const smallest = offset - low;
  const largest = total - 1n - (high - offset);
  let mend = `the smallest offset that fits is ${smallest}`;
  if (smallest > largest) mend = `no offset fits: it spans ${high - low + 1n} elements`;
  else if (high >= total) mend = `the largest offset that fits is ${largest}`;
  refuse("BoundsError", `as_strided: size ${tuple(size)}, stride ${tuple(stride)}, ` +
    `offset ${offset} reads elements [${low}, ${high + 1n}) of a source of ${total}; ` +
    `${mend}.`);
}

/** The shape of the result, and the source element of each index of it. */
function asStrided(params, shape) {
  const { size, stride, offset } = params;
  checkShape(size, "as_strided: size");
  sizedAll(stride, "as_strided: stride");
  sized(offset, "as_strided: offset");
  if (size.length !== stride.length) {
    const entries = counted(size.length, "entry", "entries");
    refuse("ShapeError", `as_strided: size has ${entries} ` +
      `and stride ${stride.length}; give one of each per result axis.`);
  }
  checkSize(size, "as_strided");
  checkSpan(product(shape), params);
  return {
    shape: size,
    read: (index) => ({ flat: offset + sum(index.map((k, r) => k * stride[r])) }),
  };
}

function checkAxes(axes, rank, name) {
  for (const axis of axes) {
    if (axis >= BigInt(rank)) {
      refuse("ShapeError", `${name} names axis ${axis} of an array of ${rank} axes; ` +
        `allowed is ${-rank} to ${rank - 1}.`);
    }
  }
}

function transpose({ order }, shape) {
  checkAxes(order, shape.length, "transpose: axes");
  if (order.length !== shape.length) {
    const axes = counted(order.length, "axis", "axes");
    refuse("ShapeError", `transpose: ${axes} given for an ` +
      `array of ${shape.length}; name each once.`);
  }
  return {
    shape: order.map((axis) => shape[axis]),
    read(index) {
      const at = shape.map(() => 0n);
      order.forEach((axis, r) => { at[axis] = index[r]; });
      return { flat: ravel(at, shape) };
    },
  };
}

function broadcastTo({ shape: wanted }, shape) {
  const lead = wanted.length - shape.length;
  if (lead < 0) {
    refuse("ShapeError", `broadcast_to: ${tuple(shape)} has more axes than ` +
      `${tuple(wanted)}; select some away first.`);
  }
  checkSize(wanted, "broadcast_to");
  shape.forEach((n, axis) => {
    if (n !== 1n && n !== wanted[lead + axis]) {
      refuse("ShapeError", `broadcast_to: axis ${axis} has extent ${n} and cannot ` +
        `become ${wanted[lead + axis]}; only an extent of 1 repeats.`);
    }
  });
  return {
    shape: wanted,
    read(index) {
      const at = shape.map((n, axis) => (n === 1n ? 0n : index[lead + axis]));
      return { flat: ravel(at, shape) };
    },
  };
}

function reshape({ shape: wanted }, shape) {
  if (product(wanted) !== product(shape)) {
    refuse("ShapeError", `reshape: ${tuple(shape)} and ${tuple(wanted)} hold ` +
      `${product(shape)} and ${product(wanted)} elements; they must hold as many.`);
  }
  return { shape: wanted, read: (index) => ({ flat: ravel(index, wanted) }) };
}

function windows({ size, step, dilation, axis: axes }, shape) {
  checkAxes(axes, shape.length, "windows: axis");
  const made = [...shape];
  axes.forEach((axis, k) => {
    const reach = (size[k] - 1n) * dilation[k] + 1n;
    made[axis] = floorDiv(shape[axis] - reach, step[k]) + 1n;
    if (reach > shape[axis]) {
      refuse("ShapeError", `windows: size ${size[k]} with dilation ${dilation[k]} ` +
        `spans ${reach} elements of axis ${axis}, which has ${shape[axis]}; make it ` +
        "smaller or pad first.");
    }
  });
  const result = [...made, ...size];
  checkSize(result, "windows");
  return {
    shape: result,
    read(index) {
      const at = index.slice(0, shape.length);
      axes.forEach((axis, k) => {
        at[axis] = at[axis] * step[k] + index[shape.length + k] * dilation[k];
      });
      return { flat: ravel(at, shape) };
    },
  };
}

const OPERATORS = {
  strided_slice: stridedSlice,
  pad,
  as_strided: asStrided,
  transpose,
  broadcast_to: broadcastTo,
  reshape,
  windows,
};

/** One step on an array of `shape`: {shape, read(index)}, or a Refusal. */
function applied(step, shape, dtype = null) {
  return OPERATORS[step.op](step.params, shape, dtype);
}

/** Steps in a row as one: an index is followed back until a constant stands there. */
function composed(stages, shape) {
  return {
    sourceJoints: stages.length ? stages[0].sourceJoints : undefined,
    shape: stages.length ? stages[stages.length - 1].shape : shape,
    read(index) {
      let at = index;
      for (let k = stages.length - 1; k >= 0; k -= 1) {
        const found = stages[k].read(at);
        if (found.constant !== undefined || k === 0) return found;
        at = unravel(found.flat, stages[k - 1].shape);
      }
      return { flat: ravel(at, shape) };
    },
  };
}
