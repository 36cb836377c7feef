import type { Compilation } from '../endpoint/compilation.js';
import { Endpoint, type Handler } from '../endpoint/endpoint.js';
import type { LookupOptions, ModelOptions } from '../endpoint/endpoint.options.js';
import { RecordLookup } from '../stages/record.lookup.js';
import { TextReply } from '../endpoint/reply.js';
import { RecordWriter } from '../records/record.writer.js';
import { NotFound } from '../wire/refusals.js';

/** Parameters of {@link Delete}. */
export interface DeleteOptions<E extends object> extends ModelOptions<E>, LookupOptions<E> {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id`. */
  readonly url: string;
}

/** Deletes one record (contract: Delete). */
export class Delete<E extends object = object> extends Endpoint<DeleteOptions<E>> {
  protected override readonly defaultMethods = ['DELETE'] as const;
  override readonly requiredOptions = ['modelClass', 'url'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;

  override compile(compilation: Compilation): Handler {
    const model = compilation.model(this.options);
    const lookup = RecordLookup.of(compilation, model, this.options);
    const { database } = compilation;
    const writer = new RecordWriter(database, model);

    return async (request) => {
      const value = lookup.value(request.routingData);
      const em = database.fork();
      await database.transaction(em, async () => {
        const record = await writer.locate(em, lookup.path.column, value);
        if (record === undefined) throw new NotFound();
        await writer.delete(em, record);
      });
      return new TextReply('{}');
    };
  }
}
