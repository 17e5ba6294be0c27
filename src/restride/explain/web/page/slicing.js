// StridedSlice: three lists and five masks, entry by entry.

const LISTS = ["begin", "end", "strides"];
const MASKS = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
  "shrink_axis_mask"];

/** What each entry is; of several bits the first mask named here decides. */
function kindsOf(params) {
  const ellipsis = params.ellipsis_mask;
  if (ellipsis & (ellipsis - 1n)) {
    refuse("ShapeError", `strided_slice: ellipsis_mask = ${shown(ellipsis)} has more ` +
      "than one bit; an index holds at most one ellipsis. Keep one bit.");
  }
  return params.begin.map((_, k) => {
    if (bit(ellipsis, k)) return "ellipsis";
    if (bit(params.new_axis_mask, k)) return "new axis";
    return bit(params.shrink_axis_mask, k) ? "index" : "range";
  });
}

function checkLists({ begin, end, strides }) {
  if (begin.length !== end.length || end.length !== strides.length) {
    refuse("ShapeError", `strided_slice: begin has length ${begin.length}, end ` +
      `${end.length} and strides ${strides.length}; give one of each per entry of the ` +
      "index.");
  }
  if (begin.length > MAX_ENTRIES) {
    refuse("ShapeError", `strided_slice: ${begin.length} entries; at most ` +
      `${MAX_ENTRIES} are allowed, for arrays of up to ${MAX_RANK} axes. Leave some ` +
      "out.");
  }
}

/** Begin, step and count of a range on an axis of extent n; null leaves an end open. */
function taken(begin, end, step, n) {
  const back = step < 0n;
  const [low, high] = back ? [-1n, n - 1n] : [0n, n];
  const cut = (bound) => clamp(bound < 0n ? bound + n : bound, low, high);
  const start = begin === null ? (back ? high : low) : cut(begin);
  const stop = end === null ? (back ? low : high) : cut(end);
  const count = most(0n, -floorDiv(start - stop, step));
  return count < 2n ? [count ? start : 0n, 1n, count] : [start, step, count];
}

/** The bounds of a range entry: null where a mask leaves one open. */
function boundsOf(params, k) {
  return [
    bit(params.begin_mask, k) ? null : params.begin[k],
    bit(params.end_mask, k) ? null : params.end[k],
  ];
}

/** What one entry takes of its axis: a position, or begin, step and count. */
function takenBy(params, kind, k, axis, n) {
  const stride = params.strides[k];
  if (stride === 0n) {
    refuse("ShapeError", `strided_slice: strides[${k}] = 0; any other stride is ` +
      "allowed. Use 1 or -1.");
  }
  if (kind === "range") return taken(...boundsOf(params, k), stride, n);
  if (stride < 0n) {
    refuse("ShapeError", `strided_slice: strides[${k}] = ${shown(stride)}; a single ` +
      `index (shrink_axis_mask bit ${k}) needs a stride above 0. Use 1.`);
  }
  const at = params.begin[k];
  if (at < -n || at >= n) {
    const rule = n ? `must lie in ${-n}..${n - 1n}` : "does not exist there";
    refuse("BoundsError", `strided_slice: begin[${k}] = ${shown(at)} is outside axis ` +
      `${axis} of extent ${n}; a single index (shrink_axis_mask bit ${k}) ${rule}. A ` +
      "range is cut to fit instead.");
  }
  return modulo(at, n);
}

/**
 * What each entry takes from an array of `shape`, covering every axis.
 * Each is {kind, entry, axis, take}; take is a position, [begin, step, count] or null.
 */
function resolveSlice(params, shape) {
  checkLists(params);
  const kinds = kindsOf(params);
  const used = kinds.filter((kind) => kind === "index" || kind === "range").length;
  const spare = shape.length - used;
  if (spare < 0) {
    refuse("ShapeError", `strided_slice: ${used} of the entries need an axis and shape ` +
      `${tuple(shape)} has ${shape.length}; leave out ${-spare}.`);
  }
  const found = [];
  let axis = 0;
  const whole = (upTo, kind, entry) => {
    for (; axis < upTo; axis += 1) {
      found.push({ kind, entry, axis, take: [0n, 1n, shape[axis]] });
    }
  };
  kinds.forEach((kind, entry) => {
    if (kind === "new axis") found.push({ kind, entry, axis: null, take: null });
    else if (kind === "ellipsis") whole(axis + spare, kind, entry);
    else {
      const take = takenBy(params, kind, entry, axis, shape[axis]);
      found.push({ kind, entry, axis, take });
      axis += 1;
    }
  });
  whole(shape.length, "rest", null);
  const rank = found.filter(({ kind }) => kind !== "index").length;
  if (rank > MAX_RANK) {
    refuse("ShapeError", `strided_slice: the result would have ${rank} axes; at most ` +
      `${MAX_RANK} are allowed. Leave out some new axes.`);
  }
  return found;
}

/** First and one past the last position that is taken. */
function edgesOf(take) {
  if (!Array.isArray(take)) return [take, take + 1n];
  const [begin, step, count] = take;
  const last = begin + step * (count - 1n);
  return [least(begin, last), most(begin, last) + 1n];
}

/** The shape of the result, and the source element of each index of it. */
function stridedSlice(params, shape) {
  const found = resolveSlice(params, shape);
  const kept = found.filter(({ kind }) => kind !== "index");
  const start = shape.map(() => 0n);
  for (const { kind, axis, take } of found) {
    if (kind === "index") start[axis] = take;
    else if (axis !== null) start[axis] = take[0];
  }
  return {
    sourceJoints: shape.map((_, axis) => edgesOf(found.find((e) => e.axis === axis).take)),
    shape: kept.map(({ take }) => (take === null ? 1n : take[2])),
    read(index) {
      const at = [...start];
      kept.forEach(({ axis, take }, r) => {
        if (axis !== null) at[axis] += index[r] * take[1];
      });
      return { flat: ravel(at, shape) };
    },
  };
}
