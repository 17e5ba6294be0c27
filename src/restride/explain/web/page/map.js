// Steps known as data only: a map in pieces, and a region write.

/** Position and constant of one axis at k: its pieces are [count, begin, step, fill]. */
function pieceAt(pieces, k) {
  for (const [count, begin, step, fill] of pieces) {
    if (k < count) return fill < 0n ? { position: begin + step * k } : { fill };
    k -= count;
  }
  throw new RangeError("past the last piece");
}

/** restride's own map: per axis its pieces, and the source axis that it walks. */
function indexMap({ source_shape: sources, shape, axes, base, fills, background }) {
  return {
    shape,
    read(index) {
      const at = [...base];
      let fill = background;
      axes.forEach(({ source, pieces }, r) => {
        const found = pieceAt(pieces, index[r]);
        if (found.fill !== undefined) fill = most(fill, found.fill);
        else if (source >= 0n) at[source] += found.position;
      });
      return fill < 0n ? { flat: ravel(at, sources) } : { constant: fills[fill] };
    },
  };
}

/** A region write: cells of the region hold elements of src, the others their own. */
function regionWrite({ starts, steps, counts, src }, shape) {
  return {
    shape,
    read(index) {
      const at = index.map((k, axis) => {
        const reach = k - starts[axis];
        if (steps[axis] === 0n) return reach === 0n ? 0n : null;
        const inside = modulo(reach, steps[axis]) === 0n;
        const number = inside ? reach / steps[axis] : -1n;
        return number >= 0n && number < counts[axis] ? number : null;
      });
      if (at.includes(null)) return { flat: ravel(index, shape) };
      const kept = at.slice(at.length - src.length);
      const flat = ravel(kept.map((k, axis) => (src[axis] === 1n ? 0n : k)), src);
      return { constant: { kind: "src", text: `s${flat}` } };
    },
  };
}

OPERATORS.map = indexMap;
OPERATORS.set_value = regionWrite;
