import { expect } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { BadRequestException } from '@nestjs/common';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { Reading, Station, StationList } from './station.list.js';

const list = new StationList();
const heard: unknown[] = [];

const { contract } = service(
  {
    entities: [Station, Reading],
    root: { backends: [{ modelClass: Station, backend: list }] },
    endpoints: [
      new RestfulApi({
        url: 'stations',
        modelClass: Station,
        readableColumnNames: ['id', 'callSign', 'height'],
        writeableColumnNames: ['callSign', 'height'],
        sortableColumnNames: ['callSign'],
        searchableColumnNames: ['callSign'],
        defaultSortColumnName: 'callSign',
        beforeSave: ({ record, changes }) => {
          heard.push(['beforeSave', { ...changes }]);
          if (record.callSign === 'NONE') throw new BadRequestException('A station has a call sign');
          record.callSign = record.callSign.toUpperCase();
        },
        afterSave: ({ record, changes }) => {
          heard.push(['afterSave', record.id, { ...changes }]);
        },
        afterCommit: ({ record, operation }) => {
          heard.push(['afterCommit', operation, record.callSign]);
        },
      }),
    ],
  },
  once,
);

contract('Functions of the life cycle run around the writes of a backend', async ({ request }) => {
  list.clear();
  heard.length = 0;
  const created = await request().post('/stations').send({ call_sign: 'eddf', height: 111 });
  expectAnswer(created, 201, success({ id: 1, call_sign: 'EDDF', height: 111 }));
  const updated = await request().patch('/stations/1').send({ call_sign: 'EDDF', height: 112 });
  expectAnswer(updated, 200, success({ id: 1, call_sign: 'EDDF', height: 112 }));
  await request().patch('/stations/1').send({ height: 112 });
  await request().delete('/stations/1');
  expect(heard).toEqual([
    ['beforeSave', { callSign: 'eddf', height: 111 }],
    ['afterSave', 1, expect.objectContaining({ id: 1, callSign: 'EDDF', height: 111 })],
    ['afterCommit', 'create', 'EDDF'],
    ['beforeSave', { height: 112 }],
    ['afterSave', 1, { height: 112 }],
    ['afterCommit', 'update', 'EDDF'],
    ['beforeSave', {}],
    ['afterCommit', 'delete', 'EDDF'],
  ]);
});

contract('What beforeSave refuses never reaches the backend', async ({ request }) => {
  list.clear();
  const answer = await request().post('/stations').send({ call_sign: 'NONE' });
  expectAnswer(answer, 400, clientError('A station has a call sign'));
  expect(list.records).toEqual([]);
});
