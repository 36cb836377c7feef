/** The reason for a 500, for the log. It names no values: they are a client's. */
export class OtherSession extends Error {
  constructor() {
    super(
      'Row level security has other variables or another role for this operation than for the request it is a part of; one transaction has one session',
    );
  }
}
