import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { recordChanges } from '@nest-endpoints/core';

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
  },
});

export class Postcard extends PostcardSchema.class {}
PostcardSchema.setClass(Postcard);

// Live lists read what changed in the log.
recordChanges(Postcard, { keepFor: 7 * 24 * 60 * 60 * 1000 });
