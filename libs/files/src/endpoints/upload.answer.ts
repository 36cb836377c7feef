import type { JsonSchema } from '@nest-endpoints/core';
import type { KindContext } from '@nest-endpoints/core/kinds';
import type { FileUpload } from '../storages/file.storage.js';

/** Writes the answer to who announces a file. Names of headers stay as they are in every casing. */
export class UploadAnswer {
  readonly schema: JsonSchema;

  constructor(private readonly context: KindContext) {
    const { names } = context;
    const named = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => {
      const properties = Object.entries(members).map(
        ([name, schema]) => [names.control(name), schema] as const,
      );
      return {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: properties.map(([name]) => name),
      };
    };
    this.schema = named({
      key: { type: 'string', description: 'What is written into the column of a record.' },
      upload: named({
        method: { type: 'string', enum: ['PUT'] },
        url: { type: 'string' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        expires_at: { type: 'string', format: 'date-time' },
      }),
    });
  }

  /** The data of the answer as JSON text. */
  text(key: string, { url, headers, expiresAt }: FileUpload): string {
    const { names } = this.context;
    return JSON.stringify({
      [names.control('key')]: key,
      [names.control('upload')]: {
        [names.control('method')]: 'PUT',
        [names.control('url')]: url,
        [names.control('headers')]: headers,
        [names.control('expires_at')]: expiresAt.toISOString(),
      },
    });
  }
}
