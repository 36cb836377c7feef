import type { Compilation } from '../endpoint/compilation.js';
import { Endpoint, type Handler } from '../endpoint/endpoint.js';
import type { LookupOptions, WriteableOptions } from '../endpoint/endpoint.options.js';
import { RecordWriter } from '../records/record.writer.js';
import { InputJudge, type Subject } from '../stages/input.judge.js';
import { RecordLookup } from '../stages/record.lookup.js';
import { recordOutput } from '../stages/record.output.js';
import { outcomes } from '../wire/outcome.table.js';
import { NotFound } from '../wire/refusals.js';

/** Parameters of {@link Update}. */
export interface UpdateOptions<E extends object> extends WriteableOptions<E>, LookupOptions<E> {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id`. */
  readonly url: string;
}

/** Updates one record with a subset of its columns (contract: Update). */
export class Update<E extends object = object> extends Endpoint<UpdateOptions<E>> {
  protected override readonly defaultMethods = ['PATCH'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(compilation: Compilation): Handler {
    const model = compilation.model(this.options);
    const judge = new InputJudge(compilation, model, this.options, true);
    const lookup = RecordLookup.of(compilation, model, this.options);
    const output = recordOutput(compilation, model, this.options);
    const { database } = compilation;
    const writer = new RecordWriter(database, model);

    return async (request) => {
      const value = lookup.value(request.routingData);
      const input = judge.read(request.requiredJsonObject(), request);
      input.refuseIfInvalid();
      const em = database.fork();
      let subject: Subject | undefined;
      const saved = database.transaction(em, async () => {
        const record = await writer.locate(em, lookup.path.column, value);
        if (record === undefined) throw new NotFound();
        subject = { id: writer.idOf(record), record };
        await judge.judge(em, request, input, subject);
        await writer.update(em, record, input.values);
        return output.written(em, request, writer.idOf(record), outcomes.success.statusCode);
      });
      return saved.catch(async (error: unknown) => {
        throw await judge.explain(error, input, subject);
      });
    };
  }
}
