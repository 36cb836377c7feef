import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Entity,
  ManyToOne,
  PrimaryKey,
  Property,
  ReflectMetadataProvider,
} from '@mikro-orm/decorators/legacy';
import { Create, Update } from '@nest-endpoints/core';
import {
  ArrayMaxSize,
  IsDefined,
  IsEmail,
  IsIn,
  IsLowercase,
  IsOptional,
  Length,
  Max,
  MinDate,
  ValidatorConstraint,
  Validate,
  registerDecorator,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import type { Subject } from '../support/contract.js';

/** A rule of the user's own that waits for its answer. */
@ValidatorConstraint({ name: 'isFree', async: true })
class IsFree implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    return Promise.resolve(value !== 'root');
  }

  defaultMessage(): string {
    return '$property must be free, not $value';
  }
}

/** What an entity holds, told by a rule that sees it. */
const held: unknown[] = [];
const Holds = (target: object, propertyName: string) => {
  registerDecorator({
    target: target.constructor,
    propertyName,
    validator: {
      validate(value, context) {
        const holder = context?.object ?? {};
        held.push(value, holder instanceof Member, Object.keys(holder));
        return true;
      },
    },
  });
};

@Entity()
class Club {
  @PrimaryKey({ autoincrement: true })
  id!: number;

  @Property()
  title!: string;
}

@Entity({ abstract: true })
abstract class Named {
  @PrimaryKey({ autoincrement: true })
  id!: number;

  @Property()
  @Length(2, 10)
  @IsLowercase()
  nickName!: string;
}

@Entity()
class Member extends Named {
  @Property({ type: 'string' })
  @IsDefined()
  @IsIn(['a', 'b'], { message: ({ property, value }) => `${property}: ${String(value)} is none of them` })
  kind!: string;

  @Property({ type: 'string', nullable: true })
  @IsOptional()
  @IsEmail()
  mailAddress?: string | null;

  @Property({ type: 'integer', nullable: true })
  @Max(5)
  stars?: number | null;

  @Property({ type: 'datetime', nullable: true })
  @MinDate(new Date('2026-01-01T00:00:00Z'))
  @Holds
  joinedAt?: Date | null;

  @Property({ type: 'string[]', nullable: true })
  @ArrayMaxSize(2)
  tags?: string[] | null;

  @Property({ type: 'string', nullable: true })
  @Validate(IsFree)
  login?: string | null;

  @Property({ type: 'string', nullable: true })
  plain?: string | null;

  @ManyToOne(() => Club, { nullable: true })
  @Max(3, { message: 'only the first $constraint1 clubs' })
  club?: Club | null;
}

/** Knows nothing of class-validator. */
const Guest = defineEntity({
  name: 'Guest',
  properties: { id: p.integer().primary().autoincrement(), nickName: p.string() },
});

const columns = [
  'nickName',
  'kind',
  'mailAddress',
  'stars',
  'joinedAt',
  'tags',
  'login',
  'plain',
  'clubId',
] as const;

const members = { modelClass: Member, readableColumnNames: ['id'], writeableColumnNames: columns } as const;

const { contract } = service(
  {
    entities: [Club, Named, Member, Guest],
    orm: { metadataProvider: ReflectMetadataProvider },
    endpoints: [
      new Create({ ...members, url: 'members' }),
      new Update({ ...members, url: 'members/:id' }),
      new Create({
        url: 'guests',
        modelClass: Guest,
        readableColumnNames: ['id'],
        writeableColumnNames: ['nickName'],
      }),
    ],
  },
  everyDatabase,
);

const ann = { nick_name: 'ann', kind: 'a' };

const post = ({ request }: Subject, values: object) =>
  request()
    .post('/members')
    .send({ ...ann, ...values });

contract('Decorators of class-validator on an entity count as validators', async (subject) => {
  expect((await post(subject, {})).status).toBe(201);
  for (const [values, messages] of [
    [{ stars: 6 }, { stars: 'stars must not be greater than 5' }],
    [{ tags: ['a', 'b', 'c'] }, { tags: 'tags must contain no more than 2 elements' }],
    [{ club_id: 4 }, { club_id: 'only the first 3 clubs' }],
    [
      { kind: 'c', stars: 7 },
      { kind: 'kind: c is none of them', stars: 'stars must not be greater than 5' },
    ],
  ] as const)
    expectAnswer(await post(subject, values), 400, inputErrors(messages));
  expect((await post(subject, { stars: 5, tags: ['a', 'b'] })).status).toBe(201);
});

contract("The message is class-validator's first, under the name that the client knows", async (subject) => {
  const message = 'nick_name must be a lowercase string';
  expectAnswer(await post(subject, { nick_name: 'A' }), 400, inputErrors({ nick_name: message }));
  const address = inputErrors({ mail_address: 'mail_address must be an email' });
  expectAnswer(await post(subject, { mail_address: 'ann' }), 400, address);
});

contract('Decorators of a base class count too', async (subject) => {
  const message = 'nick_name must be longer than or equal to 2 characters';
  expectAnswer(await post(subject, { nick_name: 'a' }), 400, inputErrors({ nick_name: message }));
});

contract('Decorators are asked on Update too, about the columns that were sent', async (subject) => {
  const { id } = (await post(subject, {})).body.data;
  const patch = (values: object) => subject.request().patch(`/members/${id}`).send(values);
  expect((await patch({ stars: 5 })).status).toBe(200);
  expectAnswer(await patch({ stars: 6 }), 400, inputErrors({ stars: 'stars must not be greater than 5' }));
});

contract('Decorators are not asked about null', async (subject) => {
  const nothing = {
    mail_address: null,
    stars: null,
    joined_at: null,
    tags: null,
    login: null,
    club_id: null,
  };
  expect((await post(subject, nothing)).status).toBe(201);
});

contract('Decorators see what the entity would hold, and nothing else of it', async (subject) => {
  held.length = 0;
  const joined_at = '2026-11-21T10:00:00+01:00';
  expect((await post(subject, { joined_at })).status).toBe(201);
  expect(held).toEqual([new Date(joined_at), true, ['joinedAt']]);
  const { status, body } = await post(subject, { joined_at: '2025-12-31T23:59:59Z' });
  expect([status, body.input_errors.joined_at]).toEqual([
    400,
    expect.stringContaining('minimal allowed date'),
  ]);
});

contract("A complaint of the column's type comes before those of decorators", async (subject) => {
  expectAnswer(
    await post(subject, { stars: '6' }),
    400,
    inputErrors({ stars: 'value should be an integer' }),
  );
});

contract('A decorator may wait for its answer', async (subject) => {
  const refusal = inputErrors({ login: 'login must be free, not root' });
  expectAnswer(await post(subject, { login: 'root' }), 400, refusal);
  expect((await post(subject, { login: 'ann' })).status).toBe(201);
});

contract('An entity without decorators has no such rules', async ({ request }) => {
  expect((await request().post('/guests').send({ nick_name: 'A' })).status).toBe(201);
});
