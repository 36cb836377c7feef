/** A figure must not be above. */
export const atMost = (most) => ({ most });

/** A figure must not be below. */
export const atLeast = (least) => ({ least });

/** A figure must be this. */
export const exactly = (value) => ({ least: value, most: value });

/** Sentences about the figures that are beyond their limits. What was not measured is beyond them, too. */
export function missedBy(figures, limits) {
  return Object.entries(limits).flatMap(([name, { least = -Infinity, most = Infinity }]) => {
    const figure = figures[name];
    if (figure >= least && figure <= most) return [];
    return [`${name} is ${String(figure)}, not from ${String(least)} to ${String(most)}`];
  });
}
