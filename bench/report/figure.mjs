import { median } from './median.mjs';

/** Makes a function that gives the median over all rounds of a figure of an application in a case. */
export const figuresIn = (samples) => (name, caseName, key) =>
  median(samples[name].cases[caseName].map((figures) => figures[key]));
