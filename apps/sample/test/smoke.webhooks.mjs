// Webhooks: a program that subscribes is told of a postcard, by a webhook that it finds to be signed.
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/webhooks/receive.command.js', import.meta.url));

export async function tellOfPostcards({ url, directory, step, call }) {
  const { port } = new URL(url);
  const env = { ...process.env, DATA_DIR: directory, HOST: '127.0.0.1', PORT: port };
  await step('npm run webhooks is told of a postcard', async () => {
    const receiver = spawn(process.execPath, [command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = createInterface(receiver.stdout);
    const told = once(lines, 'line');
    const [said] = await once(createInterface(receiver.stderr), 'line');
    match(said, /^Waiting for postcards/);
    const { code, body } = await call(`${url}/postcards`, 'POST', {
      text: 'Wish you were here',
      place: 'Nice',
    });
    equal(code, 201, JSON.stringify(body));
    const [line] = await told;
    const { id, text, place } = body.data;
    const event = JSON.parse(line.slice(line.indexOf(' ')));
    deepStrictEqual([event.type, event.data], ['postcard.created', { id, text, place }]);
    receiver.kill('SIGTERM');
    deepStrictEqual(await once(receiver, 'exit'), [0, null]);
    equal((await call(`${url}/postcards/${id}`, 'DELETE')).code, 200);
  });
  await step('a stranger has no webhooks', async () => {
    equal((await call(`${url}/webhooks`)).code, 401);
  });
}
