import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  CreatedByHeaderColumn,
  defineColumns,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Claims } from './claims.js';
import type { Subject } from '../support/contract.js';

const Person = defineEntity({
  name: 'Person',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

/** Everything that must be known of its creator. */
const Letter = defineEntity({
  name: 'Letter',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    person: () => p.manyToOne(Person),
    postMark: p.string().length(4),
    number: p.smallint(),
  },
  uniques: [{ properties: ['person', 'number'] }, { properties: ['person', 'text'] }],
});

defineColumns(Letter, {
  personId: { type: new CreatedByAuthorizationDataColumn('sub') },
  postMark: { type: new CreatedByHeaderColumn('x-post-mark'), message: 'not such a mark' },
  number: { type: new CreatedByHeaderColumn('x-number') },
});

const letters = {
  modelClass: Letter,
  readableColumnNames: ['id', 'text', 'personId', 'postMark', 'number'],
  writeableColumnNames: ['text'],
  authentication: new Claims(),
} as const;

const { contract } = service({
  entities: [Person, Letter],
  endpoints: [new Create({ ...letters, url: 'letters' })],
});

const letter = ({ request }: Subject, claims: object, headers: Record<string, string> = {}) =>
  request()
    .post('/letters')
    .set({ 'X-Claims': JSON.stringify(claims), ...headers })
    .send({ text: 'a' });
const marks = { 'X-Post-Mark': 'AMS', 'X-Number': '7' };

contract(
  "What the request does not say is required in another column: '<column>' is required.",
  async (subject) => {
    const messages = {
      person_id: "'person_id' is required.",
      post_mark: "'post_mark' is required.",
      number: "'number' is required.",
    };
    expectAnswer(await letter(subject, {}), 400, inputErrors(messages));
    expectAnswer(
      await letter(subject, { sub: null }, { 'X-Post-Mark': ' ', 'X-Number': '' }),
      400,
      inputErrors(messages),
    );
  },
);

contract(
  'Complaints about what the service sets and about the body are answered together',
  async ({ request }) => {
    const answer = await request()
      .post('/letters')
      .set({ ...marks, 'X-Claims': '{}' })
      .send({ text: 1 });
    const messages = { text: 'value should be a string', person_id: "'person_id' is required." };
    expectAnswer(answer, 400, inputErrors(messages));
  },
);

contract('A column that the service sets may be the key of a parent, which must exist', async (subject) => {
  const { id } = await subject.save(Person, { name: 'Ann' });
  const stored = { id: 1, text: 'a', person_id: id, post_mark: 'AMS', number: 7 };
  expectAnswer(await letter(subject, { sub: String(id) }, marks), 201, success(stored));
  const missing = inputErrors({ person_id: 'the given record does not exist' });
  expectAnswer(await letter(subject, { sub: id + 1 }, marks), 400, missing);
  const mistyped = inputErrors({ person_id: 'value should be an integer' });
  expectAnswer(await letter(subject, { sub: 'Ann' }, marks), 400, mistyped);
});

contract('What the service sets is of the type that the database holds', async (subject) => {
  const { id } = await subject.save(Person, { name: 'Ann' });
  const tooLarge = inputErrors({ number: 'value should be between -32768 and 32767' });
  expectAnswer(await letter(subject, { sub: id }, { ...marks, 'X-Number': '32768' }), 400, tooLarge);
  const mistyped = inputErrors({ number: 'value should be an integer' });
  expectAnswer(await letter(subject, { sub: id }, { ...marks, 'X-Number': '7.5' }), 400, mistyped);
});

contract(
  'A unique constraint complains under a column that was sent, or else under one that was set',
  async (subject) => {
    const { id } = await subject.save(Person, { name: 'Ann' });
    const taken = (name: string) =>
      inputErrors({
        [name]: `Invalid value for '${name}': the given value already exists, and must be unique.`,
      });
    await letter(subject, { sub: id }, marks);
    expectAnswer(await letter(subject, { sub: id }, { ...marks, 'X-Number': '8' }), 400, taken('text'));
    const other = subject
      .request()
      .post('/letters')
      .set({ ...marks, 'X-Claims': JSON.stringify({ sub: id }) });
    expectAnswer(await other.send({ text: 'b' }), 400, taken('person_id'));
  },
);
