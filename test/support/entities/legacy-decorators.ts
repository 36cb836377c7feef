import type { Opt } from '@mikro-orm/core';
import {
  Entity,
  ManyToOne,
  PrimaryKey,
  Property,
  ReflectMetadataProvider,
  Unique,
} from '@mikro-orm/decorators/legacy';
import { EmailColumn, TimestampColumn, defineColumns } from '@nest-endpoints/core';

@Entity()
export class Country {
  @PrimaryKey({ length: 2 })
  code!: string;

  @Property({ length: 100 })
  name!: string;

  @Property({ type: 'string', nullable: true })
  region?: string | null;
}

@Entity()
export class Author {
  @PrimaryKey({ autoincrement: true })
  id!: number;

  @Property({ length: 100 })
  name!: string;

  @ManyToOne(() => Country, { nullable: true })
  country?: Country | null;
}

@Entity()
export class Book {
  @PrimaryKey({ type: 'uuid', onCreate: () => crypto.randomUUID() })
  id!: Opt<string>;

  @Property({ type: 'string', length: 13, nullable: true })
  @Unique()
  isbn?: string | null;

  @Property({ length: 100 })
  title!: string;

  @ManyToOne(() => Author, { nullable: true })
  author?: Author | null;

  @Property({ type: 'integer', nullable: true })
  pages?: number | null;

  @Property({ type: 'double', nullable: true })
  price?: number | null;

  @Property({ type: 'boolean', default: true })
  inPrint!: Opt<boolean>;

  @Property({ type: 'date', nullable: true })
  publishedOn?: string | null;

  @Property({ type: 'datetime', nullable: true })
  launchAt?: Date | null;

  @Property({ type: 'integer', nullable: true })
  remindAt?: number | null;

  @Property({ type: 'string', nullable: true })
  contact?: string | null;

  @Property({ type: 'text', nullable: true })
  notes?: string | null;

  @Property({ type: 'datetime', onCreate: () => new Date() })
  created!: Opt<Date>;

  @Property({ type: 'datetime', onCreate: () => new Date(), onUpdate: () => new Date() })
  updated!: Opt<Date>;
}

defineColumns(Book, { contact: { type: new EmailColumn() }, remindAt: { type: new TimestampColumn() } });

/** What classes whose types are read from TypeScript's metadata need in MikroORM's options. */
export const orm = { metadataProvider: ReflectMetadataProvider };
