import { expect, test } from '@jest/globals';
import { startApplication, startUpError } from '../support/application.js';
import { Letter, letters, Named } from './replicas.cluster.js';

test('Without replicas X-Consistency means nothing, unless readYourWrites is set', async () => {
  const options = { entities: [Letter], endpoints: letters };
  const plain = { authentication: new Named() } as const;
  for (const [root, status] of [
    [plain, 200],
    [{ ...plain, readYourWrites: true }, 400],
    [{ ...plain, readYourWrites: { seconds: 5 } }, 400],
    [{ ...plain, readYourWrites: false }, 200],
  ] as const) {
    const alone = await startApplication('express', 'postgresql', {
      ...options,
      root,
      route: 'direct',
    });
    expect((await alone.request().get('/letters').set('X-Consistency', 'forged')).status).toBe(status);
    const created = await alone.request().post('/letters').send({ text: 'mine' });
    expect(created.headers).not.toHaveProperty('x-consistency');
    await alone.close();
  }
});

test('A readYourWrites that is neither true, false nor seconds stops the start', async () => {
  const allowed = 'allowed: true, false, { seconds } with a whole number from 1 to 86400';
  for (const [readYourWrites, problem] of [
    ['yes', `'yes' is not allowed; ${allowed}`],
    [null, `null is not allowed; ${allowed}`],
    [{ minutes: 1 }, `an object with minutes is not allowed; ${allowed}`],
    [{ seconds: 0 }, `an object with seconds is not allowed; ${allowed}`],
    [{ seconds: 1.5 }, `an object with seconds is not allowed; ${allowed}`],
  ] as const) {
    const root = { readYourWrites: readYourWrites as never };
    expect(await startUpError({ entities: [Letter], endpoints: letters, root })).toContain(
      `EndpointsModule.forRoot: readYourWrites: ${problem}`,
    );
  }
});
