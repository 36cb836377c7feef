import { expect } from '@jest/globals';
import type { Subject } from '../support/contract.js';
import { of } from './events.parcels.js';

/** Creates a parcel of a tenant. @returns its id */
export const create = async ({ request }: Subject, tenant: number, name = 'Books'): Promise<number> => {
  const { status, body } = await request().post('/parcels').set(of(tenant)).send({ name, tenant_id: tenant });
  expect(status).toBe(201);
  return Number(body.data.id);
};

/** The deliveries of a subscription, the last first. */
export const deliveriesOf = async ({ request }: Subject, id: number, who = of(1)) =>
  (await request().get(`/webhooks/${id}/deliveries`).set(who)).body.data as readonly {
    readonly id: string;
    readonly state: string;
    readonly tries: number;
    readonly last_status: number | null;
    readonly last_error: string | null;
    readonly last_answer: string | null;
  }[];

/** The deliveries of a subscription, once they are what is meant. */
export const until = async (
  subject: Subject,
  id: number,
  isMeant: (all: Awaited<ReturnType<typeof deliveriesOf>>) => boolean,
  who = of(1),
): Promise<Awaited<ReturnType<typeof deliveriesOf>>> => {
  const end = performance.now() + 20_000;
  for (;;) {
    const all = await deliveriesOf(subject, id, who);
    if (isMeant(all)) return all;
    if (performance.now() > end) throw new Error(JSON.stringify(all));
  }
};

/** True once nothing more will be done about a delivery. */
export const isOver = (one?: { readonly state: string }): boolean =>
  one?.state === 'delivered' || one?.state === 'dead';
