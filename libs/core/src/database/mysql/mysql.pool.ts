import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import { sent as told, type StatementsHeard } from '../errors/connection.statements.js';
import { longestPrepared, type NativePool, type PoolUse } from '../pool/native.pool.js';
import { QueryLog } from '../pool/query.log.js';
import { logsStopFailure, type StopFailure } from '../pool/statement.failure.js';
import { parameterOf } from './mysql.values.js';
import { ReadiedClients } from './readied.clients.js';
import { isAboutStatement, sendQuery, type SentQuery } from './sent.query.js';

/** MikroORM's own pool of connections to MariaDB or MySQL, used without MikroORM in between. */
export class MySqlPool implements NativePool {
  readonly inTransactions = undefined;
  #clients: ReadiedClients | undefined;
  readonly #log: QueryLog;
  readonly #warn: StopFailure;

  /**
   * @param heard who wants to know of statements
   * @param connection whose pool it is; default the primary's
   * @param limit how long a statement may take with the wait for a connection, in milliseconds. Default as long as it takes
   */
  constructor(
    private readonly orm: MikroORM,
    private readonly use: PoolUse,
    private readonly heard: StatementsHeard,
    private readonly connection?: AbstractSqlConnection,
    private readonly limit?: number,
  ) {
    this.#log = new QueryLog(orm.config);
    this.#warn = logsStopFailure(orm.config);
  }

  on(connection: AbstractSqlConnection, limit: number): MySqlPool {
    return new MySqlPool(this.orm, this.use, this.heard, connection, limit);
  }

  run(statement: Statement, inputs: StatementInputs, cancellation?: Cancellation): Promise<readonly Row[]> {
    const { text, preparation } = statement;
    const isPrepared = this.use.prepares && preparation !== 'none' && text.length <= longestPrepared;
    const values = statement.bind(inputs).map(parameterOf);
    const sent = { text, values, isPrepared, cancellation, limit: this.limit };
    const rows = this.#rowsOf(sent);
    if (!isPrepared) return rows;
    return rows.catch((error: unknown) => {
      if (!isAboutStatement(error)) throw error;
      return this.#rowsOf({ ...sent, isPrepared: false });
    });
  }

  #rowsOf(sent: SentQuery): Promise<readonly Row[]> {
    const clients = this.#clients;
    // MikroORM has another pool once it was closed and connected again.
    const open = clients?.pool._closed === false ? clients : undefined;
    if (open !== undefined && this.heard.by === undefined && !this.#log.isRead)
      return sendQuery(open, sent, this.#warn);
    return told(() => this.#sendLogged(sent, open), this.heard);
  }

  async #sendLogged(sent: SentQuery, open: ReadiedClients | undefined): Promise<readonly Row[]> {
    const clients = open ?? (await this.#open());
    const begun = Date.now();
    const rows = await sendQuery(clients, sent, this.#warn);
    if (this.#log.isRead) this.#log.write(sent.text, Date.now() - begun, rows.length);
    return rows;
  }

  async #open(): Promise<ReadiedClients> {
    const connection =
      this.connection ?? (this.orm.config.getDriver().getConnection() as AbstractSqlConnection);
    this.#clients = await ReadiedClients.of(connection);
    return this.#clients;
  }
}
