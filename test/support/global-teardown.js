import { run } from './global-setup.js';

const tearDown = async () => {
  await run.pooler?.remove();
  await run.postgres?.stop();
};

export { tearDown as default };
