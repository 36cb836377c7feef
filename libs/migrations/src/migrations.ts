import { types } from 'node:util';
import {
  BadRequest,
  ConfigurationError,
  InvalidInput,
  optionChecks as checks,
  Public,
  type ChecksOf,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import {
  EndpointKind,
  PlainReply,
  type KindContext,
  type EndpointRequest,
  type CompiledKind,
  type Injection,
  type OperationDescription,
} from '@nest-endpoints/core/kinds';
import { Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  commandNames,
  isSchemaCommand,
  type CommandName,
  type SchemaCommandName,
} from './commands/command.table.js';
import { mayBeMigrated, type Cursor } from './database/database.of.cursor.js';
import { MigrationFailure } from './migration.failure.js';
import { MigrationsParameters, namesOfCommands, type MigrationsInput } from './migrations.input.js';
import type { MigrationsOptions } from './migrations.options.js';
import { Migrator } from './migrator.js';
import { cursorCheck, ruleChecks, sqlCheck } from './migrator.options.js';
import { modulePaths } from './module.migrations.js';
import { runForTenants } from './schemas/tenant.commands.js';
import type { TellProgress } from './schemas/tenant.migrator.js';

/** Plans and applies a schema that is written in SQL (contract: Migrations). */
export class Migrations extends EndpointKind<MigrationsOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...ruleChecks,
    cursor: cursorCheck,
    cursorDependencyName: checks.check('the token of a provider', isToken),
    allowInput: checks.boolean,
    allowUnauthenticated: checks.boolean,
    command: checks.oneOfTexts(...commandNames),
    sql: sqlCheck,
    includeModuleMigrations: checks.boolean,
    moduleMigrations: checks.listOf('class names', checks.filledText),
  } satisfies ChecksOf<Omit<MigrationsOptions, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['GET'] as const;
  /** Without `allowInput` it is read as well: who sends a command must hear that it is not obeyed. */
  override readonly readsBody = true;
  override readonly hasRecords = false;
  override readonly isBatchable = false;
  readonly #takesInput = this.options.allowInput === true;
  readonly #hasTenants = this.options.schemas !== undefined;
  readonly #logger = new Logger('Migrations');

  /** The time limit of the application is for requests; a change of a large table takes its time. */
  constructor(options: MigrationsOptions) {
    super(isObject(options) ? { timeout: 0, ...options } : options);
  }

  override compile(context: KindContext): CompiledKind {
    this.#check(context);
    const cursor = this.#cursor(context);
    const modules = this.#modules(context);
    const parameters = new MigrationsParameters(context, this.#hasTenants);

    return {
      handle: async (request) => {
        const input = parameters.read(request);
        if (!this.#takesInput && !request.isCommand) refuseInput(input);
        const command = input.command ?? this.options.command ?? 'version';
        this.#refuseUnlessPosted(command, input, request);
        const lines = await this.#run(command, request, input, await cursor(request), await modules(request));
        return new PlainReply(lines);
      },
      describe: () => this.#described(context),
    };
  }

  #described({ names }: KindContext): OperationDescription {
    const words = [...namesOfCommands(this.#hasTenants)];
    const command = { [names.control('command')]: { type: 'string', enum: words } };
    const sql = names.control('sql');
    const texts = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] };
    const schemas = names.control('schemas');
    const ofTenants = this.#hasTenants ? { [schemas]: texts } : {};
    const inQuery = { ...command, ...(this.#hasTenants ? { [schemas]: { type: 'string' } } : {}) };
    const properties = { ...command, [sql]: texts, ...ofTenants };
    return {
      verb: 'migrations',
      summary: 'Plan and apply the schema of the database',
      description:
        'Compares the database with the schema it shall have, and tells or runs the statements that lead there.',
      queryParameters: this.#takesInput ? inQuery : {},
      besideBody: this.#takesInput ? { ...inQuery, [sql]: { type: 'string' } } : {},
      body: this.#takesInput ? { schema: { type: 'object', properties }, isRequired: false } : undefined,
      answer: { kind: 'envelope', data: { type: 'array', items: { type: 'string' } } },
      refusals: ['badRequest', 'invalidInput', 'unavailable'],
    };
  }

  /**
   * Refuses a GET that would change the database or run SQL of the request: a link in a page may ask for it. Every command
   * with a target tries it, so SQL counts whatever the command is.
   */
  #refuseUnlessPosted(
    command: CommandName | SchemaCommandName,
    { sql }: MigrationsInput,
    { method, isCommand }: EndpointRequest,
  ): void {
    if (method === 'POST' || isCommand) return;
    const why =
      command === 'apply' || command === 'add_schema'
        ? 'changes the database'
        : sql !== undefined || (command === 'check' && this.#takesInput)
          ? 'runs what it is sent'
          : undefined;
    if (why === undefined) return;
    const how = this.requestMethods.includes('POST')
      ? ''
      : ', which requestMethods of the endpoint must name';
    throw new BadRequest(`The command ${command} ${why}: send it with POST${how}`);
  }

  async #run(
    command: CommandName | SchemaCommandName,
    request: EndpointRequest,
    { sql: given, schemas }: MigrationsInput,
    cursor: Cursor,
    paths: readonly string[],
  ): Promise<readonly string[]> {
    const sql = given ?? this.options.sql ?? [];
    if (sql.length === 0 && paths.length === 0 && command !== 'version')
      throw new InvalidInput(new Map([['sql', `'sql' is required.`]]));
    const mayBePaths = given === undefined || request.isCommand;
    const migrator = new Migrator({
      ...this.options,
      cursor,
      sql,
      modulePaths: paths,
      mayBePaths,
      cancellation: request.cancellation,
    });
    try {
      if (isSchemaCommand(command) || schemas !== undefined)
        return await runForTenants(await migrator.tenants(), command, schemas, this.#tell(request));
      const lines = await migrator.run(command);
      if (command === 'apply') this.#logger.log(`${this.owner}: applied ${lines.length} statements`);
      return lines;
    } catch (error) {
      if (error instanceof MigrationFailure) throw new BadRequest(error.message, { cause: error });
      throw error;
    }
  }

  /** Tells of each schema as it ends: a person who waits on standard error, others in the log. */
  #tell({ isCommand }: EndpointRequest): TellProgress {
    if (isCommand) return (line) => process.stderr.write(`${line}\n`);
    return (line) => {
      this.#logger.log(`${this.owner}: ${line}`);
    };
  }

  /** @throws ConfigurationError */
  #check({ owner, settings }: KindContext): void {
    const { options } = this;
    const refuse = (option: keyof MigrationsOptions, problem: string): never => {
      throw new ConfigurationError(owner, option, problem);
    };
    if (options.sql === undefined && options.allowInput !== true && options.includeModuleMigrations !== true)
      refuse('sql', 'is required, unless allowInput or includeModuleMigrations is true');
    const isOpen = settings.authentication instanceof Public;
    if (options.allowInput === true && isOpen && options.allowUnauthenticated !== true)
      refuse('allowInput', 'needs an authentication, or allowUnauthenticated: true');
  }

  #cursor(context: KindContext): (request: EndpointRequest) => Promise<Cursor> {
    const { cursor, cursorDependencyName: token } = this.options;
    if (cursor === undefined && token !== undefined) {
      const injection = context.injection('cursorDependencyName', { cursor: token });
      return async (request) => (await valuesOf(injection, request))['cursor'] as Cursor;
    }
    const known = cursor ?? context.database.orm;
    if (!mayBeMigrated(known))
      throw new ConfigurationError(
        context.owner,
        'cursor',
        'must be MikroORM on PostgreSQL, PGlite or MariaDB',
      );
    return () => Promise.resolve(known);
  }

  #modules(context: KindContext): (request: EndpointRequest) => Promise<readonly string[]> {
    const { includeModuleMigrations = false, moduleMigrations = [] } = this.options;
    if (!includeModuleMigrations) return () => Promise.resolve([]);
    const injection = context.injection('includeModuleMigrations', { modules: ModulesContainer });
    const pathsOf = (values: Readonly<Record<string, unknown>>): readonly string[] =>
      modulePaths(context.owner, values['modules'] as ModulesContainer, moduleMigrations);
    context.whenReady(async () => {
      pathsOf(await injection.valuesFor({ native: undefined }));
    });
    return async (request) => pathsOf(await valuesOf(injection, request));
  }
}

/** @throws BadRequest for what would be taken for obeyed */
function refuseInput(input: MigrationsInput): void {
  const [given] = Object.keys(input);
  if (given !== undefined)
    throw new BadRequest(`'${given}' cannot be sent: allowInput of this endpoint is not set`);
}

async function valuesOf(
  injection: Injection,
  request: EndpointRequest,
): Promise<Readonly<Record<string, unknown>>> {
  return injection.valuesFor(request);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !types.isPromise(value);
}

function isToken(value: unknown): boolean {
  return ['function', 'symbol'].includes(typeof value) || (typeof value === 'string' && value !== '');
}
