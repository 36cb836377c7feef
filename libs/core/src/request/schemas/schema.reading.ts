/** The result of reading input by a schema: the parsed value, or messages by the names that the client sent. */
export type SchemaReading =
  { readonly value: unknown } | { readonly complaints: ReadonlyMap<string, string> };

/** Judges the members of a JSON object, or other named values. Made once per endpoint. */
export interface InputSchema {
  read(members: Readonly<Record<string, unknown>>): Promise<SchemaReading>;
}
