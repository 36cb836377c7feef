import type { Application } from './application.js';

/** What the drivers write, as far as it is listened to. */
interface Wire {
  write(bytes: Uint8Array, ...rest: unknown[]): unknown;
}

interface PgWire {
  readonly stream: Wire;
  /** The texts of what is prepared on the connection, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
}

interface PgPool {
  on(event: 'acquire', listener: (client: { readonly connection: PgWire }) => void): unknown;
}

interface PgliteClient {
  execProtocolRaw(bytes: Uint8Array, ...rest: unknown[]): unknown;
}

type MySqlSend = (statement: { readonly sql: string } | string, ...rest: unknown[]) => unknown;

interface MySqlConnection {
  query: MySqlSend;
  /** Sends what is prepared. */
  execute: MySqlSend;
}

interface MySqlPool {
  on(event: 'acquire', listener: (connection: MySqlConnection) => void): unknown;
}

interface SqliteClient {
  prepare(statement: string): unknown;
}

const listeners = new WeakMap<object, Promise<Statements>>();

/**
 * The statements that reach the database of an application: they are read from what its driver sends in PostgreSQL's
 * protocol, and where SQLite is asked to prepare them, so that none is missed, `begin` and `commit` included.
 */
export class Statements {
  #sent: string[] = [];
  /** By name; the unnamed one is under an empty name. */
  readonly #parsed = new Map<string, string>();
  #bound = '';

  /** Listens to an application, from the first time that somebody asks for it on. */
  static of(application: Application): Promise<Statements> {
    const statements = listeners.get(application.orm) ?? Statements.#listening(application);
    listeners.set(application.orm, statements);
    return statements;
  }

  static async #listening({ database, orm }: Application): Promise<Statements> {
    const statements = new Statements();
    const connection = orm.driver.getConnection() as unknown as { getNativeClient(): Promise<unknown> };
    const client = await connection.getNativeClient();
    if (database === 'pglite') statements.#listenToPglite(client as PgliteClient);
    else if (database === 'sqlite') statements.#listenToSqlite(client as SqliteClient);
    else if (database === 'mariadb') statements.#listenToMariaDb(client as MySqlPool);
    else statements.#listenToPool(client as PgPool);
    return statements;
  }

  /** The statements that were sent while something was done, but for {@link isAboutTables questions about tables}. */
  async during(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
    this.#sent = [];
    await work();
    return this.#sent.filter((statement) => !isAboutTables(statement));
  }

  #listenToPglite(client: PgliteClient): void {
    const send = client.execProtocolRaw.bind(client);
    client.execProtocolRaw = (bytes, ...rest) => {
      this.#read(Buffer.from(bytes));
      return send(bytes, ...rest);
    };
  }

  #listenToSqlite(client: SqliteClient): void {
    const prepare = client.prepare.bind(client);
    client.prepare = (statement) => {
      this.#sent.push(statement);
      return prepare(statement);
    };
  }

  #listenToMariaDb(pool: MySqlPool): void {
    const heard = new WeakSet<MySqlConnection>();
    pool.on('acquire', (connection) => {
      if (heard.has(connection)) return;
      heard.add(connection);
      for (const way of ['query', 'execute'] as const) {
        const send = connection[way].bind(connection);
        connection[way] = (statement, ...rest) => {
          this.#sent.push(typeof statement === 'string' ? statement : statement.sql);
          return send(statement, ...rest);
        };
      }
    });
  }

  /** Connections are listened to when they are first taken out of the pool; a statement needs that. */
  #listenToPool(pool: PgPool): void {
    const heard = new WeakSet<Wire>();
    pool.on('acquire', ({ connection: { stream, parsedStatements } }) => {
      if (heard.has(stream)) return;
      heard.add(stream);
      for (const [name, text] of Object.entries(parsedStatements)) this.#parsed.set(name, text);
      const write = stream.write.bind(stream);
      stream.write = (bytes, ...rest) => {
        this.#read(Buffer.from(bytes));
        return write(bytes, ...rest);
      };
    });
  }

  /** Messages: a letter, the length of what follows, itself included, and the text. Drivers send them whole. */
  #read(bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      const kind = String.fromCharCode(bytes.readUInt8(from));
      const end = from + 1 + bytes.readUInt32BE(from + 1);
      const texts = bytes.toString('utf8', from + 5, end).split('\0');
      if (kind === 'Q') this.#sent.push(texts[0] ?? '');
      if (kind === 'P') this.#parsed.set(texts[0] ?? '', texts[1] ?? '');
      if (kind === 'B') this.#bound = texts[1] ?? '';
      if (kind === 'E') this.#sent.push(this.#parsed.get(this.#bound) ?? '');
      from = end;
    }
  }
}

/** What a statement does, in one word; a `select` that locks is a `lock`, an insert of a record as it is an `update`. */
export const verbOf = (statement: string): string => {
  const [verb = ''] = statement.trim().toLowerCase().split(/\W/);
  if (/\bfor update on duplicate key update\b/i.test(statement)) return 'update';
  if (/\bfor update\b/i.test(statement)) return 'lock';
  return verb === 'with' ? 'select' : verb;
};

/** True for questions about the tables themselves, which are asked anew every few seconds, whatever a request is about. */
const isAboutTables = (statement: string): boolean =>
  statement.includes('pg_class') || statement.includes('information_schema.tables');
