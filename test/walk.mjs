// What a request touches: `npm run walk -- get` (or list, update, create, hooked; all without a word) sends one request to a
// small application on Express and PostgreSQL, and prints how many calls of our functions answer it, in how many files.
// `--calls` lists them by file.
import 'reflect-metadata';
import { Session } from 'node:inspector/promises';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { AdvancedSearch, Create, EndpointsModule, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import { NestFactory } from '@nestjs/core';
import { clientOf } from './drills/support/client.mjs';
import { Stage } from './drills/support/stage.mjs';

const Book = defineEntity({
  name: 'Book',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(200),
    pages: p.integer(),
    version: p.integer().version(),
    created: p.datetime().onCreate(() => new Date()),
  },
});

const written = {
  modelClass: Book,
  readableColumnNames: ['id', 'title', 'pages', 'created'],
  writeableColumnNames: ['title', 'pages'],
};
const books = {
  ...written,
  sortableColumnNames: ['id', 'title'],
  searchableColumnNames: ['title', 'pages'],
  defaultSortColumnName: 'id',
};

/** A module is known by its class; this one has nothing to inject. */
class Walked {}

const moduleOn = (clientUrl) => ({
  module: Walked,
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl,
      entities: [Book, IdempotencyRecord],
      registerRequestContext: false,
    }),
    EndpointsModule.forFeature([
      new AdvancedSearch({ ...books, url: 'books/search' }),
      new Create({ ...written, url: 'books/hooked', idempotency: true, beforeSave: () => undefined }),
      new RestfulApi({ ...books, url: 'books' }),
    ]),
  ],
});

/** What sends the request, made of a client and a number that is new each time. */
const walks = {
  get: (client) => () => client.get('/books/1'),
  list: (client) => () => client.get('/books?title=Emma&sort=title&limit=5'),
  update: async (client, turn) => {
    const { headers } = await client.get('/books/1');
    return () => client.send('PATCH', '/books/1', { pages: turn }, { 'if-match': headers.etag });
  },
  create: (client, turn) => () => client.post('/books', { title: 'Emma', pages: turn }),
  hooked: (client, turn) => {
    const key = { 'idempotency-key': `"walk-${turn}"` };
    return () => client.post('/books/hooked', { title: 'Emma', pages: turn }, key);
  },
};

/** The name under which V8 counts the fields of a class as a function of their own, beside its constructor. */
const fields = '<instance_members_initializer>';

/** Calls of our own functions by file, since they were last asked for. */
const callsOf = ({ result }) => {
  const files = result.filter(({ url }) => /\/libs\/[^/]+\/dist\//.test(url));
  const counted = files.map(({ url, functions }) => {
    const called = functions.filter(({ functionName, ranges: [{ startOffset, count }] }) => {
      const isModule = functionName === '' && startOffset === 0;
      return count > 0 && !isModule && functionName !== fields;
    });
    const calls = called.map(({ functionName, ranges: [{ count }] }) => [
      functionName || '(anonymous)',
      count,
    ]);
    return [url.replace(/^.*\/libs\/([^/]+)\/dist\//, '$1/'), calls];
  });
  return counted.filter(([, calls]) => calls.length > 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
};

const sum = (calls) => calls.reduce((total, [, count]) => total + count, 0);

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.find((name) => !Object.hasOwn(walks, name));
if (unknown !== undefined) {
  console.error(`There is no walk '${unknown}'; there are: ${Object.keys(walks).join(', ')}`);
  process.exit(2);
}

const stage = new Stage();
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
try {
  const { url: databaseUrl } = await stage.postgres();
  const app = await NestFactory.create(moduleOn(databaseUrl), { logger: ['fatal', 'error', 'warn'] });
  stage.defer(() => app.close());
  await app.get(MikroORM).schema.create();
  await app.listen(0, '127.0.0.1');
  const client = clientOf(`http://127.0.0.1:${app.getHttpServer().address().port}`);
  stage.defer(() => client.close());
  await client.post('/books', { title: 'Emma', pages: 1 });

  let turn = 1;
  /** Sends what the walk is about; what it needs before is not counted. */
  const walk = async (name) => {
    const send = await walks[name](client, (turn += 1));
    await inspector.post('Profiler.takePreciseCoverage');
    const answer = await send();
    return { answer, calls: callsOf(await inspector.post('Profiler.takePreciseCoverage')) };
  };

  for (const name of names.length > 0 ? names : Object.keys(walks)) {
    // The first requests of a shape make what later ones find.
    for (let warm = 0; warm < 3; warm += 1) await walk(name);
    const { answer, calls } = await walk(name);
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`${name} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    const total = calls.reduce((all, [, inFile]) => all + sum(inFile), 0);
    console.log(`${name.padEnd(8)} ${total} calls in ${calls.length} files`);
    if (words.includes('--calls'))
      for (const [file, inFile] of calls)
        console.log(`  ${file}\n${inFile.map(([called, count]) => `    ${count} × ${called}`).join('\n')}`);
  }
} finally {
  inspector.disconnect();
  await stage.clear();
}
