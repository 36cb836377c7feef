import { run } from './global-setup.js';

const tearDown = async () => {
  for (const pooler of run.poolers) await pooler.remove();
  await Promise.all(run.servers.map((server) => server.stop()));
};

export { tearDown as default };
