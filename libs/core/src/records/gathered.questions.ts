import type { Column } from '../model/column.js';
import type { RecordQuestions } from '../model/validator.js';
import type { QuestionsOfMany, RecordKey } from './record.store.js';

/** A value, and the record that would have it; undefined for a new one. */
export interface AskedValue {
  readonly value: unknown;
  readonly ownId: RecordKey | undefined;
}

/** Answers many questions about a column, each sort with one statement. */
export interface QuestionAnswers {
  /** Tells of each value whether another record than its own has it. */
  taken(asked: readonly AskedValue[]): Promise<readonly boolean[]>;
  /** Tells which keys have a record that may be seen. */
  existing(keys: readonly unknown[]): Promise<(key: unknown) => boolean>;
}

/** A question that waits for its answer. */
interface Waiting {
  readonly asked: AskedValue;
  readonly index: number;
  readonly text: string;
  readonly answer: (isTaken: boolean) => void;
  readonly fail: (error: unknown) => void;
}

interface WaitingKeys {
  readonly keys: readonly unknown[];
  readonly answer: (exist: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Questions about one column of many records. Those that are asked in the same turn of the event loop are one statement,
 * whoever asks: rules of the user's own, too. A value that an earlier record of the request asks for is taken.
 */
export class GatheredQuestions implements QuestionsOfMany {
  #values: Waiting[] = [];
  #keys: WaitingKeys[] = [];
  #isPlanned = false;
  /** The records by the values that they ask for. */
  readonly #claims = new Map<string, number>();

  constructor(
    private readonly column: Column,
    private readonly answers: QuestionAnswers,
  ) {}

  of(index: number, ownId: RecordKey | undefined): RecordQuestions {
    const allExist = (keys: readonly unknown[]): Promise<boolean> =>
      new Promise((answer, fail) => {
        this.#keys.push({ keys, answer, fail });
        this.#plan();
      });
    return {
      isTaken: (value) =>
        new Promise((answer, fail) => {
          const text = textOf(this.column, value);
          this.#values.push({ asked: { value, ownId }, index, text, answer, fail });
          this.#plan();
        }),
      parentExists: (key) => allExist([key]),
      allExist,
    };
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      void this.#ask(this.#values.splice(0), this.#keys.splice(0));
    });
  }

  /** One statement after the other: all of them may be in one transaction. */
  async #ask(values: readonly Waiting[], keys: readonly WaitingKeys[]): Promise<void> {
    try {
      const taken = values.length === 0 ? [] : await this.answers.taken(values.map(({ asked }) => asked));
      for (const { text, index } of values)
        if ((this.#claims.get(text) ?? Infinity) > index) this.#claims.set(text, index);
      for (const [position, { text, index, answer }] of values.entries())
        answer(taken[position] === true || this.#claims.get(text) !== index);
      const all = keys.flatMap((one) => one.keys);
      const exists = all.length === 0 ? () => true : await this.answers.existing(all);
      for (const one of keys) one.answer(one.keys.every(exists));
    } catch (error) {
      for (const { fail } of [...values, ...keys]) fail(error);
    }
  }
}

/** A value as text, by which those are known that the column keeps alike. */
function textOf({ type }: Column, value: unknown): string {
  const isOfType = value !== null && value !== undefined && type.complaint(value) === undefined;
  return isOfType ? type.keyText(type.toDatabase(type.toKept(value))) : `other ${JSON.stringify(value)}`;
}
