import type { RulingEndpoint } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';

/** One attempt at the transaction of a request, with the parts that write related records in it. */
export class NestedTrial {
  readonly #parts = new Map<RulingEndpoint, EndpointRequest>();

  constructor(readonly whole: EndpointRequest) {}

  /** The request as an endpoint has it by whose rules it writes; itself where there is none. */
  requestOf(ruler: RulingEndpoint | undefined): EndpointRequest {
    if (ruler === undefined) return this.whole;
    const known = this.#parts.get(ruler);
    if (known !== undefined) return known;
    const part = ruler.part(this.whole);
    this.#parts.set(ruler, part);
    return part;
  }
}
