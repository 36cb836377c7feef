import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, defineColumns, EndpointGroup } from '@nest-endpoints/core';
import { FileColumn, fileEndpoints, FileRecord, SweepFiles, type StoredFile } from '@nest-endpoints/files';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { operationAt, type Part } from '../support/documents.js';
import { Claims } from './claims.js';
import { announced, as, png, storage } from './files.album.js';

/** An entity whose names are cased as the contract's are. */
const Slide = defineEntity({
  name: 'Slide',
  properties: {
    id: p.integer().primary().autoincrement(),
    scan_file: p.json<StoredFile>().nullable(),
  },
});

defineColumns(Slide, {
  scan_file: { type: new FileColumn({ storage, maximumBytes: 1000, types: ['image/png'] }) },
});

class Everybody extends Authorization {
  override gate(): boolean {
    return true;
  }
}

const authentication = new Claims();

const words = {
  snake_case: ['key', 'expires_at', 'deleted'],
  camelCase: ['key', 'expiresAt', 'deleted'],
  TitleCase: ['Key', 'ExpiresAt', 'Deleted'],
} as const;

const casings = ['snake_case', 'camelCase', 'TitleCase'] as const;

const { contract } = service(
  {
    entities: [Slide, FileRecord],
    endpoints: casings.map(
      (externalCasing) =>
        new EndpointGroup({
          url: externalCasing,
          externalCasing,
          authentication,
          endpoints: [
            fileEndpoints({ url: 'files', modelClass: Slide, columnName: 'scan_file' }),
            // It has no records: what their names are like says nothing of it.
            new SweepFiles({ url: 'sweep', internalCasing: 'TitleCase', authorization: new Everybody() }),
          ],
        }),
    ),
  },
  once,
);

const titled = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );

for (const casing of casings)
  contract(
    `Announcing a file, and sweeping, have words in ${casing}, however names of records are cased`,
    async ({ app, request }) => {
      const [key, expiresAt, deleted] = words[casing];
      const isTitle = casing === 'TitleCase';
      const [data, upload] = isTitle ? ['Data', 'Upload'] : ['data', 'upload'];
      const body = isTitle ? titled(announced(png())) : announced(png());
      const announcing = await request().post(`/${casing}/files`).set(as('ann')).send(body);
      const answered = announcing.body[data] as Record<string, object>;
      expect(Object.keys(answered)).toEqual([key, upload]);
      expect(answered[upload]).toHaveProperty(expiresAt);
      const swept = await request().post(`/${casing}/sweep`).set(as('ann'));
      expect(swept.body[data]).toEqual({ [deleted]: 0 });
      const document = openApiDocument(app);
      const textOf = (path: string, status: string): string => {
        const { content } = operationAt(document, 'post', `/${casing}/${path}`).responses[status] ?? {};
        const { schema } = (content as Record<string, { schema: Part }>)['application/json'] ?? {};
        return JSON.stringify(schema);
      };
      expect(textOf('files', '201')).toContain(`"${expiresAt}"`);
      expect(textOf('sweep', '200')).toContain(`"${deleted}"`);
    },
  );
