import { check, has, listOf } from '../options/checks.js';
import type { OptionCheck } from '../options/option.check.js';
import { problemIn } from '../wire/header.lines.js';
import type { HeaderLines } from '../wire/answer.js';

const shape = check(
  'a security header, e.g. new Hsts()',
  (value) => has(value, []) && isLines(linesOf(value)),
);

const header: OptionCheck = {
  allowed: shape.allowed,
  complaint: (value) => shape.complaint(value) ?? problemIn(linesOf(value) as HeaderLines),
};

/** The check of `securityHeaders`. */
export const securityHeaders = listOf('security headers, e.g. [new Hsts()]', header);

function linesOf(value: unknown): unknown {
  return (value as { readonly headers?: unknown }).headers;
}

function isLines(value: unknown): boolean {
  return Array.isArray(value) && value.every(isLine);
}

function isLine(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
