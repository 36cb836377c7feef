import { median } from './median.mjs';

/** How much of the capacity of `beside` an application has: the median of the ratios of single rounds. */
export const tenantRatio = (found, { of, beside }, caseName) =>
  median(found[beside][caseName].map(({ cpu }, round) => cpu / found[of][caseName][round].cpu));
