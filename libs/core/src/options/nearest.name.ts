/** The name that was probably meant; undefined when none is near. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const wanted = folded(text);
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = distanceBetween(wanted, folded(name));
    if (nearest === undefined || distance < nearest.distance) nearest = { name, distance };
  }
  // A third of the letters may be wrong, but of a short name not all.
  const allowed = Math.min(3, wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3)));
  return nearest !== undefined && nearest.distance <= allowed ? nearest.name : undefined;
}

/** ` (did you mean 'x'?)`, or nothing. */
export function didYouMean(text: string, names: Iterable<string>): string {
  const name = nearestName(text, names);
  return name === undefined || name === text ? '' : ` (did you mean '${name}'?)`;
}

/** Names in another casing are the same name. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Counts the letters to add, leave out, replace or swap with their neighbour (Damerau-Levenshtein). */
function distanceBetween(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above.at(-1) ?? 0;
}
