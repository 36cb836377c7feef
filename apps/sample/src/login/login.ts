import type { Authentication } from '@nest-endpoints/core';

/** How this process knows who asks. */
export interface Login {
  /** Undefined where nobody can say who asks. */
  readonly authentication: Authentication | undefined;
  /** What the log shall say of it when the service starts. */
  readonly warning: string | undefined;
  close(): Promise<void>;
}
