import { expect } from '@jest/globals';
import { Collection, defineEntity, EntitySchema, p } from '@mikro-orm/core';
import { Entity, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Create, Get } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

@Entity()
class Shelf {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'string' })
  mark!: string;

  @OneToMany({ entity: () => Volume, mappedBy: 'shelf' })
  volumes = new Collection<Volume>(this);
}

@Entity()
class Volume {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne({ entity: () => Shelf })
  shelf!: Shelf;
}

const Tag = defineEntity({
  name: 'Tag',
  properties: {
    id: p.integer().primary(),
    notes: () => p.manyToMany(Note).mappedBy('tags'),
    pins: () => p.oneToMany(Pin).mappedBy('tag'),
  },
});
const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary(), tags: () => p.manyToMany(Tag) },
});
const Pin = defineEntity({
  name: 'Pin',
  properties: { id: p.integer().primary(), tag: () => p.manyToOne(Tag) },
});

interface Box {
  id: number;
  lids: Collection<Lid>;
}
interface Lid {
  id: number;
  box: Box;
}
const BoxSchema: EntitySchema<Box> = new EntitySchema<Box>({
  name: 'Box',
  properties: {
    id: { type: 'integer', primary: true },
    lids: { kind: '1:m', entity: () => LidSchema, mappedBy: 'box' },
  },
});
const LidSchema: EntitySchema<Lid> = new EntitySchema<Lid>({
  name: 'Lid',
  properties: {
    id: { type: 'integer', primary: true },
    box: { kind: 'm:1', entity: () => BoxSchema },
  },
});

const { contract } = service(
  {
    entities: [Shelf, Volume, Tag, Note, Pin, BoxSchema, LidSchema],
    endpoints: [
      new Get({ url: 'shelves/:id', modelClass: Shelf, readableColumnNames: ['id', 'mark'] }),
      new Create({
        url: 'volumes',
        modelClass: Volume,
        writeableColumnNames: ['id', 'shelfId'],
        readableColumnNames: ['id', 'shelf.mark'],
      }),
      new Create({
        url: 'pins',
        modelClass: Pin,
        writeableColumnNames: ['id', 'tagId'],
        readableColumnNames: ['id', 'tagId'],
      }),
      new Get({ url: 'notes/:id', modelClass: Note, readableColumnNames: ['id'] }),
      new Create({
        url: 'lids',
        modelClass: LidSchema,
        writeableColumnNames: ['id', 'boxId'],
        readableColumnNames: ['id', 'boxId'],
      }),
    ],
  },
  everyDatabase,
);

contract('A model whose entity has to-many relations is served like any other', async ({ request, save }) => {
  await save(Shelf, { id: 1, mark: 'top' });
  await save(Tag, { id: 2 });
  await save(Note, { id: 3 });
  await save(BoxSchema, { id: 4 });
  expectAnswer(await request().get('/shelves/1'), 200, success({ id: 1, mark: 'top' }));
  const volume = await request().post('/volumes').send({ id: 5, shelf_id: 1 });
  expectAnswer(volume, 201, success({ id: 5, shelf: { mark: 'top' } }));
  const pin = await request().post('/pins').send({ id: 6, tag_id: 2 });
  expectAnswer(pin, 201, success({ id: 6, tag_id: 2 }));
  expect((await request().get('/notes/3')).status).toBe(200);
  const lid = await request().post('/lids').send({ id: 7, box_id: 4 });
  expectAnswer(lid, 201, success({ id: 7, box_id: 4 }));
});
