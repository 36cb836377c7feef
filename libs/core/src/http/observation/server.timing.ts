import { stages } from '../../endpoint/request/request.observer.js';
import type { RequestFigures } from './request.figures.js';

/** The value of `Server-Timing` so far: the stages, the statements among them, and the whole (W3C Server Timing, 3). */
export function serverTiming(figures: RequestFigures): string {
  const { statements, statementTime } = figures;
  const metrics = stages.flatMap((stage) => {
    const took = figures.stages.get(stage);
    return took === undefined ? [] : [`${stage};dur=${took.toFixed(3)}`];
  });
  if (statements > 0) metrics.push(`sql;dur=${statementTime.toFixed(3)};desc="${statements}"`);
  return [...metrics, `total;dur=${figures.duration.toFixed(3)}`].join(', ');
}
