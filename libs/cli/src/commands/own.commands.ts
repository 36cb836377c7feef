import type { CommandContext } from './command.context.js';
import { changesUsage, fitsChanges, keepChanges } from './keep.changes.js';
import { printCompletion, shells } from './print.completion.js';
import { printSchema } from './print.schema.js';
import { serveMcp } from './serve.mcp.js';
import { showRoutes } from './show.routes.js';
import { fitsSchemas, tenantSchemas } from './tenant.schemas.js';

/** A word of ours, which is no path. */
export interface OwnCommand {
  readonly usage: string;
  readonly meaning: string;
  /** True if these words may follow the command. */
  fits(words: readonly string[]): boolean;
  /** True if it asks an endpoint, rather than reading documents. Default false. */
  readonly asks?: boolean;
  /** The names of the parameters that it takes, where it asks no endpoint. Default none. */
  readonly parameters?: readonly string[];
  /**
   * @param ask asks an endpoint
   * @returns whether it is a success
   */
  run(
    context: CommandContext,
    words: readonly string[],
    ask: (context: CommandContext) => Promise<boolean>,
  ): Promise<boolean>;
}

const alone = (words: readonly string[]): boolean => words.length === 0;

/** Our own words, in the order in which the help text shows them. */
export const ownCommands: ReadonlyMap<string, OwnCommand> = new Map<string, OwnCommand>([
  ['routes', { usage: 'routes', meaning: 'every route, as a table', fits: alone, run: showRoutes }],
  [
    'schema',
    {
      usage: 'schema [--schema_format=…]',
      meaning: 'the OpenAPI document',
      fits: alone,
      parameters: ['schema_format'],
      run: printSchema,
    },
  ],
  [
    'changes',
    {
      usage: changesUsage,
      meaning: 'deletes changes that are kept no longer; the SQL of triggers, and of rights',
      fits: fitsChanges,
      run: keepChanges,
    },
  ],
  [
    'schemas',
    {
      usage: 'schemas list|add <name>…',
      meaning: 'the schemas of tenants, see Migrations',
      fits: fitsSchemas,
      asks: true,
      run: tenantSchemas,
    },
  ],
  [
    'mcp',
    {
      usage: 'mcp [path]',
      meaning: 'a server for agents (MCP) on standard input and output',
      fits: () => true,
      run: serveMcp,
    },
  ],
  [
    'completion',
    {
      usage: `completion ${shells.join('|')}`,
      meaning: 'a script that makes a shell complete these words',
      fits: ([shell = '', ...rest]) => rest.length === 0 && shells.some((known) => known === shell),
      run: printCompletion,
    },
  ],
]);
