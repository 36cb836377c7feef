import Table from 'cli-table3';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** Lines without a frame, which can be read, searched and cut. */
const plain = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;

/** Records as a table; nested ones become columns such as `country.name`. */
export function recordTable(records: readonly unknown[], terminal: Terminal): string {
  const rows = records.map((record) => flattened(record));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = rows.map((row) => names.map((name) => cellOf(row.get(name))));
  const alignments = names.map((name) =>
    rows.some((row) => typeof row.get(name) === 'number') ? 'right' : 'left',
  );
  return table(names, lines, terminal, alignments);
}

export function table(
  heading: readonly string[],
  lines: readonly (readonly string[])[],
  terminal: Terminal,
  alignments: readonly ('left' | 'right')[] = heading.map(() => 'left'),
): string {
  const head = heading.map((name) => terminal.styled('bold', printable(name)));
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const grid = new Table({ head, chars: plain, style, colAligns: [...alignments] });
  for (const line of lines) grid.push(line.map(printable));
  const text = grid.toString().split('\n');
  return `${text.map((line) => line.trimEnd()).join('\n')}\n`;
}

function flattened(record: unknown, prefix = '', into = new Map<string, unknown>()): Map<string, unknown> {
  const isObject = typeof record === 'object' && record !== null && !Array.isArray(record);
  if (!isObject) return into.set(prefix === '' ? 'value' : prefix, record);
  for (const [name, value] of Object.entries(record))
    flattened(value, prefix === '' ? name : `${prefix}.${name}`, into);
  return into;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
