// Hostile clients in a process of their own, so that what they cost is not taken for what the service costs others.
import { once } from 'node:events';
import { HostileClients } from './hostile.clients.mjs';

// Who started them is gone.
process.once('disconnect', () => process.exit());

const [{ url, keeping, asking, texts }] = await once(process, 'message');
const hostile = new HostileClients(url);
for (const { count, ...how } of keeping) hostile.keep(count, how);
for (const { count, ...how } of asking) hostile.ask(count, how);
const nonsense = hostile.send(texts);

await once(process, 'message');
const takenForGood = await nonsense();
// They keep their sides: what the service lets go of, it has to cut itself.
hostile.rest();
process.send({ takenForGood, fewestEnds: hostile.fewestEnds(), opened: hostile.opened });
