import helmet from 'helmet';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { logRequests } from './platform.road.mjs';

export const start = (url) =>
  startOnExpress(ours(url), (app) => {
    app.use(helmet());
    logRequests(app);
  });
