import { expect } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { service } from '../support/contract.js';
import { imported, linesOf, send, transfers } from './import.rows.js';

const { contract } = service({
  entities: imported,
  endpoints: [
    new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: transfers() }),
    new EndpointGroup({ url: 'camel', externalCasing: 'camelCase', endpoints: transfers() }),
  ],
});

contract('The status word of an Import follows the casing, as that of an envelope does', async (subject) => {
  /** How an import of towns ended. */
  const ended = async (group: string, table: string): Promise<unknown> =>
    linesOf(String((await send(subject, `/${group}/towns/import`, table)).body)).at(-1);
  expect(await ended('title', 'Id,Name\n1,A\n')).toEqual({
    Status: 'Success',
    Data: { Lines: 1, Created: 1, Updated: 0, Failed: 0 },
  });
  expect(await ended('camel', 'id,name\n2,A\n')).toMatchObject({ status: 'success' });
  expect(await ended('title', 'Id,Name\n3,\n')).toMatchObject({ Status: 'InputErrors' });
  expect(await ended('camel', 'id,name\n3,\n')).toMatchObject({ status: 'inputErrors' });
  const open = '3,A\n4,"never closed';
  const error = 'line 3: a quote is not closed';
  expect(await ended('title', `Id,Name\n${open}`)).toMatchObject({ Status: 'ClientError', Error: error });
  expect(await ended('camel', `id,name\n${open}`)).toMatchObject({ status: 'clientError', error });
  const empty = subject.request().post('/title/towns/import').set('Content-Type', 'text/csv');
  expect((await empty.send('')).body).toMatchObject({ Status: 'ClientError' });
});
