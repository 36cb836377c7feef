import { applications } from '../applications/list.mjs';

// The README's chart: requests that the same CPU serves, beside LIMIT. Written by hand, so that it needs no library.

const panels = { get: 'get a record', create: 'create a record', list1k: 'list 50 of 1,000, counted' };

const size = { left: 270, panel: 196, gap: 22, bar: 150, row: 26, top: 62 };

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .note { fill: #59636e; }
  .bar { fill: #afb8c1; }
  .ours { fill: #0969da; }
  .limit { fill: none; stroke: #afb8c1; }
  .line { stroke: #d1d9e0; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .note { fill: #9198a1; }
    .bar { fill: #57606a; }
    .ours { fill: #4493f8; }
    .limit { stroke: #57606a; }
    .line { stroke: #3d444d; }
  }`;

const kindOf = (name) => (name === 'limit' ? 'limit' : name.startsWith('ours') ? 'ours' : 'bar');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const text = (x, y, content, attributes = '') =>
  `<text x="${x}" y="${y}"${attributes}>${escaped(content)}</text>`;

const panelStart = (index) => size.left + index * (size.panel + size.gap);

function bar(name, ratio, x, y) {
  const width = Math.max(1, ratio * size.bar).toFixed(1);
  const rectangle = `<rect class="${kindOf(name)}" x="${x}" y="${y + 5}" width="${width}" height="16" rx="2"/>`;
  return `${rectangle}${text(x + Number(width) + 6, y + 18, ratio.toFixed(2))}`;
}

function row([name, { cases }], index) {
  const y = size.top + index * size.row;
  const weight = name.startsWith('ours') ? ' class="title"' : '';
  const label = text(size.left - 10, y + 18, applications[name].title, ` text-anchor="end"${weight}`);
  const bars = Object.keys(panels).map((panel, at) =>
    panel in cases ? bar(name, cases[panel].ratio, panelStart(at), y) : '',
  );
  return label + bars.join('');
}

/** An SVG that reads on light and on dark pages. */
export function chart({ applications: measured, machine, versions }) {
  const rows = Object.entries(measured);
  const height = size.top + rows.length * size.row + 34;
  const width = panelStart(Object.keys(panels).length - 1) + size.panel + 10;
  const heads = Object.values(panels).map((title, index) =>
    text(panelStart(index), 46, title, ' class="title"'),
  );
  const lines = Object.keys(panels).map((_, index) => {
    const x = panelStart(index) - 0.5;
    return `<line class="line" x1="${x}" x2="${x}" y1="${size.top}" y2="${size.top + rows.length * size.row}"/>`;
  });
  const note = `LIMIT is Node's http and pg with a hand-written serializer. Node ${versions.node}, PostgreSQL ${versions.postgresql}, ${machine.processor}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Requests served by the same CPU, LIMIT = 1</title>
<style>${style}
</style>
${text(10, 20, 'Requests served by the same CPU, LIMIT = 1 (longer is better)', ' class="note"')}
${heads.join('\n')}
${lines.join('\n')}
${rows.map(row).join('\n')}
${text(10, height - 10, note, ' class="note"')}
</svg>
`;
}
