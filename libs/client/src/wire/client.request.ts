/** A request of a client. */
export interface ClientRequest {
  readonly method: string;
  /** The path with its parameters filled in. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON body; undefined for none. */
  readonly body?: unknown;
  /** True if it changes nothing, so that it may always be sent again. Default by the method. */
  readonly isRead?: boolean;
  /** True for a write that does the same when it is sent twice. Default false: after a 503 it may have been done. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}
