import { run } from './global-setup.js';

const tearDown = () => run.postgres?.stop();

export { tearDown as default };
