import { Injectable, Logger, type LoggerService, type OnApplicationBootstrap } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { featurePlace } from './features/feature.place.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';

/** The member of Nest's logger that keeps what everything is written to, which it does not export by name. */
const targetKey = 'staticInstanceRef';

/**
 * Makes Nest log our controllers at the level `debug`: an application with a hundred endpoints logs more than two hundred
 * lines of them before anything that matters. One line for each list of endpoints stays.
 */
@Injectable()
export class QuietRoutes implements OnApplicationBootstrap {
  #quiet: RouteLog | undefined;

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly modules: ModulesContainer,
  ) {}

  /** Called when the application is about to register routes, which ends before {@link onApplicationBootstrap}. */
  begin(): void {
    const target = Reflect.get(Logger, targetKey) as LoggerService | undefined;
    if (target === undefined) return;
    const names = this.directory.features.flatMap(({ controllers }) =>
      [...controllers.values()].map(({ name }) => name),
    );
    this.#quiet = new RouteLog(target, new Set([...names, 'PreflightController']));
    Logger.overrideLogger(this.#quiet);
  }

  onApplicationBootstrap(): void {
    // Another application of the process may have begun meanwhile: its own stays, and this one only hands on.
    if (this.#quiet !== undefined && Reflect.get(Logger, targetKey) === this.#quiet)
      Logger.overrideLogger(this.#quiet.target);
    this.#quiet?.end();
    const logger = new Logger('Endpoints');
    const { features } = this.directory;
    for (const feature of features) {
      const place = featurePlace(feature, this.modules, features);
      logger.log(`${place?.moduleName ?? 'Endpoints'}: ${listed([...feature.tree.outermost()])}`);
    }
  }
}

/** The most names on a line: more are for `nest-endpoints routes`. */
const mostNames = 8;

/** Says what a list mounts: names, and how many endpoints a group has. */
function listed(members: readonly { readonly name: string; readonly count: number }[]): string {
  if (members.length === 0) return 'no endpoints';
  const texts = members.map(({ name, count }) =>
    count === 1 ? name : `${name} (${String(count)} endpoints)`,
  );
  const others = texts.length - mostNames;
  // One more is as long as the words that say so.
  if (others < 2) return texts.join(', ');
  return `${texts.slice(0, mostNames).join(', ')} and ${String(others)} others`;
}

/** Hands everything on, but what Nest says of our controllers as something for debugging. */
class RouteLog implements LoggerService {
  #isOurs = false;
  #isOver = false;

  constructor(
    readonly target: LoggerService,
    private readonly names: ReadonlySet<string>,
  ) {}

  end(): void {
    this.#isOver = true;
  }

  log(message: unknown, ...more: readonly unknown[]): void {
    const context = more.at(-1);
    // The routes of a controller follow the line with its name.
    if (context === 'RoutesResolver') this.#isOurs = this.names.has(String(message).split(' ')[0] ?? '');
    const isRoute = context === 'RoutesResolver' || context === 'RouterExplorer';
    if (!this.#isOver && isRoute && this.#isOurs) this.target.debug?.(message, ...more);
    else this.target.log(message, ...more);
  }

  error(message: unknown, ...more: readonly unknown[]): void {
    this.target.error(message, ...more);
  }

  warn(message: unknown, ...more: readonly unknown[]): void {
    this.target.warn(message, ...more);
  }

  debug(message: unknown, ...more: readonly unknown[]): void {
    this.target.debug?.(message, ...more);
  }

  verbose(message: unknown, ...more: readonly unknown[]): void {
    this.target.verbose?.(message, ...more);
  }

  fatal(message: unknown, ...more: readonly unknown[]): void {
    this.target.fatal?.(message, ...more);
  }
}
