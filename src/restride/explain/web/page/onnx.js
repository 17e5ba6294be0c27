// ONNX's words at its newest opset: Slice, Squeeze, Unsqueeze, Pad, Gather and others.

const INT_MAX = [2n ** 31n - 1n, 2n ** 63n - 1n];
const ONNX_TYPES = { float32: "float", float64: "double" };
for (const name of ["float16", "bfloat16", "bool", "int8", "int16", "int32", "int64",
  "uint8", "uint16", "uint32", "uint64"]) ONNX_TYPES[name] = name;

/** Inputs after the first that are numbers, in ONNX's order. */
const NUMBERS = {
  Slice: ["starts", "ends", "axes", "steps"], Pad: ["pads"], Squeeze: ["axes"],
  Unsqueeze: ["axes"], Reshape: ["shape"], Expand: ["shape"], Gather: ["indices"],
};

/** One Slice for all ranges and indices, then Squeeze, then Unsqueeze. */
function onnxSelect(d, step) {
  const entries = placed(step.entries, d.shape.length);
  const used = entries.filter(takesAxis);
  const ranges = [...used.entries()].filter(([, e]) => !isWhole(e))
    .map(([axis, e]) => [axis, fromInside(d, axis, onnxBounds(e))]);
  const dropped = [...used.keys()].filter((axis) => used[axis].kind === "index");
  const kept = entries.filter(({ kind }) => kind !== "index");
  const added = [...kept.keys()].filter((k) => kept[k].kind === "new axis");
  const before = d.calls.length;
  if (ranges.length) d.call(null, "Slice", sliceWords(ranges));
  if (dropped.length) d.call(null, "Squeeze", { axes: dropped });
  if (added.length) d.call(null, "Unsqueeze", { axes: added });
  if (d.calls.length === before) d.call(null, "Identity");
  d.shape = resultShape(step, d.shape);
}

function sliceWords(ranges) {
  const column = (k) => ranges.map(([, given]) => given[k]);
  const words = { starts: column(0), ends: column(1), axes: ranges.map(([axis]) => axis) };
  if (column(2).some((step) => step !== 1n)) words.steps = column(2);
  return words;
}

/** The entries with an ellipsis spelled out, or left away at the end. */
function placed(entries, rank) {
  const k = entries.findIndex(({ kind }) => kind === "ellipsis");
  if (k < 0) return entries;
  if (entries.slice(k + 1).every(isWhole)) return entries.slice(0, k);
  const spare = rank - entries.filter(takesAxis).length;
  return [...entries.slice(0, k), ...Array(spare).fill(WHOLE), ...entries.slice(k + 1)];
}

/** Start, end and step as int64; an open end reaches as far as numbers do. */
function onnxBounds(entry) {
  if (entry.kind === "index") {
    const end = entry.at === -1n ? INT64[1] : saturated(entry.at + 1n);
    return [saturated(entry.at), end, 1n];
  }
  const step = clamp(entry.step ?? 1n, -(2n ** 62n), 2n ** 62n);
  const [first, last] = step > 0n ? [0n, INT64[1]] : [INT64[1], INT64[0]];
  const start = entry.begin === null ? first : saturated(entry.begin);
  let end = entry.end === null ? last : saturated(entry.end);
  // ONNX Runtime reads INT_MAX as no end, in backward steps too.
  if (step < 0n && INT_MAX.includes(end)) end -= 1n;
  return [start, end, step];
}

/** ONNX cuts the start of a backward slice to element 0, where others take none. */
function fromInside(d, axis, given) {
  const [start, , step] = given;
  if (step > 0n || start >= -1n || start >= -d.shape[axis]) return given;
  d.bound = true;
  return [0n, 0n, 1n];
}

function onnxOwnPad(d, step) {
  const words = { pads: [...step.pairs.map(([b]) => b), ...step.pairs.map(([, a]) => a)] };
  if (step.mode !== "constant") words.mode = step.mode;
  else if (!isZero(singleFill(step))) words.constant_value = singleFill(step);
  d.call(step, "Pad", words);
}

WRITERS.onnx = {
  select: onnxSelect,
  extend: (d, step) => sayFitted(d, fitted(d, step), onnxOwnPad),
  strided: stridedByTable,
  transpose: plainly("Transpose", ({ order }) => ({ perm: order })),
  expand: plainly("Expand", ({ shape }) => ({ shape })),
  reshape: plainly("Reshape", ({ shape }) => ({ shape })),
  gather: plainly("Gather", ({ table, axis }) => ({ indices: table, axis })),
};

/** The text form that onnx.parser reads: one line per node and constant. */
function onnxText(calls, dtype) {
  const lines = [];
  let at = "x";
  calls.forEach(({ op, params }, k) => {
    const output = k === calls.length - 1 ? "y" : `y_${k + 1}`;
    const inputs = [at];
    const constants = [];
    const attributes = { ...params };
    for (const name of NUMBERS[op] ?? []) {
      if (attributes[name] === undefined) continue;
      constants.push(intConstant(`${output}_${name}`, attributes[name]));
      inputs.push(`${output}_${name}`);
      delete attributes[name];
    }
    if (attributes.constant_value) {
      lines.push(...fillLines(`${output}_value`, attributes.constant_value, at, dtype));
      inputs.push(`${output}_value`);
      delete attributes.constant_value;
    }
    lines.push(...constants, onnxNode(op, attributes, inputs, output));
    at = output;
  });
  return lines.join("\n");
}

function intConstant(name, values) {
  const shape = Array.isArray(values) ? [values.length] : tableShape(values);
  const flat = Array.isArray(values) ? values : tableValues(values).flat(Infinity);
  return onnxConstant(name, "int64", shape, flat);
}

function onnxConstant(name, kind, shape, values) {
  const extents = shape.length ? `[${shape.join(", ")}]` : "";
  return `${name} = Constant <value = ${kind}${extents} {${values.join(", ")}}> ()`;
}

/** The pad's constant: of the array's type, or of the input's type by CastLike. */
function fillLines(name, fill, at, dtype) {
  const kind = { bool: "bool", int: "int64", float: "double" }[fill.kind];
  if (!kind) refuse("RefusedError", `onnx: ${fill.text} is no number of ONNX. `);
  const text = fill.kind === "bool" ? String(Number(fill.text === "True")) : fill.text;
  if (dtype in ONNX_TYPES) return [onnxConstant(name, ONNX_TYPES[dtype], [], [text])];
  return [onnxConstant(`${name}_raw`, kind, [], [text]),
    `${name} = CastLike (${name}_raw, ${at})`];
}

function onnxNode(op, attributes, inputs, output) {
  const shown = ([name, value]) => {
    if (Array.isArray(value)) return `${name} = [${value.join(", ")}]`;
    return `${name} = ${typeof value === "string" ? `"${value}"` : value}`;
  };
  const given = Object.entries(attributes).map(shown);
  const between = given.length ? ` <${given.join(", ")}>` : "";
  return `${output} = ${op}${between} (${inputs.join(", ")})`;
}
