import type { KindContext } from '../../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../../endpoint/compiled.kind.js';
import { Endpoint } from '../../../endpoint/endpoint.js';
import type { EndpointOptions } from '../../../endpoint/options/endpoint.options.js';
import { selectionChecks } from '../../../endpoint/options/selection.options.js';
import type { InjectMap } from '../../../endpoint/request/injection.js';
import { EntityTags } from '../../record/entity.tags.js';
import { recordOutput } from '../../record/record.output.js';
import { SelectableOutput } from '../../record/selectable.output.js';
import { nestedChecks } from '../../../endpoint/options/nested.options.js';
import { NestedWrites } from '../../nested/nested.writes.js';
import { CanonicalPath } from '../canonical.path.js';
import { changingOf } from './changing.columns.js';
import { ConflictColumns } from './conflict.columns.js';
import { conflictIndexOf } from './conflict.index.js';
import { Idempotency, type KeptWork } from '../idempotency.js';
import { InputJudge } from '../input.judge.js';
import { RecordPlace } from '../record.place.js';
import { recordWrites, type RecordWrites } from '../record.writes.js';
import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { RecordReply } from '../../../endpoint/reply.js';
import type { Attempt } from '../../../records/writes/upsert/unit.upsert.js';
import type { UpsertAnswer, UpsertTarget } from '../../../records/writes/writes.js';
import type { RecordInput } from '../../../request/record.input.js';
import { ReplacedColumns } from './replaced.columns.js';
import { upsertDescription } from './upsert.description.js';
import type { UpsertOptions } from './upsert.options.js';
import { UpsertLifeCycle } from './upsert.life.cycle.js';
import { UpsertPrecondition } from './upsert.precondition.js';
import { outcomes } from '../../../wire/outcome.table.js';
import { boolean, check, names } from '../../../options/checks.js';
import type { ColumnsOf } from '../../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../../options/option.check.js';
import {
  filterChecks,
  idempotencyChecks,
  lookupChecks,
  preconditionChecks,
  saveChecks,
  writeableChecks,
} from '../../../endpoint/options/endpoint.checks.js';

type Names = NamesOf<UpsertOptions<object>>;

/** Creates a record, or updates the one that has the same key already. */
export class Upsert<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  Text = string,
> extends Endpoint<
  UpsertOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], UpsertOptions<E, I, Entity, Readable, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...selectionChecks,
    ...lookupChecks,
    ...filterChecks,
    ...preconditionChecks,
    ...idempotencyChecks,
    ...saveChecks,
    ...nestedChecks,
    conflictColumnNames: names,
    replaces: boolean,
    createStatus: check('200 or 201', (value) => value === 200 || value === 201),
  } satisfies ChecksOf<Omit<UpsertOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['PUT'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation = 'upsert';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const conflict = ConflictColumns.of(context, model, options);
    const writeableColumnNames = conflict.writeable(options.writeableColumnNames);
    const input = { ...options, writeableColumnNames };
    const judge = new InputJudge(context, model, input, false, conflict.settled);
    const replaced = options.replaces === true && ReplacedColumns.of(context, model, writeableColumnNames);
    const tags = EntityTags.of(context, model, options);
    const place = this.#createStatus === 201 ? RecordPlace.of(context, model, options) : undefined;
    const outputs = SelectableOutput.of(context, model, options, (chosen) =>
      recordOutput(context, model, options, tags, place, chosen),
    );
    const filter = context.filter(model, options);
    const precondition = new UpsertPrecondition(context, model, options);
    const lifeCycle = new UpsertLifeCycle(context, model, options);
    const changing = changingOf(context, judge.columns, conflict, model);
    const upsert = {
      conflict,
      index: conflictIndexOf(context, model, conflict),
      judge,
      filter,
      precondition: precondition.versions,
      changing,
    };
    const related = NestedWrites.of(context, model, options, 'update');
    const plan = { judge, comparesStored: judge.comparesColumns, lifeCycle, upsert, related };
    const read = inputReader({ conflict, judge, replaced, related });
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordWrites(context, model, options, { ...plan, output }),
    );
    const path = CanonicalPath.of(context, model, conflict.inPath);
    const idempotency = Idempotency.of(context, model, options, path);
    return {
      ...traitsOf(outputs.usual, filter, precondition, { reasons }, idempotency),
      isOneStatement: isOneStatement && idempotency === undefined,
      handle: outputs.handling((output) => {
        const { writes, unit } = writesOf(output);
        const answer = output.answeringEither(this.#createStatus);
        return async (request) => {
          const body = request.requiredJsonObject();
          const mark = await idempotency?.markOf(request, body);
          const target = precondition.read(request);
          const input = await read(request, body);
          if (mark !== undefined && idempotency !== undefined) {
            const work = keptUpsert({ unit, related }, request, { target, input }, answer);
            return idempotency.once(request, mark, work, place);
          }
          if (judge.isRefused(input)) input.refuseIfInvalid();
          return writes.upsert(request, target, input, answer);
        };
      }),
      describe: () => upsertDescription(context, model, options, { conflict, outputs, place, related }),
    };
  }

  get #createStatus(): 200 | 201 {
    return this.options.createStatus ?? outcomes.created.statusCode;
  }
}

/** The parts that the input of a request is read with. */
interface InputParts {
  readonly conflict: ConflictColumns;
  readonly judge: InputJudge;
  /** False where columns that are left out stay as they are. */
  readonly replaced: ReplacedColumns | false;
  readonly related: NestedWrites | undefined;
}

/** Reads the record of a body, and compares it with what the path says. */
function inputReader({ conflict, judge, replaced, related }: InputParts) {
  return async (request: EndpointRequest, body: ReadonlyMap<string, unknown>): Promise<RecordInput> => {
    const read = (own: ReadonlyMap<string, unknown>): RecordInput => {
      const merged = conflict.merge(own, request.routingData);
      return judge.read(replaced === false ? merged : replaced.fill(merged), request);
    };
    const input = related === undefined ? read(body) : await related.read(body, request, read);
    conflict.compare(input, body);
    return input;
  };
}

/** The steps of an Upsert whose answer is kept. Its input is judged with the record locked: only then is known which it is. */
function keptUpsert(
  { unit, related }: { readonly unit: RecordWrites['unit']; readonly related: NestedWrites | undefined },
  request: EndpointRequest,
  { target, input }: { readonly target: UpsertTarget; readonly input: RecordInput },
  answer: UpsertAnswer<EndpointRequest, RecordReply>,
): KeptWork {
  let attempt: Attempt = {};
  return {
    explained: (work) =>
      unit.explained(request, input, (begun) => {
        attempt = begun;
        return work();
      }),
    transaction: related?.around(request, input),
    judge: () => Promise.resolve(),
    write: async () => {
      const { key, isNew } = await unit.createOrUpdate(request, target, input, attempt);
      return { keys: [key], reply: await answer(request, await unit.readBack(request, key), isNew) };
    },
  };
}
