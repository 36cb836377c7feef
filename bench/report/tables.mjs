import { applications } from '../applications/list.mjs';
import { cases } from '../load/cases.mjs';
import { ratedIn } from './rated.mjs';

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

/** In columns: a wider table is scrolled sideways on a page, and broken in a terminal. */
const widest = 120;

/** As many tables as it takes for none to be too wide. Each begins with the first column. */
function markdownTables(rows) {
  const widthOf = (column) => Math.max(3, ...rows.map((row) => row[column].length)) + ' | '.length;
  const tables = [];
  let width = Infinity;
  for (const column of rows[0].keys()) {
    if (column === 0) continue;
    if (width + widthOf(column) > widest) {
      tables.push([0]);
      width = widthOf(0) + 1;
    }
    tables.at(-1).push(column);
    width += widthOf(column);
  }
  return tables
    .map((columns) => markdownTable(rows.map((row) => columns.map((one) => row[one]))))
    .join('\n\n');
}

const none = '–';

/** One row an application, one column a case, in tables as wide as a page; `show` makes a cell of a case's figures. */
function byCase({ applications: measured }, show, names = namesOf(measured)) {
  const caseNames = casesOf(measured);
  return markdownTables([
    ['', ...caseNames.map((name) => cases[name].title)],
    ...names.map((name) => [
      applications[name].title,
      ...caseNames.map((one) => {
        const figures = measured[name].cases[one];
        return figures === undefined ? none : (show(figures) ?? none);
      }),
    ]),
  ]);
}

/** In the order of the list: results are kept in that of the run. */
const namesOf = (measured) => Object.keys(applications).filter((name) => name in measured);

const casesOf = (measured) =>
  Object.keys(cases).filter((name) => Object.values(measured).some((one) => name in one.cases));

export const ratioTable = (results) => byCase(results, ({ ratio }) => ratio.toFixed(2));

/** What an application costs that has something more: how much of the other's capacity is left. */
export function besideTable(results) {
  const names = namesOf(results.applications).filter((name) =>
    Object.values(results.applications[name].cases).some(({ beside }) => beside !== null),
  );
  return names.length === 0 ? none : byCase(results, ({ beside }) => beside?.toFixed(2), names);
}

const whole = (value) => (value === null ? undefined : value.toFixed(0));

export const cpuTable = (results) => byCase(results, ({ cpu }) => whole(cpu));
export const databaseTable = (results) => byCase(results, ({ databaseCpu }) => whole(databaseCpu));
export const throughputTable = (results) => byCase(results, ({ perSecond }) => whole(perSecond));
const milliseconds = (value) => value.toFixed(value < 10 ? 1 : 0);

export const latencyTable = (results) => byCase(results, (figures) => quantilesOf(figures));

const quantilesOf = ({ p50, p95, p99 }) => [p50, p95, p99].map(milliseconds).join(' / ');

/** One row an application, one column a rate. */
export function rateTable({ applications: measured }) {
  const { names, perSecond } = ratedIn(measured);
  if (names.length === 0) return none;
  return markdownTables([
    ['', ...perSecond.map((rate) => `${rate.toLocaleString('en')}/s`)],
    ...names.map((name) => [
      applications[name].title,
      ...perSecond.map((rate) => quantilesOf(measured[name].rates[rate])),
    ]),
  ]);
}

export const processTable = ({ applications: measured }) =>
  markdownTable([
    ['', 'memory after load, MB', 'cold start, ms'],
    ...namesOf(measured).map((name) => [
      applications[name].title,
      measured[name].memory === null ? none : String(measured[name].memory),
      String(measured[name].coldStart),
    ]),
  ]);
