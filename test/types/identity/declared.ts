/** Somebody of a tenant, as this application knows senders. */
export interface Member {
  readonly sub: string;
  readonly tenant: number;
}

/** A member who may do more. */
export interface Admin extends Member {
  readonly scope: string;
}

declare module '@nest-endpoints/core' {
  interface Register {
    identity: Member;
  }
}
