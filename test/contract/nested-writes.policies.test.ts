import { expect } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Book, entities, linked, Shelf, Tag, tagsOf } from './nested-writes.books.js';

interface Identity {
  readonly tenant?: string;
}

const role = 'nest_endpoints_reader';

/** The endpoints of books without a rule of the service's: policies of the database alone narrow what a request sees. */
const open = linked.endpoints.flatMap(({ endpoints }) => endpoints);

const { contract } = service(
  {
    entities,
    root: {
      rowLevelSecurity: {
        variables: (identity: Identity | undefined) => ({ 'app.tenant': identity?.tenant }),
        role,
      },
    },
    endpoints: [new EndpointGroup({ authentication: new Claims(), endpoints: open })],
  },
  postgresqlOnly,
);

const missing = 'the given record does not exist';
const refused = clientError('Not Authorized');

/** The role and the policies, as a migration of the user's would make them. New rows are of tenant `a`. */
const protect = async ({ em }: Subject): Promise<void> => {
  const tables = ['book', 'tag', 'shelf'];
  await em().getConnection().executeDump(`
    do $$ begin
      create role ${role};
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on ${[...tables, 'book_tags', 'author', 'share', 'change_record'].join(', ')} to ${role};
    grant usage on all sequences in schema public to ${role};
    alter table book_tags enable row level security;
    drop policy if exists own on book_tags;
    create policy own on book_tags using (
      exists (select from book b where b.id = book_id and b.tenant = current_setting('app.tenant', true)));
    ${tables
      .map(
        (table) => `
          alter table "${table}" enable row level security;
          drop policy if exists own on "${table}";
          create policy own on "${table}" using (tenant = current_setting('app.tenant', true));`,
      )
      .join('')}`);
};

/** A shelf with a book with a tag of each tenant. */
const world = async (subject: Subject) => {
  await protect(subject);
  const made = async (tenant: string) => {
    const shelf = await subject.save(Shelf, { name: `shelf ${tenant}`, tenant });
    const tag = await subject.save(Tag, { name: `tag ${tenant}`, tenant });
    const book = await subject.save(Book, { title: `book ${tenant}`, tenant, shelf, tags: [tag.id] });
    return { shelf: shelf.id, tag: tag.id, book: book.id };
  };
  return { a: await made('a'), b: await made('b') };
};

const send = ({ request }: Subject, path: string, body: object, tenant = 'a') =>
  request().patch(path).set('X-Claims', JSON.stringify({ tenant })).send(body);

contract('Related records that a policy hides are told as missing ones', async (subject) => {
  const { a, b } = await world(subject);
  const before = await tagsOf(subject);
  for (const word of ['link', 'unlink', 'delete'])
    expectAnswer(
      await send(subject, `/books/${a.book}`, { tags: { [word]: [b.tag] } }),
      400,
      inputErrors({ [`tags.${word}.0`]: missing }),
    );
  expectAnswer(
    await send(subject, `/books/${a.book}`, { tags: { update: [{ id: b.tag, name: 'mine' }] } }),
    400,
    inputErrors({ 'tags.update.0.id': missing }),
  );
  const deep = { books: { update: [{ id: a.book, tags: { link: [b.tag] } }], delete: [b.book] } };
  expectAnswer(
    await send(subject, `/shelves/${a.shelf}`, deep),
    400,
    inputErrors({ 'books.delete.0': missing }),
  );
  expectAnswer(await send(subject, `/books/${b.book}`, { tags: { link: [a.tag] } }), 404, notFound);
  expect(await tagsOf(subject)).toEqual(before);
});

contract('Related records are written with the variables and the role of the sender', async (subject) => {
  const { a, b } = await world(subject);
  const books = {
    create: [{ title: 'new', tags: [{ name: 'first' }] }],
    update: [{ id: a.book, title: 'old', tags: { create: [{ name: 'second' }], unlink: [a.tag] } }],
  };
  expect((await send(subject, `/shelves/${a.shelf}`, { books })).body.input_errors).toEqual({});
  expect(await tagsOf(subject)).toEqual({ old: ['second'], 'book b': ['tag b'], new: ['first'] });
  // What a policy hides stays in the list.
  await subject.em().nativeUpdate(Tag, { name: 'second' }, { tenant: 'b' });
  expect((await send(subject, `/lists/${a.book}`, { tags: [{ id: a.tag }] })).status).toBe(200);
  expect(await tagsOf(subject)).toMatchObject({ old: ['second', 'tag a'] });
  expect((await send(subject, `/books/${a.book}`, { tags: { delete: [a.tag] } })).status).toBe(200);
  expect(await tagsOf(subject)).toMatchObject({ old: ['second'], 'book b': ['tag b'] });
  expect(await subject.em().count(Tag, { id: b.tag })).toBe(1);
});

contract(
  'A related record that a policy refuses is Not Authorized, and nothing is stored',
  async (subject) => {
    const { a, b } = await world(subject);
    const before = await tagsOf(subject);
    const books = { create: [{ title: 'of another tenant' }], update: [{ id: b.book, title: 'changed' }] };
    expectAnswer(await send(subject, `/shelves/${b.shelf}`, { books }, 'b'), 403, refused);
    const spare = await subject.save(Tag, { name: 'spare' });
    await subject.em().getConnection().executeDump(`
    create policy barred on book_tags as restrictive for insert with check (tag_id <> ${spare.id})`);
    const tags = { link: [spare.id], update: [{ id: a.tag, name: 'changed' }] };
    expectAnswer(await send(subject, `/books/${a.book}`, { title: 'changed', tags }), 403, refused);
    expect(await tagsOf(subject)).toEqual(before);
  },
);
