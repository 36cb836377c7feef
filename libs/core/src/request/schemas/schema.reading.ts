/** What a schema makes of input: the value it was parsed into, or messages by the names that the client sent. */
export type SchemaReading =
  { readonly value: unknown } | { readonly complaints: ReadonlyMap<string, string> };

/** Judges the members of a JSON object, or other named values. Made once per endpoint. */
export interface InputSchema {
  read(members: Readonly<Record<string, unknown>>): Promise<SchemaReading>;
}
