// What both charts are drawn with. Written by hand, so that they need no library.

/** Colours that stay apart for everybody (Okabe and Ito), on light and on dark pages. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .note { fill: #59636e; font-size: 12px; }
  .value { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round; }
  .bar { fill: #b3bac2; }
  .ours { fill: #0072b2; }
  .road { fill: #56b4e9; }
  .limit { fill: none; stroke: #6e7781; stroke-width: 1.5; }
  .line { stroke: #d1d9e0; }
  .one { stroke: #d55e00; stroke-dasharray: 4 3; }
  .span { stroke-width: 3; stroke: #b3bac2; }
  .span.ours { stroke: #0072b2; }
  .dot { fill: #ffffff; stroke: #6e7781; stroke-width: 2; }
  .dot.ours { stroke: #0072b2; }
  .end { fill: #6e7781; }
  .end.ours { fill: #0072b2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .value { stroke: #0d1117; }
    .note { fill: #9198a1; }
    .bar { fill: #656c76; }
    .ours { fill: #4aa8e0; }
    .road { fill: #9ad0f2; }
    .limit { stroke: #9198a1; }
    .line { stroke: #3d444d; }
    .one { stroke: #e69f00; }
    .span { stroke: #656c76; }
    .span.ours { stroke: #4aa8e0; }
    .dot { fill: #0d1117; stroke: #9198a1; }
    .dot.ours { stroke: #4aa8e0; }
    .end { fill: #9198a1; }
    .end.ours { fill: #4aa8e0; }
  }`;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A number as short as a tenth of a pixel. */
const at = (value) => String(Math.round(value * 10) / 10);

export const text = (x, y, content, attributes = '') =>
  `<text x="${at(x)}" y="${at(y)}"${attributes}>${escaped(content)}</text>`;

export const rectangle = (kind, x, y, width, height) =>
  `<rect class="${kind}" x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${height}" rx="2"/>`;

export const line = (kind, [x1, y1], [x2, y2]) =>
  `<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;

export const circle = (kind, x, y, radius) =>
  `<circle class="${kind}" cx="${at(x)}" cy="${at(y)}" r="${radius}"/>`;

/** A picture with a title for those who hear it. */
export const picture = ({ width, height, title, parts }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}
</style>
${parts.join('\n')}
</svg>
`;
