/** The largest body where `forRoot` names no limit, in bytes. */
export const usualBodyLimit = 1_048_576;

/** The body of a request, collected before anybody judges it. */
export type RawBody =
  { readonly kind: 'none' } | BodyBytes | BodyStream | { readonly kind: 'tooLarge'; readonly limit: number };

/** A body that is here. */
export interface BodyBytes {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  /** The depth to which its values may be nested. */
  readonly depth: number;
  readonly contentType: string | undefined;
  readonly contentEncoding?: string | undefined;
}

/** A body that its endpoint reads while it comes, once it knows who sends it. */
export interface BodyStream {
  readonly kind: 'stream';
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** The length that the client announces, in bytes; undefined where it does not. */
  readonly announced: number | undefined;
  /** The depth to which its values may be nested. */
  readonly depth: number;
  /**
   * The bytes as they come. Who stops reading leaves the rest to whoever closes the connection.
   *
   * @throws RequestTimeout where the client lets us wait, ServiceUnavailable where there is no place for it
   */
  chunks(): AsyncIterable<Buffer>;
}
