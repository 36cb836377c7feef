/** Waits for work, but not for ever: what takes longer goes on by itself. @param limit in milliseconds */
export async function atMost(limit: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  await Promise.race([work, limited]);
  clearTimeout(timer);
}
