import { applications } from '../applications/list.mjs';
import { ratedIn } from './rated.mjs';
import { circle, line, picture, rectangle, text } from './svg.mjs';

// The chart of docs/performance.md: how long a get takes at a fixed rate.

const size = { left: 290, panel: 250, gap: 26, row: 30, top: 66, foot: 40 };

const panelStart = (index) => size.left + index * (size.panel + size.gap);

/** The part of a panel that lines take; what is left is for the figure behind the longest. */
const part = 0.8;

const kindOf = (name) => (name.startsWith('ours') ? ' ours' : '');

/** A line from the median to the 99th percentile, with a tick at the 95th. */
function span(name, { p50, p95, p99 }, { x, y, scale }) {
  const kind = kindOf(name);
  const place = (value) => x + value * scale;
  return [
    line(`span${kind}`, [place(p50), y], [place(p99), y]),
    rectangle(`end${kind}`, place(p95) - 1.5, y - 6, 3, 12),
    circle(`end${kind}`, place(p99), y, 5),
    circle(`dot${kind}`, place(p50), y, 5),
    text(place(p99) + 10, y + 4, p99.toFixed(1), ' class="value"'),
  ];
}

function panel({ measured, names, rate, index, bottom }) {
  const x = panelStart(index);
  const longest = Math.max(...names.map((name) => measured[name].rates[rate].p99));
  const scale = (size.panel * part) / longest;
  return [
    text(x, 52, `${rate.toLocaleString('en')} requests a second`, ' class="title"'),
    line('line', [x - 0.5, size.top - 6], [x - 0.5, bottom]),
    ...names.flatMap((name, row) =>
      span(name, measured[name].rates[rate], { x, y: size.top + row * size.row + 12, scale }),
    ),
  ];
}

/** An SVG that reads on light and on dark pages; each panel has a scale of its own. */
export function latencyChart({ applications: measured, measured: day, tree }) {
  const { names, perSecond } = ratedIn(measured);
  const bottom = size.top + names.length * size.row;
  const labels = names.map((name, row) => {
    const weight = kindOf(name) === '' ? '' : ' class="title"';
    const place = ` text-anchor="end"${weight}`;
    return text(size.left - 14, size.top + row * size.row + 16, applications[name].title, place);
  });
  const head =
    'Latency of a get in ms, counted from when it was due: ○ half of them, ❙ 95 %, ● 99 % (shorter is better)';
  return picture({
    width: panelStart(perSecond.length - 1) + size.panel + 10,
    height: bottom + size.foot,
    title: 'Latency of a get at fixed rates',
    parts: [
      text(10, 22, head, ' class="note"'),
      ...labels,
      ...perSecond.flatMap((rate, index) => panel({ measured, names, rate, index, bottom })),
      text(10, bottom + 26, `${day}, tree ${tree}. Each rate has a scale of its own.`, ' class="note"'),
    ],
  });
}
