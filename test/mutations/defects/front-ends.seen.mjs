/** What the client of front ends knows of records, and what it is told by documents and answers. See defects.mjs. */
const client = 'libs/client/src';
const parents = ['contract/front-ends.parents'];

export const defects = [
  {
    name: 'a parent that is shown without its key has none',
    file: `${client}/records/record.shape.ts`,
    find: 'Object.hasOwn(known, member) ? [[name, known[member]] as const] : [];',
    replace: 'Object.hasOwn(known, member) ? [[name, known[member]] as const] : [[name, null] as const];',
    tests: parents,
  },
  {
    name: 'a form takes away a parent that it could not show',
    file: `${client}/records/record.shape.ts`,
    find: 'Object.hasOwn(record, name))?.[name] === null;',
    replace: 'Object.hasOwn(record, name))?.[name] === undefined;',
    tests: parents,
  },
  {
    name: 'a form that says nothing of what it has shown takes away a parent that it could not show',
    file: `${client}/records/parent.memory.ts`,
    find: 'if (shown.length > 0) this',
    replace: 'if (shown.length > 99) this',
    tests: parents,
  },
  {
    name: 'a record that a list shows less of than a Get is never changed',
    file: 'libs/client/src/records/record.writes.ts',
    find: 'comparablePart(seen, current.record, resource)',
    replace: 'seen',
    tests: ['contract/front-ends.versions'],
  },
  {
    name: 'a deletion where nothing is written looks at nothing',
    file: 'libs/client/src/records/version.memory.ts',
    find: '(isReadOnly ? !isObject(value) : isWritten(name))',
    replace: 'isWritten(name)',
    tests: ['contract/front-ends.versions'],
  },
  {
    name: 'many records are created without a key',
    file: 'libs/client/src/records/bulk.writes.ts',
    find: '{ body, headers, isRepeatable }',
    replace: '{ body, isRepeatable }',
    tests: ['contract/front-ends.writes'],
  },
  {
    name: 'records are known by what refuses them where that has the status code of a success',
    file: 'libs/client/src/document/schema.reader.ts',
    find: "return answers[words.indexOf('success')] ?? ",
    replace: 'return answers[0] ?? ',
    tests: ['contract/front-ends.statuses'],
  },
  {
    name: 'records are not known where a success has a choice of answers',
    file: 'libs/client/src/document/schema.reader.ts',
    find: 'schema === undefined ? [] : this.choices(schema)',
    replace: 'schema === undefined ? [] : this.resolved(schema)',
    tests: ['contract/front-ends.statuses'],
  },
  {
    name: 'a list is searched by a parameter of its stream',
    file: 'libs/client/src/document/list.abilities.ts',
    find: "one.in === 'query' && one.schema?.['x-media-type'] === undefined",
    replace: "one.in === 'query'",
    tests: ['contract/live.clients'],
  },
  {
    name: 'a redirect takes the headers of the service to another origin',
    file: 'libs/client/src/wire/followed.redirects.ts',
    find: 'new URL(next).origin !== new URL(address).origin',
    replace: 'new URL(next).origin === address',
    tests: ['contract/front-ends.redirects'],
  },
  {
    name: 'a read with a token is followed anywhere by fetch',
    file: 'libs/client/src/wire/request.sender.ts',
    find: 'await (isOpen ?',
    replace: 'await (isOpen || isOwn ?',
    tests: ['contract/front-ends.redirects'],
  },
  {
    name: 'a redirect within the service is an error in its own pages',
    file: 'libs/client/src/wire/followed.redirects.ts',
    find: 'if (page?.origin !== new URL(address).origin)',
    replace: 'if (page?.origin !== address)',
    tests: ['contract/front-ends.redirects'],
  },
  {
    name: 'a browser takes the headers of the service to another origin',
    file: 'libs/client/src/wire/followed.redirects.ts',
    find: "{ ...init, mode: 'same-origin', redirect: 'follow' }",
    replace: "{ ...init, redirect: 'follow' }",
    tests: ['contract/front-ends.redirects'],
  },
  {
    name: 'the headers of a live list go to another origin',
    file: 'libs/live/src/client/live.events.ts',
    find: 'isOpen ? send(url, init) : ',
    replace: 'isOpen || href === undefined ? send(url, init) : ',
    tests: ['contract/front-ends.redirects'],
  },
];
