import { own } from '../token/own.js';

/** A function that fetches documents, by default Node's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Limits of one request to a key server. */
const documentLimits = { milliseconds: 4000, bytes: 1_048_576 };

const accept = 'application/jwk-set+json, application/json';

/**
 * Fetches the document of a key set: one answer, whole within the time, of limited size, without redirects, of any
 * content type.
 *
 * @throws Error that says what is wrong with the answer
 */
export async function keyDocument(url: string, fetch: Fetch): Promise<{ keys: readonly unknown[] }> {
  const signal = AbortSignal.timeout(documentLimits.milliseconds);
  // A fetch of the user's own may not know signals.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error(`no whole answer within ${documentLimits.milliseconds} ms`));
    });
  });
  return Promise.race([late, read(url, fetch, signal)]);
}

async function read(url: string, fetch: Fetch, signal: AbortSignal): Promise<{ keys: readonly unknown[] }> {
  const response = await fetch(url, { headers: { accept }, redirect: 'manual', signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer has the status ${response.status}`);
  }
  const document = jsonOf(await limitedBytes(response));
  const keys: unknown = own(Object(document) as object, 'keys');
  if (!Array.isArray(keys)) throw new Error('the answer has no list of keys');
  return { keys };
}

async function limitedBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of chunksOf(response)) {
    length += chunk.byteLength;
    if (length > documentLimits.bytes)
      throw new Error(`the answer is larger than ${documentLimits.bytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The types of the Fetch standard do not say what a body's chunks are. */
function chunksOf({ body }: Response): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  return (body as AsyncIterable<Uint8Array> | null) ?? [];
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('the answer is not JSON in UTF-8');
  }
}
