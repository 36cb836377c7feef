import { expect, test } from '@jest/globals';
import { Authorization, List } from '@nest-endpoints/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { startApplication } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';
import { board, listening, of, slips, told } from './live.board.js';

/** True while nobody gets an answer about their rights. */
const rights = { isSilent: false };

class Silent extends Authorization {
  override gate(): boolean | Promise<boolean> {
    return rights.isSilent ? new Promise(() => undefined) : true;
  }
}

const { contract } = service(
  board({ judgeEvery: 1000 }, [
    new List({
      ...slips,
      url: 'asked',
      live: true,
      authentication: new Claims(),
      authorization: new Silent(),
    }),
  ]),
  once,
);

contract('A stream ends whose rights are asked for, and nobody says yes', async (subject) => {
  await listening(subject, [['/asked', of('a')]], async (stream) => {
    await stream.until(told);
    rights.isSilent = true;
    await stream.ended();
    expect(stream.retry).toBeGreaterThanOrEqual(1000);
  });
});

test('A network of IPv6 is one client, whatever its address', async () => {
  const application = await startApplication('express', 'postgresql', {
    ...board({ maximumStreamsEach: 2 }),
    configure: (app) => {
      (app as NestExpressApplication).set('trust proxy', true);
    },
  });
  const from = (address: string) => Listener.open(`${application.url}/slips`, { 'X-Forwarded-For': address });
  const streams = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1', '192.0.2.1'])
    streams.push(await from(address));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200]);
  for (const stream of streams) stream.close();
  await application.close();
});
