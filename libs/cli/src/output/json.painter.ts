import { printableJson } from './printable.js';
import type { Terminal } from './terminal.js';

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** JSON for people: indented and coloured. Its numbers and texts stay as they were sent. */
export function painted(json: string, terminal: Terminal): string {
  const words = printableJson(json).match(tokens) ?? [];
  let text = '';
  let depth = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const opens = word === '{' || word === '[';
    const closes = next === '}' || next === ']';
    if (opens) depth += 1;
    if (closes) depth -= 1;
    text += colouredWord(word, next, terminal);
    if (opens && closes) continue;
    if (word === ',' || opens || closes) text += `\n${'  '.repeat(depth)}`;
    else if (word === ':') text += ' ';
  }
  return text;
}

function colouredWord(word: string, next: string | undefined, terminal: Terminal): string {
  if (word.startsWith('"')) return terminal.styled(next === ':' ? 'cyan' : 'green', word);
  if (/^[[\]{},:]$/.test(word)) return word;
  return terminal.styled(word === 'null' ? 'dim' : 'yellow', word);
}
