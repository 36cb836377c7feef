/** Whole milliseconds, for figures. */
export const whole = (milliseconds) => Math.round(milliseconds);

/** The largest; 0 of none. */
export const largest = (values) => values.reduce((most, value) => Math.max(most, value), 0);

/** Calls `work` again and again, with a number of callers side by side, until `isOver` says so. */
export async function repeatedly(callers, isOver, work) {
  const calling = async (caller) => {
    while (!isOver()) await work(caller);
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => calling(caller)));
}

/** Whether an answer is the one that overload and outages have: the envelope of a failure, and when to try again. */
export const isUnavailable = ({ status, headers, body }) =>
  status === 503 &&
  Number(headers['retry-after']) >= 1 &&
  body.status === 'failure' &&
  body.error === 'Service Unavailable';

/** Whether a request that the service had taken was never answered. One that it refused to take can be sent elsewhere. */
export const isLost = ({ error }) => error !== undefined && error.code !== 'ECONNREFUSED';

/** The value that a share of all values is not above, e.g. 0.5 for the median. */
export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

/** How much the second value of pairs grows with the first: the line with the least squares. */
export function slope(pairs) {
  const mean = (at) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (of) => pairs.reduce((total, pair) => total + of(pair), 0);
  return sum(([a, b]) => (a - x) * (b - y)) / sum(([a]) => (a - x) ** 2);
}
