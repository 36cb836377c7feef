import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RequestFact } from './request.fact.js';

/** What authentication found about the requests in flight. */
@Injectable()
export class Identities {
  readonly #found = new RequestFact<{ readonly authorizationData: unknown }>();

  set(request: IncomingMessage, authorizationData: unknown): void {
    this.#found.set(request, { authorizationData });
  }

  /** The authorization data of the request; undefined when its endpoint is public. */
  of(request: IncomingMessage): unknown {
    return this.#found.get(request, () => ({ authorizationData: undefined })).authorizationData;
  }
}
