import { createServer } from 'node:http';

/** A server of webhooks, which can be gone for a while, and remembers what it took. */
export class WebhookReceiver {
  /** What was taken, in its order: `id` of the event, and its `data`. */
  taken = [];
  refused = 0;
  #port = 0;
  #server;
  #isRefused;

  /** @param isRefused tells of an event whether it is answered by 500 */
  constructor(isRefused = () => false) {
    this.#isRefused = isRefused;
  }

  get url() {
    return `http://127.0.0.1:${String(this.#port)}/`;
  }

  /** The ids of the events of each record. */
  ids() {
    const ids = new Map();
    for (const { id, data } of this.taken) ids.set(data.id, (ids.get(data.id) ?? new Set()).add(id));
    return ids;
  }

  /** Has the application of parcels send to it. */
  async subscribe(postgres) {
    const secret = Buffer.alloc(32).toString('base64');
    await postgres.query(`insert into webhook_subscription (url, events, secrets, active, audience, created_at) values
      ('${this.url}', '["parcel"]', '[{"value": "whsec_${secret}", "until": null}]', true, 'application', now())`);
  }

  async open() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const event = { id: request.headers['webhook-id'], data: JSON.parse(body).data };
        const isRefused = this.#isRefused(event);
        if (isRefused) this.refused += 1;
        else this.taken.push(event);
        response.writeHead(isRefused ? 500 : 200).end();
      });
    });
    await new Promise((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = this.#server.address().port;
  }

  close() {
    return new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
