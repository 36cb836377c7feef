import type { RouteTable } from '../routing/route.table.js';

/** Routes of the application's endpoints, with what Nest puts before them. */
export abstract class Routes {
  /** Made anew where the application's prefix or versions have changed since: they may be set until it listens. */
  abstract get table(): RouteTable;
}
