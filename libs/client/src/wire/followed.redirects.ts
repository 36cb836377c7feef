/** The most redirects that are followed. */
const most = 5;

/**
 * Reads from an address, and follows redirects as long as they lead to its own origin: fetch by itself would take the headers to any
 * other one, and all that it leaves out there is the token. A redirect that leads elsewhere is the answer.
 */
export async function readWithin(send: typeof fetch, address: string, init: RequestInit): Promise<Response> {
  let at = address;
  let response = await send(at, { ...init, redirect: 'manual' });
  for (let followed = 0; followed < most; followed += 1) {
    const next = nextAddress(response, at);
    if (next === undefined || new URL(next).origin !== new URL(address).origin) break;
    await response.body?.cancel();
    at = next;
    response = await send(at, { ...init, redirect: 'manual' });
  }
  return response.type === 'opaqueredirect' ? readByBrowser(send, at, init, response) : response;
}

/** The address that a redirect leads to; undefined for another answer, and where a browser does not tell. */
function nextAddress({ status, headers }: Response, at: string): string | undefined {
  const location = headers.get('Location');
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return URL.canParse(location, at) ? new URL(location, at).href : undefined;
}

/**
 * A browser does not tell where a redirect leads. Where its page has the origin of the service, it can be told to follow none to another
 * one.
 */
async function readByBrowser(
  send: typeof fetch,
  address: string,
  init: RequestInit,
  redirect: Response,
): Promise<Response> {
  const page = Reflect.get(globalThis, 'location') as { readonly origin?: string } | undefined;
  if (page?.origin !== new URL(address).origin) return redirect;
  try {
    return await send(address, { ...init, mode: 'same-origin', redirect: 'follow' });
  } catch (error) {
    // That is how browsers refuse to go elsewhere.
    if (error instanceof TypeError) return redirect;
    throw error;
  }
}
