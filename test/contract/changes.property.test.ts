import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  ChangeRecord,
  changeTriggersSql,
  Get,
  recordChanges,
  RestfulApi,
  softDelete,
  Upsert,
} from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { once, service, type Subject } from '../support/contract.js';
import { changing } from './changes.fields.js';
import { connectionOf } from '../support/catalogue.js';
import { now } from './changes.clock.js';
import { logOf, type Logged } from './changes.town.js';
import { Claims } from './claims.js';
import { step, taken, World, type Known, type Step } from './soft.world.js';

const options = (name: string) => ({
  name,
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(1),
    code: p.string().length(8),
    name: p.string().nullable(),
    deletedAt: p.datetime().nullable(),
    version: p.integer().version(),
  },
  uniques: [{ properties: ['tenant', 'code'] as ['tenant', 'code'], where: { deletedAt: null } }],
});

const Hut = defineEntity(options('Hut'));
const Lodge = defineEntity(options('Lodge'));

softDelete(Hut, { columnName: 'deletedAt' });
softDelete(Lodge, { columnName: 'deletedAt' });
recordChanges(Hut, { keepFor: 'forever' });
recordChanges(Lodge, { keepFor: 'forever', capture: 'trigger' });

const endpointsOf = (modelClass: typeof Hut, url: string) => {
  const common = {
    modelClass,
    readableColumnNames: ['id', 'code', 'name'],
    writeableColumnNames: ['code', 'name'],
    authentication: new Claims(),
    authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
  } as const;
  return [
    new Upsert({ ...common, url: `put/${url}`, conflictColumnNames: ['tenant', 'code'] }),
    new RestfulApi({
      ...common,
      url,
      sortableColumnNames: ['id'],
      searchableColumnNames: ['code'],
      defaultSortColumnName: 'id',
      trash: { purge: true },
      bulk: true,
    }),
    new Get({
      modelClass,
      url: `past/${url}/:id`,
      readableColumnNames: ['tenant', 'code', 'name', 'deletedAt'],
      records: 'all',
      timeTravel: true,
    }),
  ];
};

const { contract } = service(
  {
    entities: [Hut, Lodge, ChangeRecord],
    providers: [changing((orm) => connectionOf(orm).executeDump(changeTriggersSql(orm.em)))],
    endpoints: [...endpointsOf(Hut, 'huts'), ...endpointsOf(Lodge, 'lodges')],
  },
  once,
);

/** The records at one moment, by their ids. */
interface Moment {
  readonly at: string;
  readonly records: ReadonlyMap<number, Known>;
}

const momentOf = async (subject: Subject, world: World): Promise<Moment> => {
  const at = await now(subject);
  return { at, records: new Map([...world.records].map(([id, one]) => [id, { ...one }])) };
};

/** The records before a change, or behind it. */
const applied = (known: ReadonlyMap<string, object>, id: string, values: object | null) => {
  const next = new Map(known);
  if (values === null) next.delete(id);
  else next.set(id, { ...known.get(id), ...values });
  return next;
};

const shownOf = (records: Iterable<readonly [unknown, object]>) =>
  [...records]
    .map(([id, one]) => {
      const { tenant, code, name, isDeleted, deletedAt } = one as Record<string, unknown>;
      return { id: Number(id), tenant, code, name, isDeleted: isDeleted ?? deletedAt !== null };
    })
    .toSorted((one, other) => one.id - other.id);

/** Every state that the log tells of, from the first one to the last, and back again. */
const replayed = (log: readonly Logged[]) => {
  let now: ReadonlyMap<string, object> = new Map();
  const forward = log.map(({ recordId, after }) => (now = applied(now, recordId, after)));
  const back: ReadonlyMap<string, object>[] = [];
  for (const { recordId, before } of log.toReversed()) {
    back.unshift(now);
    now = applied(now, recordId, before);
  }
  return { forward, back, first: now };
};

/** The length of a run: `STEPS=1000 QUESTIONS=2000` is the long form. */
const steps = Number(process.env['STEPS'] ?? 30);
/** The most questions about the past of one run. */
const questions = Number(process.env['QUESTIONS'] ?? 100);

contract(
  'Whatever two tenants do, the log replayed and as_of give every earlier state of an in-memory model',
  async (subject) => {
    const { request, em } = subject;
    const live = async (url: 'huts' | 'lodges', all: readonly Step[]) => {
      const model = url === 'huts' ? Hut : Lodge;
      await em().fork().nativeDelete(model, {});
      await em().getConnection().execute('delete from change_record');
      const world = new World();
      const moments: Moment[] = [];
      for (const one of all) {
        const [expected, status] = await taken(subject, world, one, {
          records: `/${url}`,
          put: `/put/${url}`,
        });
        expect([one, status]).toEqual([one, expected]);
        moments.push(await momentOf(subject, world));
      }
      const log = await logOf(subject);
      const { forward, back, first } = replayed(log);
      expect(shownOf(forward.at(-1) ?? [])).toEqual(shownOf(world.records));
      expect(forward.map((state) => shownOf(state))).toEqual(back.map((state) => shownOf(state)));
      expect(first.size).toBe(0);
      const told = moments.filter(({ records }) => records.size > 0);
      const ids = [...new Set(log.map(({ recordId }) => Number(recordId)))];
      const asked = told.flatMap((moment) => ids.map((id) => ({ moment, id })));
      const every = Math.max(1, Math.ceil(asked.length / questions));
      for (const { moment, id } of asked.filter((_, index) => index % every === 0)) {
        const { status, body } = await request().get(`/past/${url}/${id}`).query({ as_of: moment.at });
        const known = moment.records.get(id);
        const then =
          known === undefined
            ? [404]
            : [200, { tenant: known.tenant, code: known.code, name: known.name }, known.isDeleted];
        const { deleted_at: mark, ...values } = body.data ?? {};
        expect([id, moment.at, ...(status === 200 ? [200, values, mark !== null] : [status])]).toEqual([
          id,
          moment.at,
          ...then,
        ]);
      }
    };
    for (const url of ['huts', 'lodges'] as const) {
      const every = fc.array(step, { minLength: steps, maxLength: steps });
      const property = fc.asyncProperty(every, (all) => live(url, all));
      await fc.assert(property, { numRuns: Number(process.env['RUNS'] ?? 1) });
    }
  },
);
