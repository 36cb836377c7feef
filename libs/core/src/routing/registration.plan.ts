import { planRoutes, type PlannedHandler } from './route.plan.js';
import type { RouteTable } from './route.table.js';

/** Follows the registration of routes: handlers come in the order of the plan, and get the paths it has for them. */
export class RegistrationPlan {
  #handlers: PlannedHandler[] | undefined;
  readonly #preflights = new Set<string>();

  constructor(private readonly table: () => RouteTable) {}

  /** The paths to register a handler under; its own when it is none of ours. */
  pathsOf(method: string, path: string): readonly string[] {
    if (method === 'OPTIONS' && this.table().owns(path)) return this.#preflightPaths(path);
    this.#handlers ??= [...planRoutes(this.table().takers()).handlers];
    const index = this.#handlers.findIndex((handler) => handler.method === method && handler.path === path);
    return index === -1 ? [path] : (this.#handlers.splice(index, 1)[0]?.paths ?? [path]);
  }

  /** Every feature answers OPTIONS for the whole application, so the first one is enough. */
  #preflightPaths(path: string): readonly string[] {
    const shape = path.replace(/:\w+/g, ':');
    if (this.#preflights.has(shape)) return [];
    this.#preflights.add(shape);
    return [path];
  }
}
