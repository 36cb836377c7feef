/** The facts about one run among several whose figures stand side by side. */
const runOf = ({ measured, tree, options: { rounds } }) => ({ measured, tree, rounds });

const runsOf = ({ runs, ...results }) => runs ?? [runOf(results)];

/**
 * Puts the figures of a later run over those of an earlier one; what it did not measure stays. Every ratio is to the LIMIT of
 * its own run, so that those of several runs may be compared; absolute figures may be of different hours of a machine.
 */
export function merged(earlier, later) {
  const names = new Set([...Object.keys(earlier.applications), ...Object.keys(later.applications)]);
  const applications = Object.fromEntries(
    [...names].map((name) => {
      const [old, renewed] = [earlier.applications[name], later.applications[name]];
      if (old === undefined || renewed === undefined) return [name, renewed ?? old];
      return [
        name,
        {
          ...renewed,
          memory: renewed.memory ?? old.memory,
          cases: { ...old.cases, ...renewed.cases },
          rates: { ...old.rates, ...renewed.rates },
        },
      ];
    }),
  );
  return { ...later, applications, runs: [...runsOf(earlier), runOf(later)] };
}
