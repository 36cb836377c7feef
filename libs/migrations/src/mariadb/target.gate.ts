import { MigrationFailure } from '../migration.failure.js';
import type { SourceText } from '../sources/source.text.js';
import { codePoints, TextPositions } from '../sources/text.position.js';
import { objectionTo } from './allowed.statements.js';
import { tokensOf, type SqlToken } from './sql.tokens.js';

/** One statement of the target schema. */
export interface TargetStatement {
  readonly text: string;
  /** `file:line:column` of its beginning. */
  readonly at: string;
}

/**
 * The statements of a target schema, every one of a sort that is allowed.
 *
 * @throws MigrationFailure with a line `file:line:column: …` for each that is not, and for an empty target
 */
export function gatedStatements(sources: readonly SourceText[]): readonly TargetStatement[] {
  const problems: string[] = [];
  const statements: TargetStatement[] = [];
  for (const { name, text } of sources) {
    const positions = new TextPositions(text);
    const placeOf = (start: number): string => {
      const { line, column } = positions.at(codePoints(text.slice(0, start)));
      return `${name}:${line}:${column}`;
    };
    if (text.includes('\0') || !text.isWellFormed()) {
      problems.push(`${name}: the text contains a NUL character or an unpaired surrogate`);
      continue;
    }
    for (const tokens of statementsOf(tokensOf(text))) {
      const [first] = tokens;
      const last = tokens.at(-1);
      if (first === undefined || last === undefined) continue;
      const objection = objectionTo(tokens);
      const at = placeOf(first.start);
      if (objection === undefined) statements.push({ text: text.slice(first.start, last.end), at });
      else problems.push(`${placeOf(objection.token.start)}: ${beginning(tokens)}: ${objection.reason}`);
    }
  }
  if (problems.length > 0) throw new MigrationFailure(problems);
  if (statements.length === 0)
    throw new MigrationFailure('the target schema is empty: no entry of sql holds a statement');
  return statements;
}

function beginning(tokens: readonly SqlToken[]): string {
  return tokens
    .slice(0, 2)
    .map(({ text }) => text.slice(0, 40))
    .join(' ')
    .toUpperCase();
}

/** Words after which a statement of a routine begins. */
const openers: ReadonlySet<string> = new Set([';', 'begin', 'then', 'else', 'do', 'loop', 'repeat', ':']);
const blocks: ReadonlySet<string> = new Set(['if', 'loop', 'repeat', 'while']);

/** Parts the pieces at semicolons, but not at those in the body of a routine or trigger: it begins with `begin`. */
function statementsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const found: SqlToken[][] = [[]];
  let depth = 0;
  let hasBody = false;
  for (const [index, token] of tokens.entries()) {
    const { text, kind } = token;
    const before = tokens[index - 1]?.text ?? '';
    const current = found.at(-1) ?? [];
    if (kind === 'word' && ['trigger', 'function', 'procedure'].includes(text) && current.length < 4)
      hasBody = true;
    if (hasBody && kind === 'word') {
      if (text === 'end') depth -= 1;
      else if (text === 'begin' || (text === 'case' && before !== 'end')) depth += 1;
      else if (depth > 0 && blocks.has(text) && openers.has(before)) depth += 1;
    }
    if (text === ';' && depth <= 0) {
      found.push([]);
      [depth, hasBody] = [0, false];
    } else current.push(token);
  }
  return found.filter(({ length }) => length > 0);
}
