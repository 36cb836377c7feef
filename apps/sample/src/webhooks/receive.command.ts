import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readSettings } from '../atlas.settings.js';
import { developmentIssuer } from '../login/development.issuer.js';
import { StartRefusal } from '../start.refusal.js';
import { isSigned } from './webhook.signature.js';

/** A subscription as its creation shows it. */
interface Subscription {
  readonly id: number;
  readonly secret: string;
}

const hour = 3600;

/** The service that listens on this machine, and a token of its development keys. */
async function service(): Promise<{ readonly address: string; readonly token: string }> {
  const { login, host, port } = readSettings(process.env);
  if (login.kind !== 'development')
    throw new StartRefusal('Receivers on this machine are for development: there are no development keys.');
  const issuer = await developmentIssuer(login.keysFile);
  const token = await issuer.token({ sub: 'receiver' }, { expiresIn: hour });
  return { address: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port || 3000}`, token };
}

/** Prints a webhook in a line, whose signature was looked at first. */
async function receive(secret: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const isGood = isSigned(secret, request.headers, body);
  response.writeHead(isGood ? 204 : 401).end();
  // Nothing of what nobody has signed is believed, or shown.
  if (isGood) console.log(`${String(request.headers['webhook-id'])} ${body.toString('utf8')}`);
}

async function subscribe(url: string): Promise<Subscription & { readonly end: () => Promise<void> }> {
  const { address, token } = await service();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url, events: ['postcard'], description: 'A receiver on this machine' });
  const response = await fetch(`${address}/webhooks`, { method: 'POST', headers, body });
  if (!response.ok) throw new StartRefusal(`The service has answered ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: Subscription };
  const end = async (): Promise<void> => {
    await fetch(`${address}/webhooks/${data.id}`, { method: 'DELETE', headers });
  };
  return { ...data, end };
}

try {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { secret, end } = await subscribe(`http://127.0.0.1:${port}/`);
  server.on('request', (request, response) => void receive(secret, request, response));
  console.error('Waiting for postcards: write one at /postcards/page. Ctrl+C ends the subscription.');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await end();
  server.close();
  server.closeAllConnections();
} catch (error) {
  console.error(error instanceof StartRefusal ? error.message : error);
  process.exit(1);
}
