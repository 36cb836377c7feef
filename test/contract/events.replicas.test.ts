import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startCluster, type Cluster } from '../support/standby.js';
import { depot, of, subscribe } from './events.parcels.js';
import { startOn } from './replicas.cluster.js';

let cluster: Cluster;
let receiver: Receiver;

beforeAll(async () => {
  [cluster, receiver] = await Promise.all([startCluster(), startReceiver()]);
}, 120_000);

afterAll(async () => {
  await Promise.all([cluster.stop(), receiver.close()]);
});

test('Of what a replica does not have yet subscribers hear all the same', async () => {
  const [standby] = cluster.standbys;
  const { entities, imports = [], root = {} } = depot();
  const application = await startOn(cluster, { entities, imports, root, endpoints: [] });
  try {
    await standby?.caughtUp();
    await subscribe(application, of(1), receiver.url);
    await standby?.pause();
    const { body } = await application
      .request()
      .post('/parcels')
      .set(of(1))
      .send({ name: 'Books', tenant_id: 1 })
      .expect(201);
    const [told] = await receiver.until(1);
    expect(told?.event.data['id']).toBe((body as { data: { id: number } }).data.id);
  } finally {
    await standby?.resume();
    await application.close();
  }
});
