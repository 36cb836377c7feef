import { fc } from '../support/property.js';
import type { Subject } from '../support/contract.js';
import { of } from './parted.shop.js';

export const tenants = ['a', 'b'] as const;
type Tenant = (typeof tenants)[number];

/** A task as it should be. */
interface Known {
  name: string;
  rank: number;
  project: number | null;
}

interface Sent {
  readonly name?: string;
  readonly rank?: number;
  readonly project_id?: number | null;
}

/** The endpoints that write one record: past MikroORM, through it, and with a list of keys. */
type Url = 'flat' | 'hooked' | 'tasks';

/** A request about the records of a tenant. */
export type Step = { readonly tenant: Tenant; readonly url: Url } & (
  | { readonly is: 'create' | 'update' | 'upsert' | 'once'; readonly id: number; readonly sent: Sent }
  | { readonly is: 'get' | 'delete'; readonly id: number }
  | { readonly is: 'createMany' | 'deleteMany'; readonly ids: readonly number[] }
  | { readonly is: 'updateMany'; readonly ids: readonly number[]; readonly rank: number }
  | { readonly is: 'search'; readonly project: number }
  | { readonly is: 'list' | 'totals' }
);

/** The ids that both tenants have, so that each record of one has a twin. */
const id = fc.integer({ min: 1, max: 5 });
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });
const name = fc.constantFrom('one', 'two', 'three', 'four');
const rank = fc.nat(3);
// The third is nobody's.
const projectId = fc.constantFrom(1, 2, 3, null);
const common = {
  tenant: fc.constantFrom(...tenants),
  url: fc.constantFrom<Url>('flat', 'hooked', 'tasks'),
};
const whole = fc.record({ name, rank, project_id: projectId });
const some = fc.record({ name, rank, project_id: projectId }, { requiredKeys: [] });

/** Any step. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ ...common, is: fc.constantFrom('create' as const, 'upsert' as const), id, sent: whole }),
  fc.record({ ...common, is: fc.constant('once' as const), id, sent: whole }),
  fc.record({ ...common, is: fc.constant('update' as const), id, sent: some }),
  fc.record({ ...common, is: fc.constantFrom('get' as const, 'delete' as const), id }),
  fc.record({ ...common, is: fc.constantFrom('createMany' as const, 'deleteMany' as const), ids }),
  fc.record({ ...common, is: fc.constant('updateMany' as const), ids, rank }),
  fc.record({ ...common, is: fc.constant('search' as const), project: fc.constantFrom(1, 2) }),
  fc.record({ ...common, is: fc.constantFrom('list' as const, 'totals' as const) }),
);

/** An answer, as far as a world knows it: undefined where a status says all. */
type Answer = readonly [status: number, data?: unknown];

const projects = new Map([
  [1, 'house'],
  [2, 'garden'],
]);

/** The tasks that there should be of one tenant. */
export class World {
  readonly tasks = new Map<number, Known>();
  readonly #kept = new Map<string, Answer>();

  constructor(private readonly tenant: Tenant) {}

  /** All of them, as a list has them. */
  get shown(): readonly object[] {
    return [...this.tasks.keys()].toSorted((one, other) => one - other).map((one) => this.#shown(one));
  }

  answerTo(one: Step): Answer {
    switch (one.is) {
      case 'create':
        return this.#written(one.id, one.sent, true);
      case 'once': {
        const text = JSON.stringify([one.id, one.sent]);
        const known = this.#kept.get(text);
        if (known !== undefined) return known;
        const answer = this.#written(one.id, one.sent, true);
        if (answer[0] === 201) this.#kept.set(text, answer);
        return answer;
      }
      case 'upsert':
        return this.#written(one.id, one.sent, !this.tasks.has(one.id));
      case 'update':
        return this.tasks.has(one.id) ? this.#written(one.id, one.sent, false) : [404];
      case 'get':
        return this.tasks.has(one.id) ? [200, this.#shown(one.id)] : [404];
      case 'delete':
        return [this.tasks.delete(one.id) ? 200 : 404];
      case 'createMany':
        return this.#createdMany(one.ids);
      case 'updateMany': {
        const found = one.ids.flatMap((own) => this.tasks.get(own) ?? []);
        if (found.length < one.ids.length) return [400];
        for (const each of found) each.rank = one.rank;
        return [200, one.ids.map((own) => this.#shown(own))];
      }
      case 'deleteMany':
        if (!one.ids.every((own) => this.tasks.has(own))) return [400];
        for (const own of one.ids) this.tasks.delete(own);
        return [200];
      case 'list':
        return [200, this.shown];
      case 'search':
        return [200, this.#of(one.project).toSorted((a, b) => a - b)];
      case 'totals':
        return [200, [null, 1, 2].map((own) => this.#of(own).length)];
    }
  }

  #createdMany(all: readonly number[]): Answer {
    const names = all.map((own) => `many ${own}`);
    const isTaken = all.some((own) => this.tasks.has(own)) || names.some((own) => this.#named(own));
    if (isTaken) return [400];
    for (const own of all) this.tasks.set(own, { name: `many ${own}`, rank: 0, project: null });
    return [201, all.map((own) => this.#shown(own))];
  }

  #written(own: number, sent: Sent, isNew: boolean): Answer {
    const known = this.tasks.get(own);
    const other = sent.name === undefined ? undefined : this.#named(sent.name);
    const isTaken = (isNew && known !== undefined) || (other !== undefined && (isNew || other !== own));
    const hasParent = sent.project_id == null || projects.has(sent.project_id);
    if (isTaken || !hasParent) return [400];
    const before = isNew || known === undefined ? { name: '', rank: 0, project: null } : known;
    this.tasks.set(own, {
      name: sent.name ?? before.name,
      rank: sent.rank ?? before.rank,
      project: sent.project_id === undefined ? before.project : sent.project_id,
    });
    return [isNew ? 201 : 200, this.#shown(own)];
  }

  #named(name: string): number | undefined {
    return [...this.tasks].find(([, one]) => one.name === name)?.[0];
  }

  #of(project: number | null): readonly number[] {
    return [...this.tasks].flatMap(([own, one]) => (one.project === project ? [own] : []));
  }

  #shown(own: number): object {
    const { name, rank, project } = this.tasks.get(own) ?? { name: '', rank: 0, project: null };
    const parent = project === null ? null : { name: `${this.tenant} ${projects.get(project)}` };
    return { id: own, name, rank, project_id: project, project: parent };
  }
}

/** Sends a step, and gives its answer as a world has it. */
export const answerOf = async ({ request }: Subject, one: Step): Promise<Answer> => {
  const who = of(one.tenant);
  const told = ({ status, body }: { status: number; body: { data: unknown } }): Answer =>
    status < 300 ? [status, bared(body.data)] : [status];
  switch (one.is) {
    case 'create':
      return told(
        await request()
          .post(`/${one.url}`)
          .set(who)
          .send({ id: one.id, ...one.sent }),
      );
    case 'once': {
      const body = { id: one.id, ...one.sent };
      const key = JSON.stringify(body).replaceAll(/[^\w]/g, '_');
      return told(
        await request()
          .post('/once')
          .set({ ...who, 'Idempotency-Key': key })
          .send(body),
      );
    }
    case 'upsert':
      return told(await request().put(`/kept/${one.id}`).set(who).send(one.sent));
    case 'update':
      return told(await request().patch(`/${one.url}/${one.id}`).set(who).send(one.sent));
    case 'get':
      return told(await request().get(`/${one.url}/${one.id}`).set(who));
    case 'delete':
      return [(await request().delete(`/${one.url}/${one.id}`).set(who)).status];
    case 'createMany': {
      const records = one.ids.map((own) => ({ id: own, name: `many ${own}` }));
      return told(
        await request()
          .post(`/${bulk(one.url)}/bulk`)
          .set(who)
          .send({ records }),
      );
    }
    case 'updateMany': {
      const records = one.ids.map((own) => ({ id: own, rank: one.rank }));
      return told(
        await request()
          .patch(`/${bulk(one.url)}/bulk`)
          .set(who)
          .send({ records }),
      );
    }
    case 'deleteMany':
      return [
        (
          await request()
            .delete(`/${bulk(one.url)}/bulk`)
            .set(who)
            .send({ ids: one.ids })
        ).status,
      ];
    case 'list':
      return told(await request().get(`/${one.url}?sort=id`).set(who));
    case 'search': {
      const where = [{ column: 'project_id', operator: '=', value: one.project }];
      const { status, body } = await request().post('/search').set(who).send({ where, limit: 100 });
      const found = (body.data as readonly { id: number }[]).map((record) => record.id);
      return [status, found.toSorted((a, b) => a - b)];
    }
    case 'totals': {
      const { status, body } = await request().get('/totals?group_by=project_id').set(who);
      const counts = new Map(
        (body.data as readonly { project_id: number | null; count: number }[]).map((group) => [
          group.project_id,
          group.count,
        ]),
      );
      return [status, [null, 1, 2].map((own) => counts.get(own) ?? 0)];
    }
  }
};

const bulk = (url: Url): string => (url === 'tasks' ? 'hooked' : url);

/** What all endpoints tell of a task alike. */
const bared = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(bared);
  const { id: own, name, rank, project_id, project } = data as Record<string, unknown>;
  const parent = project as { readonly name: string } | null;
  return { id: own, name, rank, project_id, project: parent === null ? null : { name: parent.name } };
};
