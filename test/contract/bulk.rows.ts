import { Conflict, type EndpointOptions } from '@nest-endpoints/core';
import {
  EndpointKind,
  InputJudge,
  modelChecks,
  readableChecks,
  recordOutput,
  RecordVersion,
  TextReply,
  writeableChecks,
  type CompiledKind,
  type KindContext,
  type ModelSource,
  type Row,
} from '@nest-endpoints/core/kinds';

/** What an endpoint of rows writes, and gives. */
interface RowsOptions extends EndpointOptions {
  readonly modelClass: ModelSource['modelClass'];
  readonly readableColumnNames: readonly string[];
  readonly writeableColumnNames: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

interface Body {
  readonly create?: readonly Json[];
  readonly update?: readonly Json[];
  readonly ids?: readonly unknown[];
  readonly where?: Json;
  readonly maximum?: number;
  readonly changes?: Json;
}

const left = (): never => {
  throw new Conflict('left to the unit of work');
};

/** Writes rows by the statements for many alone, and answers with what the database gave: whatever they leave is a 409. */
export class BulkRows extends EndpointKind<RowsOptions> {
  static override readonly optionChecks = { ...modelChecks, ...readableChecks, ...writeableChecks };
  protected override readonly defaultMethods = ['POST'] as const;
  override readonly readsBody = true;
  override readonly effect = 'writes';

  override compile(context: KindContext): CompiledKind {
    const { options } = this;
    const model = context.model(options);
    const complete = new InputJudge(context, model, options, false);
    const partial = new InputJudge(context, model, options, true);
    const output = recordOutput(context, model, options);
    const version = RecordVersion.of(context, model);
    const writes = context.store(model).bulkStatementWrites(
      {
        columns: partial.columns,
        lookup: model.idPath,
        conditions: [],
        selection: output.selection,
        reading: output.reading,
        listeners: { isHeard: false },
      },
      { create: left, upsert: left, update: left, updateMet: left, delete: left, deleteMet: left },
    );
    const names = output.reading.layout.columns.map(({ text }) => text);
    const answer = (_request: unknown, rows: readonly Row[]): TextReply =>
      new TextReply(
        JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))),
      );
    const expected = (texts: unknown) =>
      texts === undefined
        ? undefined
        : { condition: version?.among(texts as string[]), includes: () => false };
    const handle: CompiledKind['handle'] = async (request) => {
      if (typeof writes === 'string') return new TextReply(JSON.stringify(writes));
      const {
        create,
        update,
        ids,
        where,
        maximum = 0,
        changes,
      } = JSON.parse(request.requiredJsonObject().get('json') as string) as Body;
      const read = (judge: InputJudge, values: Json = {}) => {
        const input = judge.read(new Map(Object.entries(values)), request);
        input.refuseIfInvalid();
        return { place: '', input };
      };
      const target = ({ id, if_match: texts }: Json) => ({
        place: '',
        key: '',
        value: id,
        expected: expected(texts),
      });
      if (create !== undefined)
        return writes.create(
          request,
          create.map((one) => read(complete, one)),
          answer,
        );
      if (update !== undefined) {
        const all = update.map(({ id, if_match, ...rest }) => ({
          ...target({ id, if_match }),
          change: read(partial, rest),
        }));
        return writes.update(request, all, answer);
      }
      if (where !== undefined) {
        const conditions = Object.entries(where).flatMap(([name, value]) => {
          const path = model.path(name);
          return path === undefined ? [] : [{ path, comparison: '=' as const, value }];
        });
        const met = { conditions, maximum };
        if (changes === undefined) return writes.deleteMet(request, met, answer);
        return writes.updateMet(request, met, read(partial, changes), answer);
      }
      const targets = (ids ?? []).map((id) => target({ id }));
      if (changes === undefined) return writes.delete(request, targets, answer);
      const change = read(partial, changes);
      return writes.update(
        request,
        targets.map((one) => ({ ...one, change })),
        answer,
      );
    };
    return { handle, isOneStatement: true };
  }
}
