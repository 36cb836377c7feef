import type { CommandName, SchemaCommandName } from '../commands/command.table.js';
import { MigrationFailure } from '../migration.failure.js';
import type { TellProgress, TenantMigrations } from './tenant.migrator.js';

/**
 * Carries out a command about the schemas of tenants, and gives its lines.
 *
 * @param schemas names and patterns; undefined for all, where a command does not make them
 * @throws MigrationFailure
 */
export async function runForTenants(
  tenants: TenantMigrations,
  command: CommandName | SchemaCommandName,
  schemas: readonly string[] | undefined,
  tell: TellProgress,
): Promise<readonly string[]> {
  switch (command) {
    case 'schemas':
      return (await tenants.list()).map(({ name, state }) => `${name} ${state}`);
    case 'add_schema':
      return tenants.add(schemas ?? [], tell);
    case 'plan':
    case 'apply':
      return tenants.run(command, schemas, tell);
    default:
      throw new MigrationFailure(`schemas goes with plan, apply and add_schema, not with ${command}`);
  }
}
