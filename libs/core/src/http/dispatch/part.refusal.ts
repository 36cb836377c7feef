import { STATUS_CODES } from 'node:http';
import type { PartAnswer, PartRefusal } from '../../endpoint/dispatch.js';
import { statusOf } from '../../wire/outcome.table.js';
import type { Refusal } from '../../wire/refusals.js';

/** The answer to a part that is refused before any endpoint has it. */
export function refusalOf(refusal: Refusal, reads: boolean): PartRefusal {
  const { statusCode, status, message, inputErrors, hasWholeNames, placeSteps, headers } = refusal;
  const facts = { statusCode, status, message, inputErrors, hasWholeNames, placeSteps };
  return { kind: 'refusal', facts, headers, error: refusal, reads };
}

/** The answer to a part that something of the user's has answered, such as middleware: a refusal, or nothing that can be told. */
export function answeredPast(statusCode: number, reads: boolean): PartAnswer {
  if (statusCode < 400) return { kind: 'barred' };
  const message = STATUS_CODES[statusCode] ?? 'Error';
  const status = statusOf(statusCode);
  const facts = { statusCode, status, message, inputErrors: new Map<string, string>(), hasWholeNames: false };
  return { kind: 'refusal', facts, headers: [], error: undefined, reads };
}
