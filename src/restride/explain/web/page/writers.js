// Steps to calls, dialect by dialect; ONNX has a file of its own.

const ATB_PADS = "Use CANN's PadV3 (dialect cann).";
const MOST_BOUND = 2n ** 62n;
const MAX_STEP = 2n ** 40n;

const getitem = (d, step) => d.call(step, "getitem", { index: indexText(step.entries) });
const flatSides = (pairs) => [...pairs].reverse().flat();

/** The pairs from the first that pads on. */
function trimmed(pairs, keep = 0) {
  const padded = pairs.findIndex((pair) => pair.some((side) => side !== 0n));
  const first = padded < 0 ? pairs.length : padded;
  return pairs.slice(Math.max(0, Math.min(first, pairs.length - keep)));
}

// ------------------------------------------------------------------ restride, NumPy

function restridePad(d, step) {
  const words = { paddings: step.pairs, mode: step.mode };
  if (step.mode === "constant") {
    words.constant_values = hasOneFill(step) ? singleFill(step) : step.fills;
  }
  d.call(step, "pad", words);
}

function numpyPad(d, step) {
  const words = { pad_width: step.pairs, mode: step.mode };
  if (step.mode === "constant") {
    const one = hasOneFill(step);
    const side = (fill) => (fill.kind === "none" ? ZERO : fill);
    const fills = one ? singleFill(step) : step.fills.map((pair) => pair.map(side));
    if (!one || !isZero(fills)) words.constant_values = fills;
  }
  d.call(step, "pad", words);
}

function numpyStrided(d, step) {
  d.call(null, "ascontiguousarray");
  d.call(null, "flat", { offset: step.offset });
  d.call(step, "as_strided", { shape: step.size, strides: step.stride });
  d.note("as_strided of NumPy checks nothing: the input must hold all it reads.");
}

// ------------------------------------------------------------------------- PyTorch

/** The same index with steps above 0, and the axes to be reversed before. */
function forward(entries) {
  const counts = entries.map((e) => (takesAxis(e) ? 1 : 0));
  const dots = entries.findIndex(({ kind }) => kind === "ellipsis");
  const after = dots < 0 ? entries.length : dots;
  const total = (list) => list.reduce((a, b) => a + b, 0);
  const near = (bound) => (bound === null ? null : clamp(bound, -MOST_BOUND, MOST_BOUND));
  const flips = [];
  const found = entries.map((entry, k) => {
    if (entry.kind !== "range") return entry;
    let { begin, end } = entry;
    const step = entry.step ?? 1n;
    if (step < 0n) {
      flips.push(k <= after ? total(counts.slice(0, k)) : -total(counts.slice(k)));
      begin = begin === null ? null : ~begin;
      end = end === null ? null : ~end;
    }
    const size = least(absolute(step), MAX_STEP);
    const forwards = size === 1n ? null : size;
    return { kind: "range", begin: near(begin), end: near(end), step: forwards };
  });
  return [found, flips];
}

function torchSelect(d, step) {
  const [entries, flips] = forward(step.entries);
  if (flips.length) d.call(null, "flip", { dims: flips });
  if (!flips.length || entries.some((e) => e.kind !== "ellipsis" && !isWhole(e))) {
    d.call(null, "getitem", { index: indexText(entries) });
  }
  d.shape = resultShape(step, d.shape);
}

/** How many last axes a pad in another mode than constant must name. */
function trailing(pairs) {
  const first = pairs.findIndex((pair) => pair.some((side) => side !== 0n));
  return Math.max(first < 0 ? 1 : pairs.length - first, pairs.length - 2);
}

function torchOwnPad(d, step) {
  const isConstant = step.mode === "constant";
  const keep = !isConstant && step.pairs.length > 1 ? trailing(step.pairs) : 0;
  const words = { pad: flatSides(trimmed(step.pairs, keep)) };
  if (!isConstant) words.mode = d.can.modes[step.mode];
  else if (!isZero(singleFill(step))) words.value = singleFill(step);
  d.call(step, "pad", words);
}

function torchPad(d, step) {
  for (const part of fitted(d, step)) sayFitted(d, framed(d, part), torchOwnPad);
}

/** Other modes than constant pad the last 1 to 3 axes of one or two more. */
function framed(d, part) {
  if (part.type !== "extend" || part.mode === "constant") return [part];
  const rank = part.pairs.length;
  const named = trailing(part.pairs);
  if (named <= 3 && named < rank) return [part];
  if (rank <= 3) {
    return [select([NEW_AXIS, ELLIPSIS]), { ...part, pairs: [[0n, 0n], ...part.pairs] },
      select([{ kind: "index", at: 0n }, ELLIPSIS])];
  }
  d.bound = true;
  return gathered(part, d.shape);
}

function torchStrided(d, step) {
  if (step.stride.some((s) => s < 0n)) {
    d.sayAll(asSelection(step, d.shape) ?? onFlat(step));
    return;
  }
  d.call(null, "contiguous");
  const { size, stride, offset } = step;
  d.call(step, "as_strided", { size, stride, storage_offset: offset });
}

function torchGather(d, step) {
  if (step.table.runs) d.call(step, "index_select", { dim: step.axis, index: step.table });
  else d.call(step, "take", { index: step.table });
}

// ---------------------------------------------------------------------- TensorFlow

function checkRank(d, rank, limit, op) {
  if (rank <= limit) return;
  d.refuse(`${op} handles ${limit} axes, and here are ${rank}.`, "Merge some first.");
}

function tensorflowSelect(d, step) {
  checkRank(d, d.shape.length, d.can.sliceRank, "strided_slice");
  d.call(step, "strided_slice", maskedWords(d, step.entries));
  checkRank(d, d.shape.length, d.can.sliceRank, "strided_slice");
}

function tensorflowOwnPad(d, step) {
  checkRank(d, step.pairs.length, rankOf(d, step.mode), "pad");
  const words = { paddings: step.pairs };
  if (step.mode !== "constant") words.mode = d.can.modes[step.mode];
  else if (!isZero(singleFill(step))) words.constant_values = singleFill(step);
  d.call(step, "pad", words);
}

/** By a slice, a transpose and repeats, or by a table; TensorFlow and ONNX. */
function stridedByTable(d, step) {
  const found = asSelection(step, d.shape);
  if (found) d.bound = true;
  d.sayAll(found ?? onFlat(step));
}

// -------------------------------------------------------------------------- Ascend

function atbStrided(d, step) {
  checkAtbAxes(d, step.size);
  if (step.stride.some((s) => s < 0n)) {
    d.refuse("AsStridedOperation takes strides of 0 or more, and here they are " +
      `${tuple(step.stride)}: ATB cannot read backwards.`,
    "Use CANN's StridedSlice (dialect cann) for a slice, else restride itself.");
  }
  checkAtbAxes(d, d.shape);
  const { size, stride, offset } = step;
  d.call(step, "AsStridedParam", { size, stride, offset: [offset] });
  d.note("AsStridedOperation takes float16 and int64.");
}

function checkAtbAxes(d, shape) {
  if (shape.length < 1 || shape.length > d.can.sliceRank || shape.includes(0n)) {
    d.refuse(`tensors have 1 to 8 axes, none of them empty, and here is ${tuple(shape)}.`,
      "Keep an axis of extent 1, or leave the call away.");
  }
}

function atbFlat(d, step) {
  d.bound = true;
  const read = flatStrides(step, d.shape);
  if (!read) {
    d.refuse("AsStridedOperation reads by even strides, and constants, mirrors and " +
      "wraps are none.", ATB_PADS);
  }
  atbStrided(d, read);
}

function checkAscendRank(d) {
  if (d.shape.length > d.can.sliceRank) {
    d.refuse(`tensors have up to 8 axes, not ${d.shape.length}.`, "Merge some first.");
  }
}

function cannSelect(d, step) {
  checkAscendRank(d);
  d.call(step, "strided_slice", maskedWords(d, step.entries));
}

function cannOwnPad(d, step) {
  if (step.pairs.length < 1 || step.pairs.length > d.can.padRank) {
    d.refuse(`PadV3 takes 1 to 8 axes, not ${step.pairs.length}.`, "Merge some first.");
  }
  const words = { paddings: step.pairs, mode: d.can.modes[step.mode] };
  if (step.mode === "constant" && !isZero(singleFill(step))) {
    words.constant_values = singleFill(step);
  }
  if (step.mode === "wrap") {
    words.source_modes = true;
    d.note("PadV3 has mode circular in its source only, on Ascend 950 products.");
  }
  d.call(step, "pad_v3", words);
}

function cannStrided(d, step) {
  d.bound = true;
  const parts = asSelection(step, d.shape);
  if (!parts || parts.some(({ type }) => type !== "select")) {
    const backwards = step.stride.some((s) => s < 0n);
    d.refuse(`size ${tuple(step.size)}, stride ${tuple(step.stride)} over ` +
      `${tuple(d.shape)} is no slice, and the operators here are PadV3 and StridedSlice.`,
      backwards ? "Use restride itself: no Ascend operator reads strides backwards."
        : "Use ATB's AsStridedOperation (dialect atb).");
  }
  d.sayAll(parts);
}

function aclnnSelect(d, step) {
  checkAscendRank(d);
  d.note("aclnnStridedSlice runs on Ascend 950 products only.");
  d.call(step, "aclnn_strided_slice", maskedWords(d, step.entries));
}

function aclnnPad(d, step) {
  if (!(step.mode in d.can.modes)) {
    d.refuse(`has no door for mode '${step.mode}' here; it has ConstantPadNd, ` +
      "ReplicationPad and ReflectionPad.", "Use the graph operator PadV3 (dialect cann).");
  }
  sayFitted(d, fitted(d, step, true), aclnnOwnPad);
}

function aclnnOwnPad(d, step) {
  if (step.pairs.length > d.can.padRank) {
    d.refuse(`pads take up to 8 axes, not ${step.pairs.length}.`, "Merge some first.");
  }
  const name = d.can.modes[step.mode];
  if (step.mode === "constant") {
    d.call(step, name, { pad: flatSides(trimmed(step.pairs)), value: singleFill(step) });
    return;
  }
  const rank = step.pairs.length;
  const padded = step.pairs.findIndex((pair) => pair.some((side) => side !== 0n));
  const first = Math.max(0, padded);
  const count = Math.max(rank - first, rank - 2, 1);
  if (count > 3 || rank - count < 1 || rank - count > 2) {
    d.refuse(`${name}1d to 3d pad the last 1 to 3 axes of one or two more, and here are ` +
      `${tuple(step.pairs.map(tuple))}.`, "Use the graph operator PadV3 (dialect cann).");
  }
  d.call(step, `${name}${count}d`, { padding: flatSides(step.pairs.slice(rank - count)) });
}

/** A step that is one call with its fields under other names. */
const plainly = (op, words) => (d, step) => d.call(step, op, words(step));

const WRITERS = {
  restride: {
    select: (d, step) => d.call(step, "slice", { index: indexText(step.entries) }),
    extend: restridePad,
    strided(d, { size, stride, offset, type }) {
      d.call({ type, size }, "as_strided", { size, stride, offset });
    },
  },
  numpy: {
    select: getitem,
    extend: (d, step) => sayFitted(d, fitted(d, step), numpyPad),
    strided: numpyStrided,
    gather: plainly("take", ({ table, axis }) => ({ indices: table, axis })),
  },
  pytorch: {
    select: torchSelect,
    extend: torchPad,
    strided: torchStrided,
    transpose: plainly("permute", ({ order }) => ({ dims: order })),
    expand: plainly("expand", ({ shape }) => ({ size: shape })),
    reshape: plainly("reshape", ({ shape }) => ({ shape })),
    gather: torchGather,
  },
  tensorflow: {
    select: tensorflowSelect,
    extend: (d, step) => sayFitted(d, fitted(d, step), tensorflowOwnPad),
    strided: stridedByTable,
    transpose: plainly("transpose", ({ order }) => ({ perm: order })),
    expand: plainly("broadcast_to", ({ shape }) => ({ shape })),
    reshape: plainly("reshape", ({ shape }) => ({ shape })),
    gather: plainly("gather", ({ table, axis }) => ({ indices: table, axis })),
  },
  atb: { select: atbFlat, extend: atbFlat, strided: atbStrided },
  cann: {
    select: cannSelect,
    extend: (d, step) => sayFitted(d, fitted(d, step, true), cannOwnPad),
    strided: cannStrided,
  },
  aclnn: { select: aclnnSelect, extend: aclnnPad, strided: cannStrided },
};
