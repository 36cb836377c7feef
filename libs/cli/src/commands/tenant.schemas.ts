import { UsageError } from '../command-line/usage.error.js';
import { segmentsOf } from '../request/path.words.js';
import type { CommandContext } from './command.context.js';

/** True if these words may follow `schemas`: `list`, or `add` with names. */
export function fitsSchemas([verb, ...names]: readonly string[]): boolean {
  return verb === 'list' ? names.length === 0 : verb === 'add' && names.length > 0;
}

/**
 * Lists the schemas of tenants, or adds some: asks the Migrations of the application.
 *
 * @param ask asks an endpoint
 * @returns whether it is a success
 */
export async function tenantSchemas(
  context: CommandContext,
  [verb, ...names]: readonly string[],
  ask: (context: CommandContext) => Promise<boolean>,
): Promise<boolean> {
  const { application, line } = context;
  const [path, another] = new Set(
    application.endpoints.filter(({ kind }) => kind === 'Migrations').map((one) => one.path),
  );
  if (path === undefined) throw new UsageError('schemas needs an endpoint Migrations in the application.');
  if (another !== undefined)
    throw new UsageError(
      `schemas does not know which is meant: ${path} or ${another}; say --command of one.`,
    );
  const more: CommandContext['line']['parameters'] =
    verb === 'add'
      ? [
          ['command', 'add_schema'],
          ['schemas', names.join(',')],
        ]
      : [['command', 'schemas']];
  await context.finishStart();
  return ask({
    ...context,
    line: { ...line, words: segmentsOf([path]), parameters: [...more, ...line.parameters] },
  });
}
