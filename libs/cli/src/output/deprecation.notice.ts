import type { IncomingMessage } from 'node:http';

/** The sentence about an endpoint that is not to be used any more; undefined for any other. */
export function deprecationNotice({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const { deprecation, sunset, link = '' } = headers;
  const [, seconds] = /^@(-?\d+)$/.exec([deprecation].flat().join()) ?? [];
  if (seconds === undefined) return undefined;
  const since = dayOf(Number(seconds) * 1000);
  const end = Date.parse([sunset].flat().join());
  const until = Number.isNaN(end) ? '' : `, until ${dayOf(end)}`;
  const links = [link].flat().join(', ');
  const [, successor] = /<([^>]*)>;\s*rel="successor-version"/.exec(links) ?? [];
  const [, page] = /<([^>]*)>;\s*rel="deprecation"/.exec(links) ?? [];
  const instead = successor === undefined ? '' : `; use ${successor}`;
  return `Deprecated since ${since}${until}${instead}${page === undefined ? '' : `; see ${page}`}`;
}

/** A day, in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
