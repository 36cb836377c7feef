import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims, TenantRecords } from '@nest-endpoints/auth';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  defineColumns,
  EndpointGroup,
  IdempotencyRecord,
  RestfulApi,
  Update,
  Upsert,
} from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { service } from '../support/contract.js';
import { operationAt } from '../support/documents.js';
import { Claims } from './claims.js';

/** Cases are everybody's. Their notes are a tenant's, and their marks of an office. */
const Case = defineEntity({
  name: 'Case',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().unique(),
    notes: () => p.oneToMany(Note).mappedBy('about'),
    marks: () => p.oneToMany(Mark).mappedBy('about'),
  },
});

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string(),
    text: p.string(),
    about: () => p.manyToOne(Case).nullable(),
  },
});

const Mark = defineEntity({
  name: 'Mark',
  properties: {
    id: p.integer().primary().autoincrement(),
    office: p.string(),
    text: p.string(),
    about: () => p.manyToOne(Case).nullable(),
    stamps: () => p.oneToMany(Stamp).mappedBy('on'),
  },
});

const Stamp = defineEntity({
  name: 'Stamp',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    on: () => p.manyToOne(Mark).nullable(),
  },
});

defineColumns(Mark, { office: { type: new CreatedByAuthorizationDataColumn('office') } });

const lists = {
  readableColumnNames: ['id', 'text'],
  searchableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const cases = {
  modelClass: Case,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['name'],
} as const;

const known = new RequireClaims('sub');

const { contract } = service({
  entities: [Case, Note, Mark, Stamp, IdempotencyRecord],
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      endpoints: [
        new Create({
          ...cases,
          authorization: known,
          url: 'noted',
          idempotency: true,
          writeableRelations: { notes: { through: 'notes' } },
        }),
        new Create({
          ...cases,
          authorization: known,
          url: 'marked',
          idempotency: true,
          writeableRelations: { marks: { through: 'marks' } },
        }),
        new Upsert({
          ...cases,
          authorization: known,
          url: 'kept',
          conflictColumnNames: ['name'],
          idempotency: true,
          writeableRelations: { notes: { through: 'notes' } },
        }),
        new RestfulApi({
          ...lists,
          url: 'notes',
          modelClass: Note,
          authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
          writeableColumnNames: ['text', 'aboutId'],
        }),
        new RestfulApi({
          ...lists,
          url: 'marks',
          modelClass: Mark,
          writeableColumnNames: ['text', 'aboutId'],
        }),
      ],
    }),
  ],
});

const by = (claims: object): Record<string, string> => ({
  'X-Claims': JSON.stringify({ sub: 'ann', ...claims }),
  'Idempotency-Key': '"k"',
});

for (const [path, list, one, other, entity, column] of [
  ['/noted', 'notes', { tenant: 'a' }, { tenant: 'b' }, Note, 'tenant'],
  ['/marked', 'marks', { office: 'a' }, { office: 'b' }, Mark, 'office'],
  ['/kept', 'notes', { tenant: 'a' }, { tenant: 'b' }, Note, 'tenant'],
] as const)
  contract(
    `A key is that of a sender as the rules of related records see them: ${path}`,
    async ({ request, em }) => {
      const isUpsert = path === '/kept';
      const members = [{ text: 'mine' }];
      const sent = (claims: object, name: string) =>
        (isUpsert ? request().put(path) : request().post(path))
          .set(by(claims))
          .send({ name, [list]: isUpsert ? { create: members } : members });
      const first = await sent({ ...one, exp: 1, jti: 'x' }, 'first');
      const again = await sent({ ...one, exp: 2, jti: 'y' }, 'first');
      const second = await sent(other, 'second');
      expect([first.status, again.status, second.status]).toEqual([201, 201, 201]);
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
      expect(second.headers['idempotency-replayed']).toBeUndefined();
      const written = await em().findAll(entity as typeof Note, { orderBy: { id: 'asc' } });
      expect(written.map((record) => Reflect.get(record, column) as unknown)).toEqual(['a', 'b']);
    },
  );

const maker = new RequireClaims({ role: 'maker' });

const ruled = service({
  entities: [Case, Note, Mark, Stamp, IdempotencyRecord],
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      endpoints: [
        new Schema({ url: 'schema' }),
        ...(['notes', 'marks'] as const).map(
          (list) =>
            new EndpointGroup({
              url: `with-${list}`,
              endpoints: [
                new Create({
                  ...cases,
                  url: 'cases',
                  writeableRelations: {
                    [list]: {
                      through: list,
                      ...(list === 'marks' && { writeableRelations: { stamps: { through: 'stamps' } } }),
                    },
                  },
                }),
                new Update({
                  ...cases,
                  url: 'cases/:id',
                  writeableRelations: { [list]: { through: list } },
                }),
                new Upsert({
                  ...cases,
                  url: 'kept',
                  conflictColumnNames: ['name'],
                  writeableRelations: { [list]: { through: list } },
                }),
              ],
            }),
        ),
        new RestfulApi({
          ...lists,
          url: 'notes',
          modelClass: Note,
          access: { create: maker },
          writeableColumnNames: ['tenant', 'text', 'aboutId'],
        }),
        new RestfulApi({
          ...lists,
          url: 'marks',
          modelClass: Mark,
          writeableColumnNames: ['text', 'aboutId'],
        }),
        new RestfulApi({
          ...lists,
          url: 'stamps',
          modelClass: Stamp,
          authorization: maker,
          writeableColumnNames: ['text', 'onId'],
        }),
      ],
    }),
  ],
});

ruled.contract(
  'A document tells of the 403 of rules by which related records are written',
  async ({ request, count }) => {
    const who = { 'X-Claims': '{"sub":"ann","office":"a"}' };
    const { body: document } = await request().get('/schema').set(who);
    const isTold = (method: string, path: string): boolean =>
      '403' in operationAt(document as never, method, path).responses;
    expect({
      notes: ['post /with-notes/cases', 'patch /with-notes/cases/{id}', 'put /with-notes/kept'].map((one) =>
        isTold(...(one.split(' ') as [string, string])),
      ),
      marks: ['post /with-marks/cases', 'patch /with-marks/cases/{id}', 'put /with-marks/kept'].map((one) =>
        isTold(...(one.split(' ') as [string, string])),
      ),
    }).toEqual({ notes: [true, true, true], marks: [true, false, false] });
    const sent = async (path: string, body: object): Promise<number> =>
      (await request().post(path).set(who).send(body)).status;
    expect(await sent('/with-notes/cases', { name: 'x', notes: [{ text: 'y', tenant: 'a' }] })).toBe(403);
    const stamped = { name: 'x', marks: [{ text: 'y', stamps: [{ text: 'z' }] }] };
    expect(await sent('/with-marks/cases', stamped)).toBe(403);
    expect(await count(Case)).toBe(0);
  },
);
