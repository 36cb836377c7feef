import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordReply } from '../../endpoint/reply.js';
import type { BulkUnitWrites } from '../../records/writes/bulk/bulk.unit.writes.js';
import type { UpsertedKeys } from '../../records/writes/bulk/bulk.unit.upsert.js';
import type {
  BulkAnswer,
  BulkUpsertAnswer,
  BulkWrites,
  PlacedInput,
} from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import type { KeptWork } from '../write/idempotency.js';

/** The parts that records are created with. */
interface Creating {
  readonly writes: BulkWrites<EndpointRequest, RecordInput>;
  readonly unit: BulkUnitWrites<EndpointRequest, RecordInput>;
  readonly answer: BulkUpsertAnswer<EndpointRequest, RecordReply>;
  readonly isUpsert: boolean;
}

type Inputs = readonly PlacedInput<RecordInput>[];

/** The steps of an endpoint that creates records, or changes those that are there: at once, and of one whose answer is kept. */
export function creating({ writes, unit, answer, isUpsert }: Creating): {
  readonly create: (request: EndpointRequest, inputs: Inputs) => Promise<RecordReply>;
  readonly kept: (request: EndpointRequest, inputs: Inputs) => KeptWork;
} {
  const allNew: BulkAnswer<EndpointRequest, RecordReply> = (request, rows) =>
    answer(request, rows, { created: rows.length, updated: 0 });
  return {
    create: (request, inputs) =>
      isUpsert ? writes.upsert(request, inputs, answer) : writes.create(request, inputs, allNew),
    kept: (request, inputs) =>
      isUpsert ? keptUpsert(unit, request, inputs, answer) : keptCreate(unit, request, inputs, allNew),
  };
}

/** The steps of a create whose answer is kept. */
function keptCreate(
  unit: Creating['unit'],
  request: EndpointRequest,
  inputs: Inputs,
  answer: BulkAnswer<EndpointRequest, RecordReply>,
): KeptWork {
  return {
    explained: (work) => unit.explained(request, inputs, work),
    judge: () => unit.judge(request, inputs),
    write: async () => {
      const keys = await unit.insert(request, inputs);
      return { keys, reply: await answer(request, await unit.readBack(request, keys)) };
    },
  };
}

/** The steps of an upsert whose answer is kept. It is judged with the records locked. */
function keptUpsert(
  unit: Creating['unit'],
  request: EndpointRequest,
  inputs: Inputs,
  answer: Creating['answer'],
): KeptWork {
  let upsert: (() => Promise<UpsertedKeys>) | undefined;
  return {
    explained: (work) =>
      unit.upserting(request, inputs, (write) => {
        upsert = write;
        return work();
      }),
    judge: () => Promise.resolve(),
    write: async () => {
      if (upsert === undefined) throw new TypeError('An upsert is written within its explanation');
      const { keys, counts } = await upsert();
      return { keys, reply: await answer(request, await unit.readBack(request, keys), counts) };
    },
  };
}
