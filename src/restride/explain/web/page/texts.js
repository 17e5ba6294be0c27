// Calls as code of their language, with the arrays x in and y out.

const SHORT_TABLE = 32n;
const MOST_TABLE = 2n ** 20n;
const MOST_LETTERS = 100000;

// -------------------------------------------------------------- tables of positions

function tableShape({ runs, grid }) {
  return runs ? [sum(runs.map((run) => run[2]))] : grid.size;
}

/** The positions as nested lists. */
function tableValues(table) {
  const total = product(tableShape(table));
  if (total > MOST_TABLE) {
    refuse("UnsupportedError", `a table of ${total} positions; at most ${MOST_TABLE} are ` +
      "written out. Slice or pad less at once.");
  }
  if (table.runs) {
    return table.runs.flatMap(
      ([begin, step, count]) => range(count).map((k) => begin + k * step),
    );
  }
  const { size, stride, offset } = table.grid;
  const nested = (axis, at) => (axis === size.length ? at
    : range(size[axis]).map((k) => nested(axis + 1, at + k * stride[axis])));
  return nested(0, offset);
}

function listed(values) {
  return Array.isArray(values) ? `[${values.map(listed).join(", ")}]` : String(values);
}

/** An expression that makes the table: a list where short, NumPy code where long. */
function tableCode(table) {
  const shape = tableShape(table);
  if (shape.includes(0n)) return `np.zeros(${listed(shape)}, np.int64)`;
  if (product(shape) <= SHORT_TABLE) return listed(tableValues(table));
  if (table.runs) {
    const parts = table.runs.map(arange);
    return parts.length === 1 ? parts[0] : `np.concatenate([${parts.join(", ")}])`;
  }
  const { size, stride, offset } = table.grid;
  const terms = size.map((n, axis) => {
    const tail = ", None".repeat(size.length - axis - 1);
    return `np.arange(${n})${tail ? `[:${tail}]` : ""} * ${stride[axis]}`;
  });
  return [...(offset ? [String(offset)] : []), ...terms].join(" + ");
}

function arange([begin, step, count]) {
  if (step === 0n) return `np.full(${count}, ${begin})`;
  const end = begin + step * count;
  if (step !== 1n) return `np.arange(${begin}, ${end}, ${step})`;
  return begin ? `np.arange(${begin}, ${end})` : `np.arange(${end})`;
}

// -------------------------------------------------------------------- values as code

/** A constant as Python code. */
function fillCode({ kind, text }) {
  if (kind === "none") return "None";
  if (kind === "other") {
    refuse("UnsupportedError", "this constant has no literal; use a Python number.");
  }
  return kind === "float" && /^-?(inf|nan)$/.test(text) ? `float('${text}')` : text;
}

/** A value as Python code. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value === true) return "True";
  if (typeof value === "string") return `'${value}'`;
  if (typeof value === "object") return value.kind ? fillCode(value) : tableCode(value);
  return String(value);
}

function named(params) {
  return Object.entries(params).map(([name, value]) => `${name}=${literal(value)}`);
}

function masksOf(params) {
  return MASKS.filter((mask) => mask in params).map((mask) => `${mask}=${params[mask]}`);
}

/** function(x, a, b=...): the first `places` by place, the rest by name. */
function called(name, { at, params }, ...places) {
  const first = places.filter((p) => p in params).map((p) => literal(params[p]));
  const rest = Object.entries(params).filter(([key]) => !places.includes(key));
  const given = [at, ...first, ...named(Object.fromEntries(rest))];
  return `y = ${name}(${given.join(", ")})`;
}

// ------------------------------------------------------------------------- languages

const NUMPY_LINES = {
  getitem: ({ at, params }) => `y = ${at}${params.index}`,
  pad: (c) => called("np.pad", c, "pad_width"),
  as_strided: ({ at, params: { shape, strides } }) => (
    `y = np.lib.stride_tricks.as_strided(${at}, ${literal(shape)}, ` +
    `[s * ${at}.itemsize for s in ${literal(strides)}])`),
  flat({ at, params: { offset } }) {
    return `y = ${at}.reshape(-1)${offset ? `[${offset}:]` : ""}`;
  },
  ascontiguousarray: (c) => called("np.ascontiguousarray", c),
  take: (c) => called("np.take", c, "indices"),
};

function method(name, key) {
  return ({ at, params }) => `y = ${at}.${name}(${literal(params[key])})`;
}

function torchTable({ at, params }) {
  return `torch.tensor(${literal(params.index)}, device=${at}.device)`;
}

const TORCH_LINES = {
  getitem: NUMPY_LINES.getitem,
  pad: (c) => called("torch.nn.functional.pad", c, "pad"),
  as_strided: (c) => called("torch.as_strided", c, "size", "stride", "storage_offset"),
  flip: ({ at, params: { dims } }) => `y = torch.flip(${at}, (${dims.join(", ")},))`,
  index_select: (c) => `y = torch.index_select(${c.at}, ${c.params.dim}, ${torchTable(c)})`,
  take: (c) => `y = torch.take(${c.at}, ${torchTable(c)})`,
  contiguous: ({ at }) => `y = ${at}.contiguous()`,
  permute: method("permute", "dims"),
  expand: method("expand", "size"),
  reshape: method("reshape", "shape"),
};

/** The three lists; as int64 where int32 does not hold them. */
function tensorflowLists(params) {
  const wide = LISTS.some((list) => params[list].some((v) => v < INT32[0] || v > INT32[1]));
  const kind = wide || !params.begin.length ? ", tf.int64" : "";
  return LISTS.map((list) => {
    const shown = literal(params[list]);
    return `${list}=${kind ? `tf.constant(${shown}${kind})` : shown}`;
  });
}

const TENSORFLOW_LINES = {
  strided_slice: ({ at, params }) => "y = tf.strided_slice(" +
    `${[at, ...tensorflowLists(params), ...masksOf(params)].join(", ")})`,
  pad: (c) => called("tf.pad", c, "paddings", "mode"),
  gather: (c) => called("tf.gather", c, "indices"),
  transpose: (c) => called("tf.transpose", c, "perm"),
  broadcast_to: (c) => called("tf.broadcast_to", c, "shape"),
  reshape: (c) => called("tf.reshape", c, "shape"),
};

function cannLine(c) {
  const fill = c.params.constant_values;
  if (!fill) return called(`cann.${c.op}`, c);
  const given = Object.entries(c.params).map(([name, value]) => {
    const shown = literal(value);
    const isFill = name === "constant_values";
    return `${name}=${isFill ? `np.array(${shown}, ${c.at}.dtype)` : shown}`;
  });
  return `y = cann.${c.op}(${[c.at, ...given].join(", ")})`;
}

/** The aclnn doors write into an `out` made before. */
function aclnnLine({ op, at, params }) {
  const door = (shape, given) => `out = np.empty(${shape}, ${at}.dtype)\n` +
    `y = cann.${op}(${[at, ...given, "out"].join(", ")})`;
  if (op === "aclnn_strided_slice") {
    const lists = LISTS.map((list) => literal(params[list]));
    const inferred = [at, ...lists, ...masksOf(params)].join(", ");
    const masks = MASKS.map((mask) => String(params[mask] ?? 0n));
    return door(`cann.infer_shape_strided_slice(${inferred})`, [...lists, ...masks]);
  }
  const pads = params.pad ?? params.padding;
  const sums = [];
  for (let k = 0; k < pads.length; k += 2) sums.unshift(pads[k] + pads[k + 1]);
  const grown = sums.map((n, k) => `${at}.shape[${k - sums.length}] + ${n}`).join(", ");
  const shape = sums.length ? `(*${at}.shape[:-${sums.length}], ${grown})` : `${at}.shape`;
  return door(shape, Object.values(params).map(literal));
}

const LANGUAGES = {
  restride: {
    imports: "import restride as rs",
    lines: {
      slice: ({ at, params }) => `y = rs.slice(${at}, "${params.index.slice(1, -1)}")`,
      pad: (c) => called("rs.pad", c),
      as_strided: (c) => called("rs.as_strided", c),
    },
  },
  numpy: { imports: "", lines: NUMPY_LINES },
  tensorflow: { imports: "import tensorflow as tf", lines: TENSORFLOW_LINES },
  pytorch: { imports: "import torch", lines: TORCH_LINES },
  atb: {
    imports: "from restride.dialects import atb",
    lines: { AsStridedParam: ({ at, params }) => "y = atb.Operation(atb.AsStridedParam(" +
      `${named(params).join(", ")})).forward([${at}])[0]` },
  },
  cann: {
    imports: "from restride.dialects import cann",
    lines: { strided_slice: cannLine, pad_v3: cannLine },
  },
  aclnn: { imports: "from restride.dialects import cann", line: aclnnLine },
};

function textOf({ dialect, calls }, dtype) {
  if (dialect === "onnx") return onnxText(calls, dtype);
  const { imports, lines, line } = LANGUAGES[dialect];
  const made = calls.map((c) => (line ?? lines[c.op])(c));
  const head = imports ? [imports] : [];
  if (made.some((text) => text.includes("np."))) head.push("import numpy as np");
  return [...head, ...(head.length ? [""] : []), ...made].join("\n");
}

/** Refuse numbers that no dialect is given. */
function checkBits(params) {
  for (const [name, value] of Object.entries(params)) {
    const lengths = [value].flat(2).filter((v) => typeof v === "bigint").map(bitLength);
    const length = lengths.find((n) => n > MOST_BITS);
    if (length) {
      refuse("SpecError", `${name} holds an integer of ${length} bits; no array is so ` +
        `large, and at most ${MOST_BITS} bits are read.`);
    }
  }
}

/** The calls of steps in a row, in a dialect: {text, notes}, or why it is refused. */
function written(dialect, steps, shape, dtype) {
  try {
    steps.forEach(({ params }) => checkBits(params));
    const draft = new Draft(dialect, shape);
    let before = shape;
    for (const step of steps) {
      const said = meant(step, before);
      draft.say(said);
      before = resultShape(said, before);
    }
    if (draft.bound) draft.note(`the calls hold for inputs of shape ${tuple(shape)} only.`);
    const text = textOf(draft, dtype);
    if (text.length > MOST_LETTERS) {
      refuse("UnsupportedError", `${text.length} letters, too many for a page; use ` +
        "restride translate.");
    }
    return { text, notes: draft.notes };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { text: null, notes: [], refused: error.message };
  }
}
