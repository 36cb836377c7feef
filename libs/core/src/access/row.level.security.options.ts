import type { IdentityFunction } from '../model/registered.identity.js';

/** Values of session variables, which policies read with `current_setting('name', true)`. */
export type SessionVariables = Readonly<Record<string, string | number | boolean | Date | null | undefined>>;

type Awaitable<T> = T | Promise<T>;

/** The way in which the database itself tells whose records are whose. PostgreSQL only. */
export interface RowLevelSecurityOptions {
  /**
   * The session variables of a request, e.g. `{ 'app.tenant': identity.tenant }`. A value that is missing is the empty
   * text, as a variable is that was never set.
   * @param identity what authentication found; undefined on public endpoints
   */
  readonly variables: IdentityFunction<Awaitable<SessionVariables>>;
  /**
   * The role that a request's statements run as: one that owns no table and does not bypass policies. Default: the
   * user of the connection, for whom policies only hold where tables `FORCE ROW LEVEL SECURITY`.
   */
  readonly role?: string;
}
