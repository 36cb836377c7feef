import { afterAll, beforeAll, expect } from '@jest/globals';
import { EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { eventEndpoints, webhookEndpoints } from '@nest-endpoints/events';
import { openApiDocument } from '@nest-endpoints/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { once, service, type Subject } from '../support/contract.js';
import { operationAt } from '../support/documents.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { Operators, depot, of, operator } from './events.parcels.js';

const casings = ['snake_case', 'camelCase', 'TitleCase'] as const;

const usual = depot();
const { contract } = service(
  {
    ...usual,
    imports: [
      ...(usual.imports ?? []),
      EndpointsModule.forFeature(
        casings.map(
          (externalCasing) =>
            new EndpointGroup({
              url: externalCasing,
              externalCasing,
              endpoints: [eventEndpoints({ authorization: new Operators() }), webhookEndpoints()],
            }),
        ),
      ),
    ],
  },
  once,
);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** A request, and the path and the members that documents and answers have for it. */
interface Asked {
  readonly method: 'get' | 'post' | 'patch';
  readonly path: string;
  readonly body?: object;
  readonly who?: Readonly<Record<string, string>>;
}

/** Sends a request whose answer must be what the document says. @returns its data */
const dataOf = async ({ app, request }: Subject, { method, path, body, who = of(1) }: Asked, at = path) => {
  const answer = await request()[method](`/${path}`).set(who).send(body);
  const [status] = [answer.status].map(String);
  const document = openApiDocument(app);
  const { content } = operationAt(document, method, `/${at}`).responses[status ?? ''] ?? {};
  const { schema } = (content as Record<string, { schema: object }>)['application/json'] ?? {};
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const isValid = ajv.compile(JSON.parse(text) as object);
  expect([path, isValid(answer.body), isValid.errors]).toEqual([path, true, null]);
  return (answer.body.data ?? answer.body.Data) as Record<string, unknown>;
};

const words = {
  snake_case: ['disabled_at', 'secret', 'delivery', 'retried', 'held'],
  camelCase: ['disabledAt', 'secret', 'delivery', 'retried', 'held'],
  TitleCase: ['DisabledAt', 'Secret', 'Delivery', 'Retried', 'Held'],
} as const;

for (const casing of casings)
  contract(`Endpoints of webhooks and events answer in ${casing}, as documents say`, async (subject) => {
    const [disabledAt, secret, delivery, retried, held] = words[casing];
    const title = casing === 'TitleCase';
    const given = title
      ? { Url: `${receiver.url}/`, Events: ['parcel'] }
      : { url: `${receiver.url}/`, events: ['parcel'] };
    const webhooks = `${casing}/webhooks`;
    const made = await dataOf(subject, { method: 'post', path: webhooks, body: given });
    const id = String(made[title ? 'Id' : 'id']);
    const { [secret]: shown, ...rest } = made;
    expect(shown).toMatch(/^whsec_/);
    expect(rest).toHaveProperty(disabledAt, null);
    expect(rest).toEqual(
      await dataOf(subject, { method: 'get', path: `${webhooks}/${id}` }, `${webhooks}/{id}`),
    );
    const act = (action: string, at: string) =>
      dataOf(subject, { method: 'post', path: `${webhooks}/${id}/${action}` }, `${webhooks}/{id}/${at}`);
    expect(Object.keys(await act('rotate', 'rotate'))).toEqual([secret]);
    const sent = await act('test', 'test');
    expect(Object.keys(sent)).toEqual([delivery]);
    const again = `deliveries/${String(sent[delivery])}/retry`;
    expect(Object.keys(await act(again, 'deliveries/{delivery}/retry'))).toEqual([retried]);
    const status = await dataOf(subject, { method: 'get', path: `${casing}/events/status`, who: operator });
    expect(status).toHaveProperty(held);
    const dead = { method: 'post', path: `${casing}/webhooks/retry`, who: operator } as const;
    expect(Object.keys(await dataOf(subject, dead))).toEqual([retried]);
  });
