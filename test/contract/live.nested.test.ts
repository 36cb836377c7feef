import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { ChangeRecord, recordChanges, RestfulApi, softDelete } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import type { ApplicationOptions } from '../support/application.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';
import { has, listening, of, told } from './live.board.js';

/** A folder of a tenant; one that is deleted is marked. */
const Folder = defineEntity({
  name: 'Folder',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    deletedAt: p.datetime().nullable(),
  },
});

/** A leaf in a folder, which says itself of no tenant. */
const Leaf = defineEntity({
  name: 'Leaf',
  properties: { id: p.integer().primary(), text: p.text(), folder: () => p.manyToOne(Folder) },
});

softDelete(Folder, { columnName: 'deletedAt' });
recordChanges(Leaf, { keepFor: 'forever' });

const leaves = {
  url: 'folders/:folderId/leaves',
  modelClass: Leaf,
  parent: 'folder',
  live: true,
  authentication: new Claims(),
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
  searchableColumnNames: ['text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const shelf = (endpoint: RestfulApi, root: ApplicationOptions['root'] = {}): ApplicationOptions => ({
  entities: [Folder, Leaf, ChangeRecord],
  endpoints: [endpoint],
  root: {
    cursorSecret: 'the same secret of all processes',
    ...root,
    live: new LiveLists({ interval: 100, judgeEvery: 1000 }),
  },
});

/** Saves folders of a tenant, each with a leaf of the same key. */
const filled = async ({ save }: Subject, tenant: string, ids: readonly number[]): Promise<void> => {
  for (const id of ids) {
    await save(Folder, { id, tenant });
    await save(Leaf, { id, text: 'first', folder: id });
  }
};

const changed = ({ em }: Subject, id: number, text: string): Promise<void> =>
  em().transactional(async (own) => {
    (await own.findOneOrFail(Leaf, id)).text = text;
  });

const pathOf = (folder: number): string => `/folders/${folder}/leaves`;

/** Opens streams of folders that are lost and of one that stays, and sees the former end, and hear nothing of what comes then. */
const endsAlone = async (
  subject: Subject,
  { lost, stays, headers }: { lost: readonly number[]; stays: number; headers: Record<string, string> },
  lose: () => Promise<unknown>,
): Promise<void> => {
  const paths = [pathOf(stays), ...lost.flatMap((id) => [pathOf(id), `${pathOf(id)}/${id}`])];
  const asked = paths.map((path) => [path, headers] as const);
  await listening(subject, asked, async (other, ...streams) => {
    for (const stream of [other, ...streams]) await stream.until(told);
    await lose();
    for (const stream of streams) await stream.ended();
    // All are judged at the same time: the one that stays was, too.
    for (const id of [...lost, stays]) await changed(subject, id, 'second');
    await other.until(has('changed'));
    expect(other.named('changed')).toEqual([{ data: { id: stays, text: 'second' } }]);
    for (const stream of streams) {
      expect(stream.events.map(({ event }) => event)).toEqual(['snapshot']);
      expect(stream.retry).toBeGreaterThanOrEqual(1000);
    }
    for (const id of lost) {
      const again = { ...headers, 'Last-Event-ID': streams[0]?.lastId ?? '' };
      const next = await Listener.open(`${subject.url}${pathOf(id)}`, again);
      expect(next.status).toBe(404);
      next.close();
    }
  });
};

const tenants = service(
  shelf(
    new RestfulApi({
      ...leaves,
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    }),
  ),
  bothPostgresql,
);

tenants.contract('A stream ends whose parent became that of another tenant', async (subject) => {
  await filled(subject, 'a', [1, 2]);
  await endsAlone(subject, { lost: [1], stays: 2, headers: of('a') }, () =>
    subject.em().nativeUpdate(Folder, 1, { tenant: 'b' }),
  );
});

tenants.contract('A stream ends whose parent is deleted, marked or for good', async (subject) => {
  const { em, save } = subject;
  await filled(subject, 'a', [1, 2]);
  await save(Folder, { id: 3, tenant: 'a' });
  await listening(subject, [[pathOf(3), of('a')]], async (empty) => {
    await empty.until(told);
    await endsAlone(subject, { lost: [1], stays: 2, headers: of('a') }, async () => {
      await em().nativeUpdate(Folder, 1, { deletedAt: new Date() });
      await em().nativeDelete(Folder, 3);
    });
    await empty.ended();
    expect(empty.named('snapshot')).toEqual([{ data: [] }]);
  });
});

const policies = service(
  shelf(new RestfulApi(leaves), {
    rowLevelSecurity: {
      variables: (identity) => ({ 'app.tenant': (identity as { tenant?: string } | undefined)?.tenant }),
      role: 'nest_endpoints_reader',
    },
  }),
  bothPostgresql,
);

/** Lets a policy say that folders are their tenant's; leaves have none. */
const protect = ({ em }: Subject): Promise<unknown> =>
  em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_reader;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on folder, leaf to nest_endpoints_reader;
    alter table folder enable row level security;
    drop policy if exists own on folder;
    create policy own on folder using (tenant = current_setting('app.tenant', true));`);

policies.contract('A stream ends whose parent a policy of the database hides by now', async (subject) => {
  await protect(subject);
  await filled(subject, 'a', [1, 2]);
  await endsAlone(subject, { lost: [1], stays: 2, headers: of('a') }, () =>
    subject.em().nativeUpdate(Folder, 1, { tenant: 'b' }),
  );
});
