import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Create, Get, List, SimpleSearch } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { press, stories, Writer } from './fields.press.js';
import { StationList } from './station.list.js';

const Form = defineEntity({
  name: 'Form',
  properties: {
    id: p.integer().primary(),
    fields: p.string().nullable(),
    include: p.string().nullable(),
    lines: () => p.oneToMany(Line).mappedBy('form'),
  },
});
const Line = defineEntity({
  name: 'Line',
  properties: { id: p.integer().primary(), form: () => p.manyToOne(Form) },
});

const entities = [...press, Form, Line];
type Endpoints = NonNullable<Parameters<typeof startUpError>[0]['endpoints']>;
const errorOf = (...endpoints: Endpoints) => startUpError({ entities, endpoints });

const form = {
  modelClass: Form,
  url: 'forms',
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

for (const [sentence, endpoint, error] of [
  [
    'A name in both lists stops the start',
    () => new Get({ ...stories, url: 's/:id', includableColumnNames: ['slug', 'title'] }),
    "Get 's/:id': includableColumnNames: 'title' is in readableColumnNames already",
  ],
  [
    'A path of which everything is shown already stops the start',
    () =>
      new Get({
        ...stories,
        readableColumnNames: ['writer'],
        url: 's/:id',
        includableColumnNames: ['writer.name'],
      }),
    "Get 's/:id': includableColumnNames: 'writer.name' is in readableColumnNames already",
  ],
  [
    'An includable name that is unknown stops the start',
    () => new Get({ ...stories, url: 's/:id', includableColumnNames: ['titel' as 'title'] }),
    "Get 's/:id': includableColumnNames: unknown column 'titel' (did you mean 'title'?)",
  ],
  [
    'A hidden property cannot be includable',
    () => new Get({ ...stories, url: 's/:id', includableColumnNames: ['writer.pin'] }),
    "Get 's/:id': includableColumnNames: 'writer.pin' is hidden in the entity and cannot be used here",
  ],
  [
    'An includable relation without columns to show stops the start',
    () =>
      new Get({
        modelClass: Writer,
        readableColumnNames: ['id'],
        url: 'w/:id',
        includableColumnNames: ['land'],
      }),
    "Get 'w/:id': includableColumnNames: 'land' is a relation: name its columns ('land.code')",
  ],
  [
    'outputMap beside clientSelectsColumns stops the start',
    () => new Get({ ...stories, url: 's/:id', clientSelectsColumns: true, outputMap: () => ({}) }),
    "Get 's/:id': clientSelectsColumns: outputMap shows what it gives: leave one of the two out",
  ],
  [
    'outputMap beside includableColumnNames stops the start',
    () => new List({ ...stories, url: 's', includableColumnNames: ['slug'], outputMap: () => ({}) }),
    "List 's': includableColumnNames: outputMap shows what it gives: leave one of the two out",
  ],
  [
    'A searchable column with the name of a word that is read stops the start',
    () => new SimpleSearch({ ...form, searchableColumnNames: ['fields'], clientSelectsColumns: true }),
    "SimpleSearch 'forms': searchableColumnNames: 'fields': clientSelectsColumns reads 'fields' as a control",
  ],
  [
    'A searchable column of an AdvancedSearch with such a name stops the start, too',
    () =>
      new AdvancedSearch({ ...form, searchableColumnNames: ['include'], includableColumnNames: ['fields'] }),
    "AdvancedSearch 'forms': searchableColumnNames: 'include': includableColumnNames reads 'include' as a control",
  ],
  [
    'A writeable column with such a name stops the start',
    () =>
      new Create({
        modelClass: Form,
        url: 'forms',
        readableColumnNames: ['id'],
        writeableColumnNames: ['fields'],
        clientSelectsColumns: true,
        externalCasing: 'TitleCase',
      }),
    "Create 'forms': writeableColumnNames: 'fields': clientSelectsColumns reads 'Fields' as a control",
  ],
] as const)
  test(sentence, async () => {
    expect(await errorOf(endpoint())).toContain(error);
  });

test('A backend of one’s own includes no lists of related records', async () => {
  const endpoint = new Get({
    modelClass: Form,
    url: 'forms/:id',
    readableColumnNames: ['id'],
    includableColumnNames: ['lines.id'],
  });
  const root = { backends: [{ modelClass: Form, backend: new StationList() }] };
  expect(await startUpError({ entities, endpoints: [endpoint], root })).toContain(
    "Get 'forms/:id': includableColumnNames: 'lines' is a list of related records, which a backend of your own does not read",
  );
});
