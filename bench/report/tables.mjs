import { applications } from '../applications/list.mjs';
import { cases } from '../load/cases.mjs';

/** A Markdown table, laid out as prettier does: all columns but the first are numbers. */
export function markdownTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const padded = rows.map((row) =>
    line(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))),
  );
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  return [padded[0], rule, ...padded.slice(1)].join('\n');
}

const none = '–';

/** One row an application, one column a case; `show` makes a cell of a case's figures. */
function byCase({ applications: measured }, show, caseNames) {
  const columns = caseNames ?? Object.keys(cases).filter((name) => name in measured.limit.cases);
  return markdownTable([
    ['', ...columns.map((name) => cases[name].title)],
    ...Object.entries(measured).map(([name, { cases: figures }]) => [
      applications[name].title,
      ...columns.map((column) => (column in figures ? (show(figures[column]) ?? none) : none)),
    ]),
  ]);
}

export const ratioTable = (results, caseNames) => byCase(results, ({ ratio }) => ratio.toFixed(2), caseNames);

const whole = (value) => (value === null ? undefined : value.toFixed(0));

export const cpuTable = (results) => byCase(results, ({ cpu }) => whole(cpu));
export const databaseTable = (results) => byCase(results, ({ databaseCpu }) => whole(databaseCpu));
export const throughputTable = (results) => byCase(results, ({ perSecond }) => whole(perSecond));
const milliseconds = (value) => value.toFixed(value < 10 ? 1 : 0);

export const latencyTable = (results) =>
  byCase(results, ({ p50, p99 }) => `${milliseconds(p50)} / ${milliseconds(p99)}`);

export const processTable = ({ applications: measured }) =>
  markdownTable([
    ['', 'memory after load, MB', 'cold start, ms'],
    ...Object.entries(measured).map(([name, { memory, coldStart }]) => [
      applications[name].title,
      String(memory),
      String(coldStart),
    ]),
  ]);
