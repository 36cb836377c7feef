import type { Limit, Verdict } from '../../access/limits/limit.js';
import type { HeaderLine, HeaderLines } from '../../wire/answer.js';

/** A limit with what it said of a request. */
export type Judged = readonly [limit: Limit, verdict: Verdict];

/** The names of the headers that tell of limits. */
const names = {
  draft: ['RateLimit-Policy', 'RateLimit'],
  x: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  none: [],
} as const satisfies Record<Limit['headers'], readonly string[]>;

/** Writes what answers tell of limits (draft-ietf-httpapi-ratelimit-headers-10). Made once per endpoint. */
export class LimitHeaders {
  /** The headers that scripts of other origins may read. */
  readonly exposed: readonly string[];
  /** The lines of an answer before any limit has said something. */
  readonly policy: HeaderLines;

  constructor(limits: readonly Limit[]) {
    const told = new Set(limits.flatMap(({ headers }) => names[headers]));
    this.exposed = told.size === 0 ? ['Retry-After'] : [...told, 'Retry-After'];
    const policies = limits.filter(({ headers }) => headers === 'draft').map(policyOf);
    this.policy = policies.length === 0 ? [] : [['RateLimit-Policy', policies.join(', ')]];
  }

  /** The lines of an answer, of which the limit that is closest tells. */
  lines(judged: readonly Judged[]): HeaderLines {
    const draft = closest(judged, 'draft');
    const other = closest(judged, 'x');
    const lines: HeaderLine[] = [...this.policy];
    if (draft !== undefined) {
      const [{ name }, { remaining, reset }] = draft;
      lines.push(['RateLimit', `"${name}";r=${remaining};t=${Math.ceil(reset)}`]);
    }
    if (other !== undefined) {
      const [{ quota }, { remaining, reset }] = other;
      lines.push(
        ['X-RateLimit-Limit', String(quota)],
        ['X-RateLimit-Remaining', String(remaining)],
        ['X-RateLimit-Reset', String(Math.ceil(reset))],
      );
    }
    return lines;
  }
}

function policyOf({ name, quota, window }: Limit): string {
  return `"${name}";q=${quota}${window === undefined ? '' : `;w=${window}`}`;
}

/** The limit of which the least is left: one that refuses before all others. */
function closest(judged: readonly Judged[], headers: Limit['headers']): Judged | undefined {
  let found: Judged | undefined;
  for (const one of judged) {
    const [limit, verdict] = one;
    if (limit.headers !== headers || verdict.allowed === 'unknown' || verdict.isUncounted === true) continue;
    if (found === undefined || left(verdict) < left(found[1])) found = one;
  }
  return found;
}

function left({ allowed, remaining }: Verdict): number {
  return allowed === true ? remaining : -1;
}
