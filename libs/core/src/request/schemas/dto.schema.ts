import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';
import { classValidator, type ClassValidator, type Issue } from '../../metadata/class.validator.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { InputSchema, SchemaReading } from './schema.reading.js';

/** The part of class-transformer that we use. */
interface ClassTransformer {
  plainToInstance(type: Type, plain: object, options: { readonly enableImplicitConversion: boolean }): object;
}

const require = createRequire(import.meta.url);
const packageName = 'class-transformer';

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
    const complaints = new Map<string, string>();
    // class-transformer leaves names out that every object has.
    for (const name of Object.keys(members))
      if (Object.hasOwn(Object.prototype, name)) refuse(complaints, name);
    const value = this.#transformer.plainToInstance(this.type, members, {
      enableImplicitConversion: this.forcesText,
    });
    for (const issue of await this.#validator.validate(value, options)) complain(complaints, issue, '');
    return complaints.size === 0 ? { value } : { complaints };
  }
}

function complain(
  complaints: Map<string, string>,
  { property, constraints = {}, children }: Issue,
  above: string,
): void {
  const name = above + property;
  const [message] = Object.values(constraints);
  if (Object.hasOwn(constraints, 'whitelistValidation')) refuse(complaints, name);
  else if (message !== undefined) complaints.set(name, message);
  for (const child of children ?? []) complain(complaints, child, `${name}.`);
}

function refuse(complaints: Map<string, string>, name: string): void {
  complaints.set(name, `Input column ${name} is not an allowed input column.`);
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
