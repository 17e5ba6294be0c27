// Whether a dtype holds a constant: integers exactly, floats within their range.

/** Least magnitude that rounds to infinity. */
const ENDLESS = {
  float16: 65520, float32: 3.4028235677973366e38, bfloat16: 3.3961775292304957e38,
  float64: Infinity,
};

/** Refuse a constant that the dtype cannot hold; of other dtypes nothing is said. */
function checkFill(fill, dtype) {
  const isWhole = /^(u?int\d+|bool)$/.test(dtype ?? "");
  if (fill.kind === "none" || !(isWhole || dtype in ENDLESS)) return;
  if (isWhole ? holdsExactly(fill, dtype) : holdsNear(fill, ENDLESS[dtype])) return;
  const bits = fill.kind === "int" ? bitLength(BigInt(fill.text)) : 0;
  const shown = bits > MOST_BITS ? `<an int of ${bits} bits>` : fill.text;
  refuse("DTypeError", `constant ${shown} cannot be held by dtype ` +
    `${dtype} ${isWhole ? "exactly" : "within its range"}; give a value it holds.`);
}

/** The number of an int, a bool or a float; null of anything else. */
function numberOf({ kind, text }) {
  if (kind === "int") return Number(text);
  if (kind === "bool") return Number(text === "True");
  if (kind !== "float") return null;
  return { nan: NaN, inf: Infinity, "-inf": -Infinity }[text] ?? Number(text);
}

function holdsExactly(fill, dtype) {
  const value = numberOf(fill);
  const isInt = fill.kind === "int";
  if (value === null || !(isInt || Number.isInteger(value))) return false;
  const whole = isInt ? BigInt(fill.text) : BigInt(value);
  if (dtype === "bool") return whole === 0n || whole === 1n;
  const bits = BigInt(dtype.match(/\d+/)[0]);
  const top = dtype.startsWith("u") ? bits : bits - 1n;
  return whole < 2n ** top && whole >= (dtype.startsWith("u") ? 0n : -(2n ** top));
}

function holdsNear(fill, endless) {
  const value = numberOf(fill);
  if (value === null) return false;
  if (fill.kind === "float" && !Number.isFinite(value)) return true;
  return Math.abs(value) < endless;
}
