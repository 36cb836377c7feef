import { lookup, Resolver } from 'node:dns/promises';
import type { ResolvedAddress, Resolve } from './receiver.rules.js';

/** The patience with a name server, in milliseconds, and how often one is asked. */
const patience = { timeout: 3000, tries: 2 };

/**
 * Makes what finds the addresses of hosts. Those of strangers are asked for by DNS alone, without search domains: the resolver of
 * the system holds one of four threads of the process for as long as a name server is silent, and other work waits for these.
 *
 * @param servers the name servers; those of the system where it is left out
 */
export function hostResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver(patience);
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname, isTrusted) => {
    // The names of an inner network may be in a file of the system.
    if (isTrusted) return lookup(hostname, { all: true });
    const [fours, sixes] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found = [...addresses(fours, 4), ...addresses(sixes, 6)];
    if (found.length === 0 && fours.status === 'rejected') throw fours.reason;
    return found;
  };
}

function addresses(outcome: PromiseSettledResult<string[]>, family: 4 | 6): readonly ResolvedAddress[] {
  return outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];
}
