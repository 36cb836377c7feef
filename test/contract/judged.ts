import { expect } from '@jest/globals';
import type { Test } from 'supertest';
import { inputErrors } from '../support/answers.js';

/** Values as JSON text, so that a test can send what JavaScript cannot write: `1e400`, `"\ud800"`. */
type Json = string;

/** Starts a request that the values are sent with, and the members its body has beside them. */
interface Sender {
  readonly send: () => Test;
  readonly beside?: object;
}

const bodyWith = (beside: object, column: string, value: Json): Json =>
  `{${[...Object.entries(beside).map(([key, own]) => `"${key}":${JSON.stringify(own)}`), `"${column}":${value}`].join()}}`;

const answersTo = async ({ send, beside = {} }: Sender, column: string, values: readonly Json[]) => {
  const answers = new Map<Json, { status: number; body: { data: Record<string, unknown> } }>();
  for (const value of values) {
    const { status, body } = await send()
      .type('json')
      .send(bodyWith(beside, column, value));
    answers.set(value, { status, body });
  }
  return answers;
};

/** Sends the values for the column one by one; each must be refused, with this message and nothing else. */
export const expectRefused = async (
  sender: Sender,
  column: string,
  values: readonly Json[],
  message: unknown,
): Promise<void> => {
  const refusal = { status: 400, body: inputErrors({ [column]: message as string }) };
  const answers = await answersTo(sender, column, values);
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(values.map((value) => [value, refusal])));
};

/** Sends the values for the column one by one; each must be accepted, and answered as it stands beside it. */
export const expectAccepted = async (
  sender: Sender,
  column: string,
  values: Readonly<Record<Json, unknown>>,
): Promise<void> => {
  const answers = await answersTo(sender, column, Object.keys(values));
  const written = [...answers].map(([value, { status, body }]) => [
    value,
    status < 300 ? body.data[column] : body,
  ]);
  expect(Object.fromEntries(written)).toEqual(values);
};
