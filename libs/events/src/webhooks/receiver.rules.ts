import { isIP } from 'node:net';
import { isPublicAddress } from './public.address.js';
import type { WebhookSettings } from './webhook.options.js';

/** An address that a name leads to. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Finds the addresses of a name.
 *
 * @param isTrusted true of a host that the application allows itself
 */
export type Resolve = (hostname: string, isTrusted: boolean) => Promise<readonly ResolvedAddress[]>;

/** The longest url of a receiver, in characters. */
const longest = 2000;

/** Characters that no url has and that its reader drops or changes, so that the text would say something else than where it goes. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\\]|^\s|\s$/u;

/** The rules about where webhooks may go: into the public internet by TLS, and nowhere else. */
export class ReceiverRules {
  readonly #allowed: ReadonlySet<string>;

  constructor(private readonly settings: Pick<WebhookSettings, 'allowHosts' | 'allowHttp'>) {
    this.#allowed = new Set(settings.allowHosts.map((host) => host.toLowerCase()));
  }

  /** Gives the reason why nothing is sent to a url, as far as it says itself; undefined where it may be. */
  complaint(text: string): string | undefined {
    if (text.length > longest || unseen.test(text) || !URL.canParse(text)) return 'value should be a url';
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.settings.allowHttp))
      return 'value should be a url that begins with https://';
    if (url.username !== '' || url.password !== '') return 'value should be a url without credentials';
    if (this.#isAllowed(url)) return undefined;
    if (url.port !== '') return 'value should be a url without a port';
    const host = hostOf(url);
    const isLocal = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host);
    return isLocal ? 'value should be a url of the public internet' : undefined;
  }

  /** The one address to connect to. Each try asks anew. @throws Error where one of the addresses is none of the public internet */
  async address(url: URL, resolve: Resolve): Promise<ResolvedAddress> {
    const host = hostOf(url);
    const family = isIP(host);
    const isTrusted = this.#isAllowed(url);
    const found = family === 0 ? await resolve(host, isTrusted) : [{ address: host, family }];
    const [first] = found;
    if (first === undefined) throw new Error('The host has no address');
    if (!isTrusted && !found.every(({ address }) => isPublicAddress(address)))
      throw new Error('The host has an address that is not of the public internet');
    return first;
  }

  #isAllowed(url: URL): boolean {
    return this.#allowed.has(hostOf(url).toLowerCase()) || this.#allowed.has(url.host.toLowerCase());
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** True of names that lead nowhere in the public internet, such as `localhost`. */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  return !name.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(name);
}
