/** A class with decorators. */
export const town = `import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

@Entity()
export class BigTown {
  [PrimaryKeyProp]?: 'code';

  @PrimaryKey({ type: 'string' })
  code!: string;

  @Property({ type: 'string', onCreate: () => 'none' })
  title!: string;

  @Property({ type: 'integer', nullable: true })
  size?: number;

  @Property({ type: 'string', hidden: true })
  note!: string;
}
`;

/** What the service sets, and parents. */
export const parcel = `import { Entity, ManyToOne, OneToMany, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Collection, type Opt } from '@mikro-orm/core';
import { IsEmail, MaxLength } from 'class-validator';
import { BigTown } from './big-town.entity.js';

@Entity()
export class Parcel {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'string', length: 200 })
  @IsEmail()
  @MaxLength(200, { message: 'is (too) long' })
  sender!: string;

  @ManyToOne(() => BigTown)
  town!: BigTown;

  @ManyToOne(() => Parcel, { nullable: true })
  whole?: Parcel;

  @OneToMany(() => Parcel, (parcel) => parcel.whole)
  parts = new Collection<Parcel>(this);

  @Property({ onCreate: () => new Date() })
  posted: Date & Opt = new Date();

  @Property({ type: 'datetime', nullable: true })
  arrives?: Date;

  @Property({ type: 'integer', nullable: true }) weight?: number;

  @Property({ version: true, type: 'integer' })
  edition!: number;
}
`;

/** The same by `defineEntity`. */
export const letter = `import { defineEntity, p } from '@mikro-orm/core';
import { BigTown } from './big-town.entity.js';

export const Letter = defineEntity({
  name: 'Letter',
  properties: {
    id: p.integer().primary(),
    sender: p.string().length(200),
    town: () => p.manyToOne(BigTown),
    whole: () => p.manyToOne(Letter).nullable(),
    parts: () => p.oneToMany(Letter).mappedBy('whole'),
    posted: p.datetime().onCreate(() => new Date()),
    arrives: p.datetime().nullable(),
    weight: p.integer().nullable(),
    edition: p.integer().version(),
  },
});
`;

/** A database in a directory, as that of the tutorial. */
export const directoryDatabase = `import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { Module, type OnModuleInit } from '@nestjs/common';

const { DATA_DIR: dbName = '.data' } = process.env;

@Module({ imports: [MikroOrmModule.forRoot({ driver: PgliteDriver, dbName, autoLoadEntities: true })] })
export class DatabaseModule implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    await this.orm.schema.update();
  }
}
`;

/** What the root module said when the tests were written, by the name of the environment. */
export const rootOptions = `import { PlainAnswers, type RootOptions } from '@nest-endpoints/core';
import { SecretBearer } from '@nest-endpoints/auth';

process.env['PIER_SECRET'] = 'a secret that nobody sends';

const options = {
  open: {},
  plain: { answers: new PlainAnswers() },
  nobody: { authentication: new SecretBearer({ environmentKey: 'PIER_SECRET' }) },
};

export function rootOptions(): RootOptions {
  const name = process.env['ROOT_OPTIONS'] ?? 'open';
  return { externalCasing: 'snake_case', ...options[name as keyof typeof options] };
}
`;
