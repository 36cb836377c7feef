import type { Credentials } from './authentication.js';

/** Rules after authentication. The default enforces none (contract: Authentication). */
export abstract class Authorization {
  /** Whether a request with this identity may use the endpoint at all; false is a 403. */
  gate(_authorizationData: unknown, _request: Credentials): boolean | Promise<boolean> {
    return true;
  }
}
