import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, recordChanges } from '@nest-endpoints/core';
import type { StoredFile } from '@nest-endpoints/files';
import { pictureColumn } from './postcard.pictures.js';

const PostcardSchema = defineEntity({
  name: 'Postcard',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    text: p.string().length(200),
    place: p.string().length(100),
    created: p
      .datetime()
      .onCreate(() => new Date())
      .index(),
    picture: p.json<StoredFile>().nullable(),
  },
});

export class Postcard extends PostcardSchema.class {}
PostcardSchema.setClass(Postcard);

defineColumns(Postcard, { picture: { type: pictureColumn } });

// Live lists read what changed in the log.
recordChanges(Postcard, { keepFor: 7 * 24 * 60 * 60 * 1000 });
