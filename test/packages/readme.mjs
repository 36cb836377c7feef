// The example of the README, as an application: it runs as it stands, and its requests get the answers that stand below them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPage } from '../docs/page.mjs';
import { sendRequests } from '../docs/sample.requests.mjs';
import { repo } from './command.mjs';
import { serve } from './serving.mjs';

const listening = 'app.listen(3000);';
const anywhere =
  "app.listen(0, '127.0.0.1').then(async () => { console.log(`listening on ${await app.getUrl()}`); });";

/**
 * Before the application is compiled. The port alone is another: 3000 may be taken.
 * @param {string} app
 */
export async function addReadme(app) {
  const { blocks } = await readPage(join(repo, 'README.md'));
  const main = blocks.find(({ directives }) => directives.get('file') === 'main.ts');
  if (main?.text.includes(listening) !== true) throw new Error('the README has no main.ts that listens');
  await writeFile(join(app, 'src/readme.ts'), main.text.replace(listening, anywhere));
}

/** @param {string} app */
export function runReadme(app) {
  return serve(app, ['dist/readme.js'], async (address) => {
    const page = await readPage(join(repo, 'README.md'));
    for (const { directives } of page.blocks) directives.delete('not run');
    const { count, problems } = await sendRequests([page], address, {});
    if (count === 0) throw new Error('the README has no requests');
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
}
