import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Authorization,
  Callable,
  EndpointGroup,
  type Authentication,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';

const Crate = defineEntity({ name: 'Crate', properties: { id: p.integer().primary() } });

/** What is waited for like a promise, and is none: what another library may give. */
const thenable = (value: unknown): unknown => ({
  then: (resolve: (value: unknown) => void) => {
    resolve(value);
  },
});

const verdicts = {
  yes: () => true,
  no: () => false,
  text: () => 'true',
  'promised yes': () => Promise.resolve(true),
  'promised no': () => Promise.resolve(false),
  'promised text': () => Promise.resolve('true'),
  'yes of another library': () => thenable(true),
  'no of another library': () => thenable(false),
  throwing: () => {
    throw new RangeError('no idea');
  },
  rejecting: () => Promise.reject(new RangeError('no idea')),
} as const satisfies Readonly<Record<string, () => unknown>>;

type Verdict = keyof typeof verdicts;
const names = Object.keys(verdicts) as Verdict[];

const identities = {
  once: (identity: object) => identity,
  promised: (identity: object) => Promise.resolve(identity),
  thenable,
} as const;

type Way = keyof typeof identities;
const ways = Object.keys(identities) as Way[];

const isYes = (verdict: Verdict): boolean => /^(?:promised )?yes\b/.test(verdict);
const isFailure = (verdict: Verdict): boolean => verdict === 'throwing' || verdict === 'rejecting';

/** The gates that were asked for a request, with the identity that each got. */
const asked: unknown[] = [];

class Gate extends Authorization {
  constructor(private readonly verdict: Verdict) {
    super();
  }

  override gate(identity: unknown): boolean {
    asked.push([this.verdict, identity]);
    return verdicts[this.verdict]() as boolean;
  }
}

const known = (way: Way): Authentication => ({
  allowedHeaders: [],
  authenticate: () => identities[way]({ sub: way }),
});

const pathOf = (...parts: readonly string[]): string => parts.join('-').replaceAll(' ', '-');

const endpoints = ways.flatMap((way): EndpointOrGroup[] =>
  names.map(
    (first) =>
      new EndpointGroup({
        url: pathOf(way, first),
        authentication: known(way),
        authorization: new Gate(first),
        endpoints: names.map(
          (second) =>
            new Callable({
              url: pathOf(second),
              authorization: new Gate(second),
              toCall: ({ authorizationData }) => authorizationData,
            }),
        ),
      }),
  ),
);

for (const platform of ['express', 'fastify'] as const)
  test(`Gates are asked in order until one says anything but yes, at once or by a promise: ${platform}`, async () => {
    const app = await startApplication(platform, 'sqlite', { entities: [Crate], endpoints });
    for (const way of ways)
      for (const first of names)
        for (const second of names) {
          asked.length = 0;
          const { status, body } = await app.request().get(`/${pathOf(way, first)}/${pathOf(second)}`);
          const reached = isYes(first) ? [first, second] : [first];
          const refusing = reached.find((one) => !isYes(one));
          const expected = refusing === undefined ? 200 : isFailure(refusing) ? 500 : 403;
          const identity = { sub: way };
          expect([way, first, second, status]).toEqual([way, first, second, expected]);
          expect(asked).toEqual(reached.map((one) => [one, identity]));
          if (expected === 200) expect(Object(body).data).toEqual(identity);
        }
    await app.close();
  });
