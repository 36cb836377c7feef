/**
 * SQL that a Nest module brings along: a provider of the module, found by `includeModuleMigrations`.
 *
 * @example
 * @Injectable()
 * export class BillingMigrations extends AdditionalMigrations {
 *   override paths() {
 *     return [join(import.meta.dirname, 'sql')];
 *   }
 * }
 */
export abstract class AdditionalMigrations {
  /** Paths of `.sql` files or of directories of them; those that are not there are skipped. */
  abstract paths(): readonly string[];
}
