import type { StandardSchemaV1 } from '@standard-schema/spec';
import { FirstComplaints } from '../../wire/first.complaints.js';
import type { InputSchema, SchemaReading } from './schema.reading.js';

/** A schema of zod, valibot, arktype, or whatever else speaks Standard Schema 1. */
export class StandardSchema implements InputSchema {
  constructor(private readonly schema: StandardSchemaV1) {}

  async read(members: Readonly<Record<string, unknown>>): Promise<SchemaReading> {
    const result = await this.schema['~standard'].validate(members);
    if (result.issues === undefined) return { value: result.value };
    const complaints = new FirstComplaints();
    for (const { path = [], message } of result.issues) {
      const name = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
      // What is wrong with the whole input has no name of its own.
      complaints.add(name, message);
      if (complaints.isFull) break;
    }
    return { complaints: complaints.messages };
  }
}
