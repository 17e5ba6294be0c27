// A call while it is written: what each dialect can say, and what stands so far.

/** Pad modes by their word there, widest pads counted from the extent, and limits. */
const ABILITIES = {
  restride: { modes: modesOf(MODES), crop: "last", manyFills: true },
  numpy: { modes: modesOf(MODES), crop: "no", manyFills: true },
  tensorflow: {
    modes: { constant: "CONSTANT", reflect: "REFLECT", symmetric: "SYMMETRIC" },
    widths: { reflect: -1n, symmetric: 0n }, crop: "no", padRank: 8,
    padRankOf: { reflect: 5, symmetric: 5 }, sliceRank: 8, entries: 31,
  },
  pytorch: {
    modes: { ...modesOf(["constant", "reflect"]), edge: "replicate", wrap: "circular" },
    widths: { reflect: -1n, wrap: 0n }, crop: "first",
    cropModes: { reflect: "no", edge: "no" },
  },
  onnx: {
    modes: modesOf(["constant", "edge", "reflect", "wrap"]),
    widths: { reflect: -1n }, crop: "first",
  },
  atb: { modes: {}, crop: "no", padRank: 8, sliceRank: 8 },
  cann: {
    modes: { ...modesOf(["constant", "edge"]), reflect: "REFLECT", symmetric: "SYMMETRIC",
      wrap: "circular" },
    widths: { reflect: -1n, symmetric: 0n, wrap: 0n }, crop: "last",
    padRank: 8, sliceRank: 8, entries: 63,
  },
  aclnn: {
    modes: { constant: "aclnn_constant_pad_nd", edge: "aclnn_replication_pad",
      reflect: "aclnn_reflection_pad" },
    widths: { reflect: -1n }, crop: "last", padRank: 8, sliceRank: 8, entries: 63,
  },
};

function modesOf(names) {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Dialects as a reader knows them, in the order that is offered. */
const DIALECTS = {
  restride: "restride",
  numpy: "NumPy",
  tensorflow: "TensorFlow",
  pytorch: "PyTorch",
  onnx: "ONNX",
  atb: "Ascend ATB",
  cann: "Ascend CANN",
  aclnn: "Ascend aclnn",
};

class Draft {
  constructor(dialect, shape) {
    this.dialect = dialect;
    this.can = { padRank: 64, padRankOf: {}, sliceRank: 64, entries: 129, widths: {},
      cropModes: {}, manyFills: false, ...ABILITIES[dialect] };
    this.shape = shape;
    this.calls = [];
    this.notes = [];
    this.bound = false;
  }

  /** Say one step in the dialect's words. */
  say(step) {
    const write = WRITERS[this.dialect][step.type];
    if (!write) this.refuse(`has no word for this ${step.type}.`, "Use restride itself.");
    write(this, step);
  }

  sayAll(steps) {
    steps.forEach((step) => this.say(step));
  }

  /** Add a call; `step`, once it is said whole, moves the shape on. */
  call(step, op, params = {}) {
    this.calls.push({ op, params, at: this.calls.length ? "y" : "x" });
    if (step) this.shape = resultShape(step, this.shape);
  }

  note(text) {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  refuse(reason, instead) {
    refuse("RefusedError", `${this.dialect}: ${reason} ${instead}`);
  }
}

// ------------------------------------------------------------- a pad, call by call

const rankOf = (d, mode) => d.can.padRankOf[mode] ?? d.can.padRank;

/** Steps of which each extend is one call of the target, and none is too wide. */
function fitted(d, pad, byStages = false) {
  const several = pad.mode === "constant" && !(d.can.manyFills || hasOneFill(pad));
  const steps = several || !hasCrop(d, pad) ? cropped(pad) : [pad];
  return steps.flatMap((step) => fittedOne(d, step, byStages));
}

function fittedOne(d, step, byStages) {
  if (step.type !== "extend") return [step];
  if (step.mode === "constant") {
    return d.can.manyFills || hasOneFill(step) ? [step] : oneFillEach(step);
  }
  const isOdd = !(step.mode in d.can.modes) || step.pairs.length > rankOf(d, step.mode);
  return isOdd || isWide(d, step) ? tabled(d, step, byStages) : [step];
}

/** True where the target takes the negative sides of a pad as they are meant. */
function hasCrop(d, pad) {
  if (!pad.pairs.flat().some((side) => side < 0n)) return true;
  const crop = d.can.cropModes[pad.mode] ?? d.can.crop;
  if (crop === "no") return false;
  if (crop === "last") {
    return !pad.pairs.some(([b, a], axis) => least(b, a, b + a) < -d.shape[axis]);
  }
  return pad.mode === "constant" && isCropSeparate(pad, d.shape);
}

function isWide(d, pad) {
  const past = d.can.widths[pad.mode];
  if (past === undefined) return false;
  return pad.pairs.some((pair, axis) => most(...pair) > most(d.shape[axis] + past, 0n));
}

/** A pad that the target does not have, by tables or by stages. */
function tabled(d, pad, byStages) {
  d.bound = true;
  if (!byStages) return gathered(pad, d.shape);
  // Each stage mirrors at the ends of the one before it: crop only at the last.
  const [grown, ...rest] = cropped(pad);
  return [...(grown.type === "extend" ? stagedBySingle(grown, d.shape) : [grown]), ...rest];
}

/** Lists and masks in numbers that an int64 holds; masks of 0 are left out. */
function maskedWords(d, entries) {
  if (entries.length > d.can.entries) {
    d.refuse(`${entries.length} index entries; its masks have ${d.can.entries} bits.`,
      "Slice in two steps.");
  }
  const found = encoded(entries);
  const words = {
    begin: found.begin.map(saturated),
    end: found.end.map(saturated),
    strides: found.strides.map((s) => clamp(saturated(s), -(2n ** 62n), 2n ** 62n)),
  };
  for (const mask of MASKS) if (found[mask]) words[mask] = found[mask];
  return words;
}

/** Say each part of a fitted pad: extends by `own`, the rest by its own word. */
function sayFitted(d, parts, own) {
  for (const part of parts) {
    if (part.type === "extend") own(d, part);
    else d.say(part);
  }
}
