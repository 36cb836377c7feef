/** The time of the processor that something takes, in milliseconds: what else the machine does counts little. */
export const cost = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** The least that it takes: the collector of this process may be at work, too. */
export const leastCost = async (times: number, work: () => unknown): Promise<number> => {
  const costs: number[] = [];
  for (let time = 0; time < times; time += 1) costs.push(await cost(work));
  return Math.min(...costs);
};
