import type { Kysely } from '@mikro-orm/sql';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { sent, type StatementsHeard } from './errors/connection.statements.js';
import { lostConnectionOr } from './errors/database.error.js';
import type { KyselyTransaction } from './kysely.types.js';
import { rawQuery } from './raw.query.js';
import { settingText } from './transactions/session.text.js';

/** Sends statements with real parameters through Kysely. */
export class KyselySender {
  /** The way in which Kysely ends what nobody waits for. */
  readonly strategy: 'cancel query' | 'ignore query';

  /** @param canCancel true if the driver can stop a statement that the database works on */
  constructor(
    private readonly heard: StatementsHeard,
    canCancel: boolean,
  ) {
    this.strategy = canCancel ? 'cancel query' : 'ignore query';
  }

  /** Sends a statement that has a transaction for itself where it has settings. */
  runAlone(
    client: Kysely<unknown>,
    statement: Statement,
    inputs: StatementInputs,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    if (statement.settings.length === 0) return this.run(client, statement, inputs, signal);
    return client.transaction().execute((transaction) => this.run(transaction, statement, inputs, signal));
  }

  /** @param signal ends it when nobody waits for it any more */
  async run(
    client: Pick<KyselyTransaction, 'executeQuery'>,
    statement: Statement,
    inputs: StatementInputs,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    const query = rawQuery(statement.text, statement.bind(inputs));
    const options = { signal, inflightQueryAbortStrategy: this.strategy };
    try {
      const { settings: own } = statement;
      const settings = inputs.settings === undefined ? own : [...own, ...inputs.settings];
      if (settings.length > 0)
        await client.executeQuery(rawQuery(settingText(settings.length), settings.flat()), options);
      const { rows } = await sent(
        () => client.executeQuery<Record<string, unknown>>(query, options),
        this.heard,
      );
      return rows.map(Object.values);
    } catch (error) {
      throw lostConnectionOr(error);
    }
  }
}

/** An entity manager, as far as it knows when nobody waits for it any more. */
interface Abortable {
  getAbortOptions(): { readonly signal?: AbortSignal } | undefined;
}

/** The signal of an entity manager, or of the transaction that it is in. */
export function signalOf(em: object): AbortSignal | undefined {
  return (em as Abortable).getAbortOptions()?.signal;
}
