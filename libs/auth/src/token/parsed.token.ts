import { InvalidToken } from './invalid.token.js';

/** The members of a JSON object that came from outside. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A token taken apart. Nothing of it is trusted yet. */
export interface ParsedToken {
  readonly text: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

// A byte order mark is no JSON, so it is not taken away.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes a JSON Web Token apart: a JWS in compact serialization (RFC 7515, 7.1) whose payload is a JSON object.
 *
 * @throws InvalidToken when it is no such thing
 */
export function parseToken(text: string): ParsedToken {
  const parts = text.split('.');
  const [header, claims, signature] = parts;
  if (parts.length !== 3 || header === undefined || claims === undefined || signature === undefined)
    throw new InvalidToken('the token does not consist of three parts');
  bytesOf(signature, 'signature');
  return { text, header: objectOf(header, 'header'), claims: objectOf(claims, 'payload') };
}

function objectOf(part: string, name: string): JsonObject {
  const value = jsonOf(bytesOf(part, name), name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidToken(`the ${name} is not a JSON object`);
  return value as JsonObject;
}

function jsonOf(bytes: Buffer, name: string): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new InvalidToken(`the ${name} is not JSON in UTF-8`);
  }
}

/** Only the one spelling of the bytes counts (RFC 4648, 3.5): a token that was changed is another token. */
function bytesOf(part: string, name: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (part === '' || bytes.toString('base64url') !== part)
    throw new InvalidToken(`the ${name} is not canonical base64url`);
  return bytes;
}
