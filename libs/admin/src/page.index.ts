/**
 * The HTML of the page. Links are relative, so that it works behind any prefix.
 *
 * @param depth the number of parts of the page's path as the service knows it: what stands before them is a proxy's
 */
export function indexPage(options: {
  readonly folder: string;
  readonly title: string;
  readonly entry: string;
  readonly depth: number;
}): string {
  const { folder, title, entry, depth } = options;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="admin-depth" content="${depth}">
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:,">
    <script type="module" src="${folder}/${entry}"></script>
  </head>
  <body>
    <noscript>This page needs JavaScript.</noscript>
    <div id="root"></div>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
