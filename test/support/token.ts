import { NotAuthenticated, type Authentication, type Credentials } from '@nest-endpoints/core';

/** Knows one token, and says in documents how to send it. */
export class Token implements Authentication {
  readonly allowedHeaders = ['Authorization'];
  readonly securityScheme = {
    name: 'token',
    scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    scopes: ['books'],
  };

  authenticate({ headers }: Credentials): unknown {
    if (headers.authorization !== 'Bearer open sesame') throw new NotAuthenticated();
    return { sub: 'ali' };
  }
}
