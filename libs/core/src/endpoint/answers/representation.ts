import type { EndpointRequest } from '../request/endpoint.request.js';
import type { Reply } from '../reply.js';

type Handler = (request: EndpointRequest) => Promise<Reply>;

/** Another representation of the answers of an endpoint, which clients ask for by its media type in `Accept`. */
export interface Representation {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** Request headers that are read, so that browsers may send them. Default none. */
  readonly reads?: readonly string[];
  /** Answers a request that asks for it, outside of any transaction of the request. */
  readonly answer: Handler;
}

/**
 * A handler that answers with a representation where the client would rather have it. Without representations it is left as it is.
 *
 * @param looked looks at what stands in front of the handler, such as parents in the path; undefined for nothing
 */
export function represented(
  handler: Handler,
  representations: readonly Representation[],
  looked: Handler | undefined,
): Handler {
  if (representations.length === 0) return handler;
  return async (request) => {
    const { accept } = request.headers;
    const asked = request.method === 'HEAD' || request.isPart ? undefined : accept;
    const chosen = asked === undefined ? undefined : preferred(asked, representations);
    if (chosen === undefined) return handler(request);
    await looked?.(request);
    return chosen.answer(request);
  };
}

/** The representation whose media type is named, and JSON is not wanted more (RFC 9110, 12.5.1). */
function preferred(accept: string, representations: readonly Representation[]): Representation | undefined {
  let best: { readonly one: Representation | undefined; readonly quality: number } | undefined;
  for (const range of accept.split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    const one = representations.find((representation) => representation.mediaType === mediaType);
    if (one === undefined && mediaType !== 'application/json') continue;
    if (quality > (best?.quality ?? 0)) best = { one, quality };
  }
  return best?.one;
}
