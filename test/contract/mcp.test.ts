import { afterAll, expect } from '@jest/globals';
import { everyPlatform, service } from '../support/contract.js';
import { call, fleet, keyServer, send, Ship, shownTo, token } from './mcp.fleet.js';

afterAll(() => keyServer.close());

const { contract } = service(fleet, everyPlatform);

contract('An Mcp shows the reads of its group as tools, and calls them', async (subject) => {
  const bearer = await token();
  console.log(await shownTo(subject, { bearer }));
  console.log(await shownTo(subject, { bearer, path: '/agents/all' }));
  await subject.save(Ship, { name: 'Argo', tons: 7, tenant: 'a' });
  const list = await send(subject, 'tools/list', {}, { bearer });
  console.log(list.status, list.headers, JSON.stringify(list.body).slice(0, 6000));
  const answer = await call(subject, 'list_agents_ships', { limit: 1 });
  console.log(answer.status, JSON.stringify(answer.body));
  expect(answer.status).toBe(200);
  console.log((await send(subject, 'server/discover', {}, { bearer })).text);
  const r = await send(subject, 'tools/list', {});
  console.log(r.status, r.headers, r.text);
});
