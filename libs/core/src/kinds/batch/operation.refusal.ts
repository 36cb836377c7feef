import type { PartRefusal } from '../../endpoint/dispatch.js';
import { databaseReason } from '../../database/errors/database.error.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { Outcome, StatusWord } from '../../wire/outcome.table.js';
import { Refusal, type InputErrors } from '../../wire/refusals.js';

/** The refusal of a batch for one of its operations: it has the operation's status, and tells its place. */
export class OperationRefusal extends Refusal {
  readonly outcome: Outcome = 'badRequest';
  override readonly headers: HeaderLines;
  override readonly inputErrors: InputErrors;
  override readonly hasWholeNames: boolean;
  override readonly placeSteps: number;
  readonly #facts: PartRefusal['facts'];

  /**
   * @param place of the operation, e.g. `operations.1`
   * @param inputs the place of its inputs, e.g. `operations.1.body`
   */
  constructor(place: string, inputs: string, { facts, headers, error }: PartRefusal) {
    // The log has heard of the error by now. One that others are the reason of is looked at once more: the batch is tried again.
    super(
      facts.message === '' ? '' : `${place}: ${facts.message}`,
      databaseReason(error) === 'transient' ? { cause: error } : undefined,
    );
    this.#facts = facts;
    this.headers = headers;
    this.hasWholeNames = facts.hasWholeNames;
    this.placeSteps = inputs.split('.').length + (facts.placeSteps ?? 0);
    this.inputErrors = new Map([...facts.inputErrors].map(([name, text]) => [`${inputs}.${name}`, text]));
  }

  /** The refusal for an operation that cannot be sent. */
  static of(place: string, refusal: Refusal): OperationRefusal {
    const { headers } = refusal;
    return new OperationRefusal(place, place, {
      kind: 'refusal',
      facts: refusal,
      headers,
      error: undefined,
      reads: false,
    });
  }

  override get statusCode(): number {
    return this.#facts.statusCode;
  }

  override get status(): StatusWord {
    return this.#facts.status;
  }
}
