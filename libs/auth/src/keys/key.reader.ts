import { keyDocument, type Fetch } from './key.document.js';

/** Reads the members of a key set, good or bad. */
export type KeyReader = () => Promise<readonly unknown[]>;

/**
 * Reads a key set with jwks-rsa. Its cache, its limiter and its own request are switched off or replaced, because they do
 * not keep the rules (docs/decisions/0012).
 */
export function keyReader(url: string, fetch: Fetch): KeyReader {
  return async () => {
    // Loaded at first use: it requires `jose`, an ES module, which Jest refuses while the importing modules are linked.
    const { JwksClient } = await import('jwks-rsa');
    const fetcher = (uri: string): ReturnType<typeof keyDocument> => keyDocument(uri, fetch);
    const client = new JwksClient({ jwksUri: url, cache: false, rateLimit: false, fetcher });
    return (await client.getKeys()) as readonly unknown[];
  };
}
