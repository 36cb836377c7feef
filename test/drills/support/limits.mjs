/** A figure must not be above. A form may have a limit of its own: `atMost(({ mostTimes }) => mostTimes)`. */
export const atMost = (most) => ({ most });

/**
 * A figure must not be below. Where it only shows that something was tried, it is told by what the form asks for, so that
 * a slow machine is no defect: `atLeast(({ rounds }) => rounds)`.
 */
export const atLeast = (least) => ({ least });

/** A figure must be this. */
export const exactly = (value) => ({ least: value, most: value });

/** Sentences about the figures that are beyond their limits. What was not measured is beyond them, too. */
export function missedBy(figures, limits, form) {
  return Object.entries(limits).flatMap(([name, { least: lower = -Infinity, most: upper = Infinity }]) => {
    const [least, most] = [lower, upper].map((limit) => (typeof limit === 'function' ? limit(form) : limit));
    const figure = figures[name];
    if (figure >= least && figure <= most) return [];
    return [`${name} is ${String(figure)}, not from ${String(least)} to ${String(most)}`];
  });
}
