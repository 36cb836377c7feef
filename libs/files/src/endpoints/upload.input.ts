import { InvalidInput, type JsonSchema } from '@nest-endpoints/core';
import type { KindContext } from '@nest-endpoints/core/kinds';
import type { FileColumnOptions } from '../column/file.column.js';
import type { StoredFile } from '../storages/file.storage.js';

/** A file as a client announces it. */
export type AnnouncedFile = Omit<StoredFile, 'key'>;

/** The longest name of a file, in bytes of UTF-8: what file systems take. */
const longest = 255;

/** Characters that no name has: controls, line ends, separators of paths, and those that turn the order of others. */
const refused = /[\p{Cc}/\\\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

type Member = keyof AnnouncedFile;

/** Reads what a client says of the file that it is about to upload. Made once per endpoint. */
export class UploadInput {
  readonly schema: JsonSchema;
  readonly #members: ReadonlyMap<
    string,
    { readonly member: Member; complaint(value: unknown): string | undefined }
  >;

  constructor({ names }: KindContext, { types, maximumBytes }: FileColumnOptions) {
    const isWithin = (value: unknown): boolean =>
      Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= maximumBytes;
    const rules: readonly (readonly [Member, JsonSchema, string, (value: unknown) => boolean])[] = [
      [
        'name',
        { type: 'string', minLength: 1, maxLength: longest },
        'value should be the name of a file',
        isFileName,
      ],
      [
        'type',
        { type: 'string', enum: [...types] },
        `value should be one of: ${types.join(', ')}`,
        (value) => types.includes(value as string),
      ],
      [
        'bytes',
        { type: 'integer', minimum: 1, maximum: maximumBytes },
        `value should be from 1 to ${maximumBytes}`,
        isWithin,
      ],
      [
        'sha256',
        { type: 'string', pattern: '^[0-9a-f]{64}$' },
        'value should be a SHA-256 in 64 digits of 0-9 and a-f',
        (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
      ],
    ];
    this.#members = new Map(
      rules.map(([member, , message, isAllowed]) => [
        names.control(member),
        { member, complaint: (value: unknown) => (isAllowed(value) ? undefined : message) },
      ]),
    );
    this.schema = {
      type: 'object',
      properties: Object.fromEntries(rules.map(([member, schema]) => [names.control(member), schema])),
      required: [...this.#members.keys()],
      additionalProperties: false,
    };
  }

  /** @throws InvalidInput with everything that is wrong */
  read(body: ReadonlyMap<string, unknown>): AnnouncedFile {
    const complaints = new Map<string, string>();
    for (const name of body.keys())
      if (!this.#members.has(name))
        complaints.set(name, `Input column ${name} is not an allowed input column.`);
    for (const [name, rule] of this.#members) {
      const value = body.get(name) ?? null;
      const complaint = value === null ? `'${name}' is required.` : rule.complaint(value);
      if (complaint !== undefined) complaints.set(name, complaint);
    }
    if (complaints.size > 0) throw new InvalidInput(complaints, true);
    const values = [...this.#members].map(([name, { member }]) => [member, body.get(name)]);
    return Object.fromEntries(values) as AnnouncedFile;
  }
}

function isFileName(value: unknown): boolean {
  if (typeof value !== 'string' || !value.isWellFormed()) return false;
  if (value.trim() === '' || value === '.' || value === '..') return false;
  return Buffer.byteLength(value) <= longest && !refused.test(value);
}
