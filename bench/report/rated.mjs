import { applications } from '../applications/list.mjs';

/** The applications that were asked at fixed rates, in the order of the list, and these rates. */
export function ratedIn(measured) {
  const names = Object.keys(applications).filter(
    (name) => name in measured && Object.keys(measured[name].rates).length > 0,
  );
  return { names, perSecond: names.length === 0 ? [] : Object.keys(measured[names[0]].rates).map(Number) };
}
