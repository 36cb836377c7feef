import type { Column } from '../../model/column.js';

/** The way in which a column keeps times: days, instants, or instants without a time zone, which are those of UTC. */
export type KeptTime = 'day' | 'instant' | 'local';

/** Gives the way in which a column keeps times; undefined where it keeps none, or numbers that mean times. */
export function keptTimeOf({ type, property }: Column): KeptTime | undefined {
  if (type.ordering !== 'time') return undefined;
  const stored = property.columnTypes[0]?.toLowerCase() ?? '';
  if (stored === 'date') return 'day';
  if (/^timestamp(?:tz|.* with time zone)/.test(stored)) return 'instant';
  return /^(?:timestamp|datetime)/.test(stored) ? 'local' : undefined;
}
