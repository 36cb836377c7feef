import type { Exchange } from './exchange.js';

interface SupertestResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: { readonly method: string; readonly url: string };
}

interface InjectedResponse {
  readonly statusCode: number;
  readonly payload: string;
  readonly headers: { readonly 'content-type'?: string | undefined };
  readonly raw: { readonly req: { readonly method?: string | undefined; readonly url?: string | undefined } };
}

/** The port of a response that came through none: one of Fastify's `inject`. */
export const noPort = '';

/** A response as the usual clients of tests give it. */
export type AnyResponse = Response | SupertestResponse | InjectedResponse;

/** The answer alone, compared as a request that brought nothing but its path. */
export async function exchangeOf(
  response: AnyResponse,
  method: string,
): Promise<{ readonly exchange: Exchange; readonly port: string }> {
  if (response instanceof Response) {
    const { url, status, headers } = response;
    const body = await response.clone().text();
    return answered(new URL(url), {
      method,
      status,
      contentType: headers.get('content-type') ?? undefined,
      body,
    });
  }
  if ('payload' in response) {
    const { raw, statusCode: status, headers, payload: body } = response;
    const { 'content-type': contentType } = headers;
    const url = new URL(raw.req.url ?? '/', 'http://localhost');
    return answered(url, { method: raw.req.method ?? method, status, contentType, body });
  }
  const { request, status, headers, text: body } = response;
  const contentType = headers['content-type'];
  return answered(new URL(request.url), { method: request.method, status, contentType, body });
}

function answered(
  { port, pathname }: URL,
  answer: Pick<Exchange, 'method' | 'status' | 'contentType' | 'body'>,
): { readonly exchange: Exchange; readonly port: string } {
  // What was sent is judged where it arrives: of a response only the answer can be told.
  const sent = { target: pathname, requestHeaders: {}, requestType: undefined, requestBody: undefined };
  return { exchange: { ...answer, ...sent }, port };
}
