// Pad: a window of each axis' endless extension, in five modes.

const MODES = ["constant", "edge", "reflect", "symmetric", "wrap"];
const MAX_PIECES = 1000000n;

/** Source position at k on the extension of an axis of extent n, or null: constant. */
function extended(k, n, mode) {
  if (k >= 0n && k < n) return k;
  if (mode === "constant") return null;
  if (mode === "edge" || n === 1n) return clamp(k, 0n, n - 1n);
  if (mode === "wrap") return modulo(k, n);
  const period = mode === "reflect" ? 2n * (n - 1n) : 2n * n;
  const at = modulo(k, period);
  if (at < n) return at;
  return mode === "reflect" ? period - at : period - 1n - at;
}

/** Refuse a window of the extension that is not there, or that would cost too much. */
function checkWindow(n, before, after, mode, axis) {
  const extent = n + after + before;
  const name = `pad: axis ${axis}: `;
  if (extent < 0n) {
    refuse("ShapeError", `${name}(${before}, ${after}) on an extent of ${n} gives ` +
      `${extent}; the two may take away at most ${n} together.`);
  }
  if (mode === "constant" || extent === 0n) return extent;
  if (n === 0n) {
    refuse("ShapeError", `${name}mode '${mode}' has no element to repeat on an extent ` +
      "of 0; use mode 'constant' or pad by 0.");
  }
  if (mode === "edge" || n === 1n) return extent;
  const turns = mode === "wrap" ? 1n : 2n;
  const period = mode === "reflect" ? 2n * (n - 1n) : n * turns;
  if ((extent / period) * turns > MAX_PIECES) {
    refuse("UnsupportedError", `${extent} positions repeat ${period} elements more ` +
      `than ${MAX_PIECES} times over; pad in two steps, or tile the result.`);
  }
  return extent;
}

function checkPaddings(paddings, rank) {
  paddings.forEach((pair, k) => sizedAll(pair, `paddings[${k}]`));
  if (paddings.length === rank) return;
  refuse("ShapeError", `pad: paddings has ${paddings.length} rows of 2; for ${rank} ` +
    `${rank === 1 ? "axis" : "axes"} give one int, one pair (before, after), a table ` +
    `[${rank}, 2] or ${2 * rank} values (before, after per axis).`);
}

/** The constant on a side of an axis: {value, kind}, as the page holds them. */
function fillOf(params, axis, side) {
  const pair = params.constant_values[axis] ?? params.constant_values[0];
  return pair ? pair[side] : { kind: "int", text: "0" };
}

/** Refuse constants that stand somewhere and that the dtype cannot hold. */
function checkFills(params, shape, extents, dtype) {
  if (params.mode !== "constant" || extents.includes(0n)) return;
  shape.forEach((n, axis) => {
    const low = -params.paddings[axis][0];
    const high = low + extents[axis];
    if (least(high, 0n) > low) checkFill(fillOf(params, axis, 0), dtype);
    if (high > most(low, n)) checkFill(fillOf(params, axis, 1), dtype);
  });
}

/** The shape of the result, and the source element or constant of each index of it. */
function pad(params, shape, dtype = null) {
  const { paddings, mode } = params;
  checkPaddings(paddings, shape.length);
  const extents = shape.map((n, axis) => checkWindow(n, ...paddings[axis], mode, axis));
  checkSize(extents, "pad");
  checkFills(params, shape, extents, dtype);
  return {
    shape: extents,
    joints: shape.map((n, axis) => [paddings[axis][0], paddings[axis][0] + n]),
    read(index) {
      let constant = null;
      const at = index.map((k, axis) => {
        const place = k - paddings[axis][0];
        const position = extended(place, shape[axis], mode);
        if (position === null) constant = fillOf(params, axis, place < 0n ? 0 : 1);
        return position;
      });
      // The later axis was looked at last, so its constant stands where two meet.
      return constant === null ? { flat: ravel(at, shape) } : { constant };
    },
  };
}
