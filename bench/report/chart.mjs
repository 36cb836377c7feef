import { applications, limitOf } from '../applications/list.mjs';
import { line, picture, rectangle, text } from './svg.mjs';

// The README's chart: requests that the same CPU serves, beside LIMIT.

const panels = { get: 'get a record', update: 'change a record', list1k: 'list 50 of 1,000, counted' };

const size = { left: 375, panel: 200, gap: 24, bar: 150, row: 24, head: 26, top: 56, foot: 36 };

/** The rows below a heading each: whoever has a tenant is compared with a LIMIT that has one. */
const groups = [
  { title: 'The real application: verified tokens, a tenant, a filter', limit: 'limit-tenant' },
  { title: 'Open endpoints', limit: 'limit' },
];

/** What a heading says already. */
const labelOf = (name) => applications[name].title.replace(/, (tenant|open)\b/, '');

const isLimit = (name) => limitOf(name) === name;

const kindOf = (name) => {
  if (isLimit(name)) return 'limit';
  if (!name.startsWith('ours')) return 'bar';
  return applications[name].cases === undefined ? 'ours' : 'road';
};

const panelStart = (index) => size.left + index * (size.panel + size.gap);

/** The rows of the chart from above, headings among them, with their places. */
function rowsOf(measured) {
  let y = size.top;
  return groups.flatMap(({ title, limit }) => {
    const names = Object.keys(applications).filter((name) => name in measured && limitOf(name) === limit);
    if (names.length === 0) return [];
    const heading = { heading: title, y };
    y += size.head;
    const rows = names.map((name, index) => ({ name, y: y + index * size.row }));
    y += names.length * size.row + 8;
    return [heading, ...rows];
  });
}

function bar(name, ratio, x, y, scale) {
  const width = Math.max(1, ratio * scale);
  return [
    rectangle(kindOf(name), x, y + 4, width, 15),
    text(x + width + 6, y + 16, ratio.toFixed(2), ' class="value"'),
  ];
}

function rowParts({ name, heading, y }, measured, scale) {
  if (heading !== undefined) return [text(10, y + 17, heading, ' class="title"')];
  const weight = name.startsWith('ours') ? ' class="title"' : '';
  const { cases } = measured[name];
  return [
    text(size.left - 10, y + 16, labelOf(name), ` text-anchor="end"${weight}`),
    ...Object.keys(panels).flatMap((panel, index) =>
      panel in cases ? bar(name, cases[panel].ratio, panelStart(index), y, scale) : [],
    ),
  ];
}

/** An SVG that reads on light and on dark pages. */
export function chart({ applications: measured, machine, versions, measured: day, tree }) {
  const rows = rowsOf(measured);
  const ratios = Object.values(measured).flatMap(({ cases }) =>
    Object.keys(panels).flatMap((panel) => cases[panel]?.ratio ?? []),
  );
  const scale = size.bar / Math.max(1, ...ratios);
  const bottom = rows.at(-1).y + size.row;
  const heads = Object.values(panels).flatMap((title, index) => {
    const x = panelStart(index);
    return [
      text(x, 44, title, ' class="title"'),
      line('line', [x - 0.5, size.top], [x - 0.5, bottom]),
      line('one', [x + scale, size.top], [x + scale, bottom]),
    ];
  });
  const note = `${day}, tree ${tree}: Node ${versions.node}, PostgreSQL ${versions.postgresql}, ${machine.processor}. The dashed line is LIMIT: Node's http and pg, a serializer by hand.`;
  return picture({
    width: panelStart(Object.keys(panels).length - 1) + size.panel + 10,
    height: bottom + size.foot,
    title: 'Requests served by the same CPU, LIMIT = 1',
    parts: [
      text(10, 20, 'Requests served by the same CPU, LIMIT = 1 (longer is better)', ' class="note"'),
      ...heads,
      ...rows.flatMap((row) => rowParts(row, measured, scale)),
      text(10, bottom + 24, note, ' class="note"'),
    ],
  });
}
