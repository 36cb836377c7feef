import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';
import { classValidator, type ClassValidator, type Issue } from '../../metadata/classes/class.validator.js';
import { sentName } from '../../metadata/classes/transformed.class.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { FirstComplaints } from '../../wire/first.complaints.js';
import type { InputSchema, SchemaReading } from './schema.reading.js';
import { mostMembers, wideMember } from './wide.member.js';

/** The part of class-transformer that we use. */
interface ClassTransformer {
  plainToInstance(type: Type, plain: object, options: { readonly enableImplicitConversion: boolean }): object;
}

const require = createRequire(import.meta.url);
const packageName = 'class-transformer';

const unreadMessage = 'value cannot be read';

/** A property without a decorator is no input: nothing says what it may be. */
const options = {
  skipMissingProperties: false,
  stopAtFirstError: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
};

/** A class whose properties have decorators of class-validator. */
export class DtoSchema implements InputSchema {
  readonly #validator: ClassValidator;
  readonly #transformer: ClassTransformer;

  /** @throws ConfigurationError where class-validator or class-transformer is not installed */
  constructor(
    owner: string,
    option: string,
    private readonly type: Type,
    private readonly forcesText: boolean,
  ) {
    const validator = classValidator();
    if (validator === undefined)
      throw new ConfigurationError(owner, option, `install class-validator to use the class ${type.name}`);
    this.#validator = validator;
    this.#transformer = transformer(owner, option, type);
  }

  async read(members: Readonly<Record<string, unknown>>): Promise<SchemaReading> {
    const wide = wideMember(members);
    if (wide !== undefined)
      return { complaints: new Map([[wide, `An object has at most ${mostMembers} members`]]) };
    const complaints = new FirstComplaints();
    // class-transformer leaves names out that every object has.
    for (const name of Object.keys(members))
      if (Object.hasOwn(Object.prototype, name)) refuse(complaints, name);
    let value: object;
    try {
      value = this.#instance(members);
    } catch (error) {
      if (!isOfValue(error) || !this.#isMade()) throw error;
      return { complaints: this.#unread(members) };
    }
    for (const issue of await this.#validator.validate(value, options)) complain(complaints, issue, '');
    const { messages } = complaints;
    return messages.size === 0 ? { value } : { complaints: messages };
  }

  #instance(members: Readonly<Record<string, unknown>>): object {
    return this.#transformer.plainToInstance(this.type, members, {
      enableImplicitConversion: this.forcesText,
    });
  }

  /** True if an instance is made of nothing: what throws then is no value's fault. */
  #isMade(): boolean {
    try {
      return new this.type() instanceof this.type;
    } catch {
      return false;
    }
  }

  /** Finds the members that nothing can be made of: those that cannot be read alone, either. */
  #unread(members: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
    const complaints = new FirstComplaints();
    const isUnread = (some: Readonly<Record<string, unknown>>): boolean => {
      try {
        this.#instance(some);
        return false;
      } catch (error) {
        if (!isOfValue(error)) throw error;
        return true;
      }
    };
    // Conversions may throw at members that are missing, too: then each member alone is as bad as the other.
    if (!isUnread({}))
      for (const [name, value] of Object.entries(members))
        if (isUnread({ [name]: value })) complaints.add(name, unreadMessage);
    const { messages } = complaints;
    if (messages.size === 0) messages.set('', unreadMessage);
    return messages;
  }
}

/** The names of errors, which tell them wherever class-transformer was loaded. */
const ofValues: ReadonlySet<string> = new Set(['TypeError', 'RangeError']);

/** True for what conversions throw at a value of another type, such as an object where a number should be. */
function isOfValue(error: unknown): boolean {
  return ofValues.has((Object(error) as Partial<Error>).name ?? '');
}

function complain(
  complaints: FirstComplaints,
  { target, property, constraints = {}, children }: Issue,
  above: string,
): void {
  if (complaints.isFull) return;
  const type = target?.constructor as Type | undefined;
  const sent = type === undefined ? property : sentName(type, property);
  const name = above + sent;
  const [message] = Object.values(constraints).map((one) => renamed(one, property, sent));
  if (Object.hasOwn(constraints, 'whitelistValidation')) refuse(complaints, name);
  else if (message !== undefined) complaints.add(name, message);
  for (const child of children ?? []) complain(complaints, child, `${name}.`);
}

/** A message of class-validator's with the name that the client has sent. */
function renamed(message: string, property: string, sent: string): string {
  if (property === sent) return message;
  return message
    .split(' ')
    .map((word) => (word === property ? sent : word))
    .join(' ');
}

function refuse(complaints: FirstComplaints, name: string): void {
  complaints.add(name, `Input column ${name} is not an allowed input column.`);
}

function transformer(owner: string, option: string, { name }: Type): ClassTransformer {
  try {
    return require(packageName) as ClassTransformer;
  } catch (cause) {
    throw new ConfigurationError(owner, option, `install class-transformer to use the class ${name}`, {
      cause,
    });
  }
}
