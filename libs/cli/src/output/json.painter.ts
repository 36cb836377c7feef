import type { Terminal } from './terminal.js';

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** Characters that a terminal might take for a command or not show, though JSON allows them unescaped. */
const invisible = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** JSON for people: indented and coloured. Its numbers and texts stay as they were sent. */
export function painted(json: string, terminal: Terminal): string {
  const words = json.match(tokens) ?? [];
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
  if (word.startsWith('"')) return terminal.styled(next === ':' ? 'cyan' : 'green', visible(word));
  if (/^[[\]{},:]$/.test(word)) return word;
  return terminal.styled(word === 'null' ? 'dim' : 'yellow', word);
}

function visible(text: string): string {
  return text.replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
