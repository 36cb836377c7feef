// Whether the documentation tells the truth: its requests get the answers it shows, its TypeScript compiles, its links
// lead somewhere, and its tables fit on a screen. `npm run docs:check` builds first. Prints a line per problem; the exit code tells.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { checkLinks } from './links.mjs';
import { readPage } from './page.mjs';
import { variables, withSample } from './sample.process.mjs';
import { sendRequests } from './sample.requests.mjs';
import { compileSnippets } from './snippets.mjs';
import { checkWidths } from './widths.mjs';

const repo = join(import.meta.dirname, '../..');
const patterns = ['*.md', 'docs/**/*.md', 'apps/*/README.md', 'libs/*/README.md'];
const paths = globSync(patterns, { cwd: repo }).sort();
/** Every check has to notice what is wrong there. */
const wrongPage = 'test/docs/wrong.page.md';
/** Makes an application of its own, `npm run tutorial` goes through it. */
const tutorial = join(repo, 'docs/tutorial.md');
const allPages = await Promise.all([...paths, wrongPage].map((path) => readPage(join(repo, path))));
const pages = allPages.filter(({ path }) => path !== tutorial);

await check('links lead somewhere', 2, () => checkLinks(allPages));
await check('rows of tables fit on a screen', 2, () => checkWidths(allPages));
const schema = await check('requests are answered as shown', 2, () => withSample(askSample));
await check('TypeScript blocks compile', 2, () =>
  compileSnippets(pages, { 'atlas.schema.ts': schema.types }),
);

/** @param {number} wrong how many problems the wrong page has */
async function check(sentence, wrong, act) {
  const begun = performance.now();
  const result = await act();
  const { count } = result;
  const problems = result.problems.filter((problem) => !problem.startsWith(wrongPage));
  const noticed = result.problems.length - problems.length;
  if (noticed !== wrong) problems.push(`${wrongPage} has ${wrong} such problems, ${noticed} were noticed`);
  const isGood = problems.length === 0;
  if (!isGood) process.exitCode = 1;
  for (const problem of problems) console.error(problem);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${count} ${sentence} (${seconds} s)`);
  return result;
}

/** The requests, and the types of the sample's document, which a page's client is written against. */
async function askSample(url) {
  const document = await (await fetch(`${url}/schema`)).json();
  const types = astToString(await openapiTS(document));
  return { ...(await sendRequests(pages, url, variables)), types };
}
