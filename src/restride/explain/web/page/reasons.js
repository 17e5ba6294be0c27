// Why a step reads what it reads: each mask bit, each side of an axis, each stride.

const walks = ([begin, step, count]) => {
  if (count === 0n) return "nothing";
  if (count === 1n) return `position ${begin}`;
  const shownOnes = range(count <= 5n ? count : 3n).map((k) => begin + k * step);
  const rest = count <= 5n ? "" : `, … ${begin + step * (count - 1n)} (${count} of them)`;
  return `positions ${shownOnes.join(", ")}${rest}`;
};

/** The index that lists and masks say, as Python writes it. */
function entriesOf(params) {
  return kindsOf(params).map((kind, k) => {
    if (kind !== "range") return { kind, at: params.begin[k] };
    const [begin, end] = boundsOf(params, k);
    return { kind, begin, end, step: params.strides[k] };
  });
}

function indexWord({ kind, at, begin, end, step }) {
  if (kind === "ellipsis") return "...";
  if (kind === "new axis") return "None";
  if (kind === "index") return String(at);
  const tail = step === null || step === 1n ? "" : `:${step}`;
  return `${begin ?? ""}:${end ?? ""}${tail}`;
}

const indexText = (entries) => `[${entries.map(indexWord).join(", ") || "()"}]`;

function wholeAxes(found) {
  if (!found.length) return "no axis: all are named";
  const axes = found.map(({ axis }) => axis).join(", ");
  return `${found.length > 1 ? "axes" : "axis"} ${axes}, whole`;
}

function bitsOf(params, k) {
  const set = MASKS.filter((mask) => bit(params[mask], k));
  return set.length ? set.join(", ") : "no mask";
}

function sliceReasons(params, shape) {
  const found = resolveSlice(params, shape);
  const words = entriesOf(params);
  const rows = words.map((word, k) => {
    const mine = found.filter(({ entry }) => entry === k);
    let takes = wholeAxes(mine);
    if (word.kind === "new axis") takes = "nothing; a new axis of extent 1";
    if (word.kind === "index") {
      takes = `position ${mine[0].take}; axis ${mine[0].axis} goes`;
    }
    if (word.kind === "range") takes = `of axis ${mine[0].axis}: ${walks(mine[0].take)}`;
    return [`entry ${k}`, bitsOf(params, k), indexWord(word), takes];
  });
  const rest = found.filter(({ kind }) => kind === "rest");
  if (rest.length) rows.push(["the rest", "", "", wholeAxes(rest)]);
  return { head: ["", "bits set", `x${indexText(words)}`, "takes"], rows };
}

function padReasons({ paddings, mode }, shape) {
  const rows = shape.map((n, axis) => {
    const [before, after] = paddings[axis];
    const low = -before;
    const high = n + after;
    const reads = mode === "constant" ? "the constant" : `mode ${mode}`;
    const isInside = low >= 0n && high <= n;
    const out = isInside ? "only what is inside" : `${reads} outside 0..${n - 1n}`;
    return [`axis ${axis}`, `${low} to ${high - 1n}`, `${high - low}`, out];
  });
  return { head: ["", "window", "extent", "stands there"], rows };
}

function stridedReasons(params, shape) {
  const [low, high] = spanOf(params);
  const rows = params.size.map((n, r) => [`axis ${r}`, String(n), String(params.stride[r]),
    n ? `moves by 0 to ${(n - 1n) * params.stride[r]}` : "empty"]);
  rows.push(["in all", "", "", params.size.includes(0n) ? "nothing is read"
    : `elements ${low} to ${high} of 0 to ${product(shape) - 1n}`]);
  return { head: ["", "size", "stride", "reads"], rows };
}

const REASONS = {
  strided_slice: sliceReasons,
  pad: padReasons,
  as_strided: stridedReasons,
};

/** A table of reasons for a step that is not refused, or null. */
function reasonsFor(step, shape) {
  const tell = REASONS[step.op];
  if (!tell) return null;
  const { head, rows } = tell(step.params, shape);
  const cells = (name, words) => words.map((text) => element(name, { text }));
  return element("table", { class: "rs-reasons" },
    element("thead", {}, element("tr", {}, ...cells("th", head))),
    element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {},
      element("th", { scope: "row", text: first }), ...cells("td", rest)))));
}
