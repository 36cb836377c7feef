import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { BadRequestException, HttpException, UnprocessableEntityException } from '@nestjs/common';
import { success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const { contract } = service({
  entities: library,
  endpoints: [
    ...(
      [
        ['accepted', () => new HttpException('queued', 202)],
        ['found', () => new HttpException({ id: 7 }, 302)],
        ['no-content', () => new HttpException('nothing', 204)],
        ['not-modified', () => new HttpException('the same', 304)],
        ['informed', () => new HttpException('early', 103)],
        ['odd', () => new HttpException('odd', 700)],
        ['unwritten', () => new HttpException({ n: 1n }, 202)],
        ['pipe', () => new BadRequestException(['a is wrong', 'b is wrong'])],
        [
          'validator',
          () =>
            new UnprocessableEntityException([
              { property: 'a', constraints: { isInt: 'a is no number' }, children: [] },
              { property: 'b', children: [{ property: 'c', constraints: { isIn: 'b.c is unknown' } }] },
            ]),
        ],
        ['shapeless', () => new BadRequestException({ errors: [1, 2] })],
      ] as const
    ).map(([url, make]) => new Callable({ url: `thrown/${url}`, toCall: () => Promise.reject(make()) })),
  ],
});

contract(
  'A thrown HttpException below 400 is a success with its status, and no defect',
  async ({ raw, log }) => {
    const answers = await Promise.all(['accepted', 'found'].map((path) => raw('GET', `/thrown/${path}`)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, success('queued')],
      [302, success({ id: 7 })],
    ]);
    for (const [path, status] of [
      ['no-content', 204],
      ['not-modified', 304],
    ] as const) {
      const answer = await raw('GET', `/thrown/${path}`);
      expect([answer.status, answer.text]).toEqual([status, '']);
    }
    expect(log.text('error')).toBe('');
    for (const path of ['informed', 'odd', 'unwritten'])
      expect([(await raw('GET', `/thrown/${path}`)).status]).toEqual([500]);
    expect(log.text('error')).not.toBe('');
  },
);

contract('A thrown HttpException with several messages keeps them all', async ({ request }) => {
  const message = async (path: string): Promise<unknown> => {
    const { status, body } = await request().get(`/thrown/${path}`);
    return [status, (body as { error: string }).error];
  };
  expect(await message('pipe')).toEqual([400, 'a is wrong; b is wrong']);
  expect(await message('validator')).toEqual([422, 'a is no number; b.c is unknown']);
  expect(await message('shapeless')).toEqual([400, 'Bad Request Exception']);
});
