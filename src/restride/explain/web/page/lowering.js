// What an operator means in no dialect's words, and how to say it in simpler steps.
//
// The same steps as restride.translate's: select, extend, strided, and what only arises
// where a target has no single word: transpose, expand, reshape, gather.

const WHOLE = { kind: "range", begin: null, end: null, step: null };
const ELLIPSIS = { kind: "ellipsis" };
const NEW_AXIS = { kind: "new axis" };
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n];
const INT32 = [-(2n ** 31n), 2n ** 31n - 1n];
const MOST_RUNS = 20000;
const TOO_MANY = "too many pieces to write here; use restride translate.";

const select = (entries) => ({ type: "select", entries });
const isWhole = (entry) => entry.kind === "range" && entry.begin === null &&
  entry.end === null && (entry.step === null || entry.step === 1n);
const takesAxis = ({ kind }) => kind === "index" || kind === "range";
const saturated = (value) => clamp(value, ...INT64);

// ------------------------------------------------------------------ reading a call

/** The one step that the page's operator means on an array of `shape`. */
function meant({ op, params }, shape) {
  if (op === "as_strided") return { type: "strided", ...params };
  if (op === "strided_slice") return select(openedAll(entriesOf(params), shape));
  if (!shape.length) return select([ELLIPSIS]);
  const fills = params.mode === "constant"
    ? shape.map((_, axis) => [fillOf(params, axis, 0), fillOf(params, axis, 1)]) : null;
  return { type: "extend", pairs: params.paddings, mode: params.mode, fills };
}

/** Ranges with their sentinels left open, since no axis reaches so far. */
function openedAll(entries, shape) {
  const spare = shape.length - entries.filter(takesAxis).length;
  let axis = 0;
  return entries.map((entry) => {
    if (entry.kind === "ellipsis") axis += spare;
    if (!takesAxis(entry)) return { kind: entry.kind };
    const n = shape[axis];
    axis += 1;
    return entry.kind === "range" ? opened(entry, n) : entry;
  });
}

function opened({ kind, begin, end, step }, n) {
  const [low, high] = n < INT32[1] ? INT32 : INT64;
  const back = step < 0n;
  if (begin !== null && (back ? begin >= high : begin === 0n || begin <= low)) begin = null;
  if (end !== null && (back ? end <= low : end >= high)) end = null;
  return { kind, begin, end, step: step === 1n ? null : step };
}

/** The three lists and five masks of an index. */
function encoded(entries) {
  const isRange = ({ kind }) => kind === "range";
  const first = (e) => (e.kind === "index" ? e.at : e.begin) ?? 0n;
  const last = (e) => (e.kind === "index" ? e.at + 1n : e.end) ?? 0n;
  return {
    begin: entries.map(first),
    end: entries.map(last),
    strides: entries.map((e) => e.step ?? 1n),
    begin_mask: bits(entries.map((e) => isRange(e) && e.begin === null)),
    end_mask: bits(entries.map((e) => isRange(e) && e.end === null)),
    ellipsis_mask: bits(entries.map(({ kind }) => kind === "ellipsis")),
    new_axis_mask: bits(entries.map(({ kind }) => kind === "new axis")),
    shrink_axis_mask: bits(entries.map(({ kind }) => kind === "index")),
  };
}

/** Shape after a step. */
function resultShape(step, shape) {
  switch (step.type) {
    case "select": return stridedSlice(encoded(step.entries), shape).shape;
    case "extend": return pad({ paddings: step.pairs, mode: step.mode,
      constant_values: step.fills ?? [] }, shape).shape;
    case "strided": return step.size;
    case "transpose": return step.order.map((axis) => shape[axis]);
    case "expand": return step.shape;
    case "reshape": return same(step.shape, [-1n]) ? [product(shape)] : step.shape;
    default: return [...shape.slice(0, step.axis), ...tableShape(step.table),
      ...shape.slice(step.axis + 1)];
  }
}

// ---------------------------------------------------------------------------- pads

const grownPairs = (pad) => pad.pairs.map((pair) => pair.map((side) => most(side, 0n)));

/** Negative sides as a slice after the positive ones, which is what they mean. */
function cropped(pad) {
  const grown = { ...pad, pairs: grownPairs(pad) };
  const taken = pad.pairs.map(([before, after]) => ({ kind: "range", step: null,
    begin: before < 0n ? -before : null, end: after < 0n ? after : null }));
  const steps = [];
  if (grown.pairs.flat().some((side) => side !== 0n)) steps.push(grown);
  if (!taken.every(isWhole)) steps.push(select(taken));
  return steps.length ? steps : [select([ELLIPSIS])];
}

/** True where cropping first gives the same as cropping last. */
function isCropSeparate({ pairs, mode }, shape) {
  if (!pairs.flat().some((side) => side < 0n)) return true;
  return pairs.every(([before, after], axis) => (
    least(before, after, before + after) >= -shape[axis] &&
    (mode === "constant" || before * after >= 0n)));
}

const sameFill = (a, b) => a.kind === b.kind && a.text === b.text;
const ZERO = { kind: "int", text: "0" };

/** Pads with one constant each; the later axis still wins where two meet. */
function oneFillEach(pad) {
  const filled = (pairs, fill) => ({ type: "extend", pairs, mode: "constant",
    fills: pairs.map(() => [fill, fill]) });
  const done = [];
  pad.pairs.forEach((pair, axis) => {
    const fills = pad.fills ? pad.fills[axis] : [ZERO, ZERO];
    for (const [sides, fill] of byFill(pair, fills)) {
      const pairs = pad.pairs.map((_, k) => (k === axis ? sides : [0n, 0n]));
      const last = done.at(-1);
      if (last && sameFill(last.fills[0][0], fill)) {
        const joined = last.pairs.map(([b, a], k) => [b + pairs[k][0], a + pairs[k][1]]);
        done[done.length - 1] = filled(joined, fill);
      } else done.push(filled(pairs, fill));
    }
  });
  return done.length ? done : [filled(pad.pairs, ZERO)];
}

/** The sides of one axis that grow, by their constants. */
function byFill(pair, fills) {
  const [before, after] = pair.map((side) => most(side, 0n));
  if (before && after && sameFill(...fills)) return [[[before, after], fills[0]]];
  const sides = [[[before, 0n], fills[0]], [[0n, after], fills[1]]];
  return sides.filter(([side]) => side.some((n) => n !== 0n));
}

const hasOneFill = (pad) => oneFillEach(pad).length === 1;
const FLOAT_ZERO = { kind: "float", text: "0.0" };
const isZero = (fill) => sameFill(fill, ZERO) || sameFill(fill, FLOAT_ZERO);

function singleFill(pad) {
  const fill = oneFillEach(pad)[0].fills[0]?.[0] ?? ZERO;
  return fill.kind === "none" ? ZERO : fill;
}

/** A pad in any mode but constant as a table of positions per axis. */
function gathered(pad, shape) {
  const steps = [];
  shape.forEach((n, axis) => {
    const [before, after] = pad.pairs[axis];
    if (before || after) {
      const runs = windowRuns(n, before, after, pad.mode);
      steps.push({ type: "gather", axis, table: { runs } });
    }
  });
  return steps.length ? steps : [select([ELLIPSIS])];
}

/** A wide mirror or wrap as several narrow ones, none wider than its axis allows. */
function staged(pad, shape) {
  if (pad.mode === "edge") return [pad];
  const perAxis = shape.map((n, axis) => stages(n, ...pad.pairs[axis], pad.mode));
  const rounds = Math.max(0, ...perAxis.map((s) => s.length));
  return Array.from({ length: rounds }, (_, k) => ({ ...pad,
    pairs: perAxis.map((s) => s[k] ?? [0n, 0n]) }));
}

function stages(n, before, after, mode) {
  if (n === 0n && (before || after)) windowRuns(n, before, after, mode); // refuses
  const unit = mode === "reflect" ? n - 1n : n;
  const made = [];
  let length = n;
  while (before || after) {
    if (made.length > MOST_RUNS) refuse("UnsupportedError", TOO_MANY);
    const limit = mode === "reflect" ? length - 1n : length;
    const side = (wanted) => (wanted <= limit ? wanted : (limit / unit) * unit);
    let sides = [side(before), side(after)];
    if (mode === "wrap" && most(before, after) > limit) {
      // The next stage reads across both ends: they must be whole periods apart.
      sides = [before, after].map((wanted) => (least(wanted, limit) / unit) * unit);
    }
    made.push(sides);
    before -= sides[0];
    after -= sides[1];
    length += sum(sides);
  }
  return made;
}

/** Axes of extent 1 apart: a mirror of one element only repeats it. */
function stagedBySingle(pad, shape) {
  if (pad.mode !== "reflect" || !shape.includes(1n)) return staged(pad, shape);
  const none = [0n, 0n];
  const where = (wanted) => pad.pairs.map((pair, k) => (wanted(shape[k]) ? pair : none));
  const single = { ...pad, pairs: where((n) => n === 1n), mode: "edge", fills: null };
  const parts = [single, { ...pad, pairs: where((n) => n !== 1n) }];
  return parts.filter(({ pairs }) => pairs.flat().some((side) => side !== 0n))
    .flatMap((part) => staged(part, shape));
}

// ------------------------------------------------------------------- straight runs

/** The window of an axis' extension as straight runs [begin, step, count]. */
function windowRuns(n, before, after, mode) {
  const low = -before;
  const high = n + after;
  if (low === high) return [];
  if (n === 0n) {
    refuse("ShapeError", `mode '${mode}' has no element to repeat on an extent of 0; ` +
      "use mode 'constant' or pad by 0.");
  }
  if (mode === "edge" || n === 1n) return longestRuns(edgeRuns(low, high, n));
  const period = { wrap: n, symmetric: 2n * n, reflect: 2n * (n - 1n) }[mode];
  if ((high - low) / period > BigInt(MOST_RUNS)) {
    refuse("UnsupportedError", TOO_MANY);
  }
  const turns = { wrap: [[0n, 1n, n]], symmetric: [[0n, 1n, n], [n - 1n, -1n, n]],
    reflect: [[0n, 1n, n - 1n], [n - 1n, -1n, n - 1n]] }[mode];
  const runs = [];
  for (let at = low - modulo(low, period); at < high;) {
    for (const [begin, step, count] of turns) {
      const first = most(at, low);
      const last = least(at + count, high);
      if (first < last) runs.push([begin + (first - at) * step, step, last - first]);
      at += count;
    }
  }
  return longestRuns(runs);
}

function edgeRuns(low, high, n) {
  const inside = most(0n, least(high, n) - most(low, 0n));
  const left = most(0n, least(high, 0n) - low);
  const right = most(0n, high - most(low, n));
  return [[0n, 0n, left], [most(low, 0n), 1n, inside], [n - 1n, 0n, right]];
}

/** The same positions as the longest straight runs, taken from the left. */
function longestRuns(runs) {
  const made = [];
  for (const [begin, step, count] of runs) {
    if (count === 0n) continue;
    const last = made.at(-1);
    const stride = last && (last[2] > 1n ? last[1] : begin - last[0]);
    if (!last || last[0] + last[2] * stride !== begin) {
      made.push([begin, count > 1n ? step : 0n, count]);
      continue;
    }
    const taken = count === 1n || step === stride ? count : 1n;
    made[made.length - 1] = [last[0], stride, last[2] + taken];
    const rest = count - taken;
    if (rest) made.push([begin + taken * step, rest > 1n ? step : 0n, rest]);
  }
  return made;
}

// ------------------------------------------------------------------------- strides

/** A select or an extend as strides over the flat source, where it is one. */
function flatStrides(step, shape) {
  const rows = rowMajor(shape);
  const size = resultShape(step, shape);
  const still = { type: "strided", size, stride: size.map(() => 0n), offset: 0n };
  if (size.includes(0n)) return still;
  if (step.type === "extend") return flatPad(step, shape, rows, size);
  let offset = 0n;
  const stride = [];
  for (const { kind, axis, take } of resolveSlice(encoded(step.entries), shape)) {
    if (kind === "index") offset += take * rows[axis];
    else if (take === null) stride.push(0n);
    else {
      offset += take[0] * rows[axis];
      stride.push(take[2] > 1n ? take[1] * rows[axis] : 0n);
    }
  }
  return { type: "strided", size, stride, offset };
}

function flatPad({ pairs, mode }, shape, rows, size) {
  let offset = 0n;
  const stride = [];
  for (const [axis, n] of shape.entries()) {
    const [before, after] = pairs[axis];
    const isConstant = mode === "constant";
    if (isConstant && (before > 0n || after > 0n || -before > n || -after > n)) return null;
    const runs = isConstant ? [[-before, size[axis] > 1n ? 1n : 0n, size[axis]]]
      : windowRuns(n, before, after, mode);
    if (runs.length > 1) return null;
    offset += runs[0][0] * rows[axis];
    stride.push(runs[0][1] * rows[axis]);
  }
  return { type: "strided", size, stride, offset };
}

/** Strides over a flat reading as walks of single axes, or null where one carries. */
function digits(shape, size, stride, offset) {
  const rows = rowMajor(shape);
  const start = shape.map((n, axis) => modulo(offset / rows[axis], n));
  const low = [...start];
  const high = [...start];
  const walks = [];
  for (const [r, n] of size.entries()) {
    const s = stride[r];
    const axis = n === 1n || s === 0n ? -1
      : shape.findIndex((extent, k) => extent > 1n && rows[k] <= absolute(s));
    if (axis < 0) {
      walks.push({ source: null, step: 0n, count: n });
      continue;
    }
    if (s % rows[axis] !== 0n) return null;
    const step = s / rows[axis];
    walks.push({ source: axis, step, count: n });
    high[axis] += most(0n, step * (n - 1n));
    low[axis] += least(0n, step * (n - 1n));
  }
  const fits = low.every((k) => k >= 0n) && high.every((k, axis) => k < shape[axis]);
  return fits ? { walks, start } : null;
}

/** Strides as a slice, a transpose and repeats, where they walk axis by axis. */
function asSelection({ size, stride, offset }, shape) {
  if (size.includes(0n)) return null;
  const found = digits(shape, size, stride, offset);
  if (!found) return null;
  const { walks, start } = found;
  const walked = walks.map(({ source }) => source).filter((source) => source !== null);
  if (new Set(walked).size !== walked.length) return null;
  const ranges = start.map((begin, axis) => {
    const walk = walks.find(({ source }) => source === axis);
    if (!walk) return { kind: "index", at: begin };
    return asRange(begin, walk.step, walk.count, shape[axis]);
  });
  const sorted = [...walked].sort((a, b) => a - b);
  const steps = [];
  if (same(walked, sorted)) steps.push(select(inOrder(walks, ranges)));
  else {
    if (!ranges.every(isWhole)) steps.push(select(ranges));
    const order = walked.map((source) => sorted.indexOf(source));
    steps.push({ type: "transpose", order });
    if (walked.length !== walks.length) {
      steps.push(select(walks.map(({ source }) => (source === null ? NEW_AXIS : WHOLE))));
    }
  }
  if (walks.some(({ source, count }) => source === null && count !== 1n)) {
    steps.push({ type: "expand", shape: size });
  }
  return steps;
}

/** The ranges of source axes, with new axes where the result has them. */
function inOrder(walks, ranges) {
  const made = [];
  let axis = 0;
  for (const { source } of walks) {
    if (source === null) {
      made.push(NEW_AXIS);
      continue;
    }
    while (axis <= source) {
      made.push(ranges[axis]);
      axis += 1;
    }
  }
  return [...made, ...ranges.slice(axis)];
}

/** A resolved range as a slice; an end before 0, which would wrap, stays open. */
function asRange(begin, step, count, n) {
  const last = begin + step * (count - 1n);
  const end = last + (step > 0n ? 1n : -1n);
  const isOpen = end < 0n || (step > 0n && last + step >= n);
  return { kind: "range", begin: begin === (step > 0n ? 0n : n - 1n) ? null : begin,
    end: isOpen ? null : end, step: step === 1n ? null : step };
}

/** Strides as a table of positions over the flat input, for any shape. */
function onFlat({ size, stride, offset }) {
  return [{ type: "reshape", shape: [-1n] },
    { type: "gather", axis: 0, table: { grid: { size, stride, offset } } }];
}
