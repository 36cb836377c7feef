import { NotAuthenticated, type Authentication, type Credentials } from '@nest-endpoints/core';

/** Believes the claims that a request brings as JSON. */
export class Claims implements Authentication {
  readonly allowedHeaders = ['X-Claims'];

  authenticate({ headers }: Credentials): unknown {
    const claims = headers['x-claims'];
    if (typeof claims !== 'string') throw new NotAuthenticated();
    return JSON.parse(claims) as unknown;
  }
}
