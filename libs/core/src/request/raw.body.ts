/** The body of a request, collected before anybody judges it. */
export type RawBody =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bytes';
      readonly bytes: Buffer;
      /** The depth to which its values may be nested. */
      readonly depth: number;
      readonly contentType: string | undefined;
      readonly contentEncoding?: string | undefined;
    }
  | { readonly kind: 'tooLarge'; readonly limit: number };
