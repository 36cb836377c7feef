/**
 * Waits for work, but not for ever: what takes longer goes on by itself, and nobody hears of it.
 *
 * @param limit in milliseconds
 * @param late gives what comes of it when the time is up, or throws
 */
export async function atMost<T, Late>(
  limit: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Awaited<Late>> {
  let timer: NodeJS.Timeout | undefined;
  const limited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  try {
    return await Promise.race([work, limited.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
