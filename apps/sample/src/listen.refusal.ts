import type { AtlasSettings } from './atlas.settings.js';
import { StartRefusal } from './start.refusal.js';

const sentences: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `Port ${String(port)} on ${host} is in use; set PORT to a free one.`,
  EACCES: (host, port) =>
    `This user may not listen on port ${String(port)} of ${host}; set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) => `HOST is '${host}', which is no address of this machine.`,
  ENOTFOUND: (host) => `HOST is '${host}', which is no address and no known name.`,
};

/** The sentence for an address that cannot be listened on; any other error stays as it is. */
export function listenRefusal(error: unknown, { host, port }: AtlasSettings): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const sentence = sentences[code];
  return sentence === undefined ? error : new StartRefusal(sentence(host, port), { cause: error });
}
