import type { Consistency } from '../http/consistency.js';
import type { EndpointDirectory } from '../http/endpoint.directory.js';

/** A state that other processes of a service do not know of, although clients may come to them next. */
interface Resident {
  readonly what: string;
  /** The advice for the log. */
  readonly remedy: string;
}

const secret = 'give EndpointsModule.forRoot a cursorSecret';

/** All that lives in one process only. What has to be known by all of them, or outlive one, stands here. */
export function* residentsOf(
  { cursors, limits }: Pick<EndpointDirectory, 'cursors' | 'limits'>,
  consistency: Pick<Consistency, 'isEphemeral' | 'isPromised'>,
): Generator<Resident> {
  if (cursors.isUsed && cursors.isEphemeral) yield { what: 'cursors of keyset pages', remedy: secret };
  if (consistency.isEphemeral) yield { what: 'tokens of X-Consistency', remedy: secret };
  if (limits.some(({ isInProcess }) => isInProcess))
    yield {
      what: 'counts of rate limits',
      remedy: 'give them a store that all processes share, e.g. new PostgresLimits(em)',
    };
  if (consistency.isPromised)
    yield {
      what: 'memories of who has just written',
      remedy: 'have clients send X-Consistency back, which all processes understand',
    };
}

/** Makes the warning for the log; undefined where there is nothing to say. */
export function warningOf(residents: readonly Resident[]): string | undefined {
  if (residents.length === 0) return undefined;
  const whats = new Intl.ListFormat('en').format(residents.map(({ what }) => what));
  const remedies = [...new Set(residents.map(({ remedy }) => remedy))].join('; ');
  return `${whats.charAt(0).toUpperCase()}${whats.slice(1)} are good in this process only: ${remedies}`;
}
