import type { HttpException } from '@nestjs/common';
import { bodiless, isStatusCode } from '../../wire/status.code.js';

/** The contents of an exception of Nest that is no error. */
export interface ThrownSuccess {
  readonly statusCode: number;
  /** Undefined where an answer of this status has no body. */
  readonly data: unknown;
}

/** An exception below 400 is how some code leaves early; undefined for one that is an error. */
export function successOf(error: HttpException): ThrownSuccess | undefined {
  const statusCode = error.getStatus();
  if (!isStatusCode(statusCode, 200, 399)) return undefined;
  return { statusCode, data: bodiless.includes(statusCode) ? undefined : error.getResponse() };
}

/** Reads the message of an exception, or all those that a pipe for validation has collected in it. */
export function messageOf(error: HttpException): string {
  const response: unknown = error.getResponse();
  const { message } = Object(response) as { readonly message?: unknown };
  const messages = textsIn(Array.isArray(response) ? response : message);
  return messages.length > 0 ? messages.join('; ') : error.message;
}

/** Texts, and those in the `ValidationError`s of class-validator, nested ones too. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { constraints, children } = value as { readonly constraints?: object; readonly children?: unknown };
  return [...textsIn(Object.values(constraints ?? {})), ...textsIn(children)];
}
