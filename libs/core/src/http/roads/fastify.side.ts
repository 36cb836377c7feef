import type { Server } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { RoutePattern } from '../../endpoint/route.pattern.js';
import type { CompiledEndpoint } from '../compiled.endpoint.js';
import { httpMethods } from '../../endpoint/http.method.js';
import type { RootOptions } from '../../endpoint/options/settings.js';
import { blindFillers } from './blind.fillers.js';
import { answeredBy } from './express.side.js';
import { writeAsFastify } from './fastify.answer.js';
import { mayTake, type ForeignRoute } from './foreign.route.js';
import { isOwn, leafOf, markOwn } from './own.layers.js';
import type { PlatformSide, RequestListener } from './platform.side.js';
import { nativeViewerOf } from './native.viewer.js';

type Hook = (...parameters: never[]) => unknown;

interface FastifyRoute {
  readonly url: string;
  readonly method: string | readonly string[];
  readonly constraints?: object;
}

interface FastifyInstance {
  readonly log: Readonly<Record<string, unknown>>;
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): void;
  printRoutes(): string;
}

/** Hooks that see requests, or the routes that requests take. */
const hookNames = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
  'onRoute',
] as const;

/** The member of Nest's adapter that each of its hooks reads, by which it is known: where that is undefined, it does nothing. */
const adapterHooks = ['onRequestHook', 'corsHook', 'securityHook', 'onResponseHook'] as const;

/** Members that other hooks of Nest's adapter read, which have no say in a request that the route table has found. */
const idleHooks = ['return503OnClosing', 'isRoutableRequestTarget', 'versionExtractorErrors'] as const;

/** Options of Fastify with which it does something of its own, or of the user's, for each request. */
const tellingOptions = [
  'trustProxy',
  'rewriteUrl',
  'genReqId',
  'querystringParser',
  'childLoggerFactory',
  'logController',
  'handlerTimeout',
  'serverFactory',
  'http2',
] as const;

/** Functions that Fastify calls for each request, by the names of its own. */
const defaults = [
  ['fastify.genReqId', 'defaultGenReqId'],
  ['fastify.childLoggerFactory', 'defaultChildLoggerFactory'],
] as const;

/** Fastify, as the straight road has to know it that leads past it. */
export class FastifySide implements PlatformSide {
  /** Fastify answers HEAD with streams that are empty. */
  readonly answersHead = false;
  readonly source = undefined;
  readonly growing: PlatformSide['growing'];
  readonly write = writeAsFastify;
  readonly #instance: FastifyInstance;
  readonly #foreign: ForeignRoute[] = [];
  /** Method and path of the routes that Nest is about to register for our endpoints. */
  readonly #own = new Set<string>();
  #middlewareKey: symbol | undefined;
  /** The number of middleware functions that Nest has registered for modules, which are judged as modules. */
  #nests = 0;

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly root: RootOptions,
  ) {
    this.#instance = adapter.getInstance<FastifyInstance>();
    this.growing = [
      [adapter, ['use', 'enableCors', 'useBodyParser', 'setOnRequestHook', 'setOnResponseHook']],
      [this.#instance, ['use', 'addHook', 'register']],
    ];
    this.#watchRoutes();
    this.#watchMiddleware();
  }

  get kept(): PlatformSide['kept'] {
    return { stack: this.#middleware };
  }

  listenerOf(server: Server): RequestListener | undefined {
    const [listener, ...more] = server.listeners('request').filter(({ name }) => name === 'preRouting');
    return more.length > 0 ? undefined : (listener as RequestListener | undefined);
  }

  reasonAgainst({ leaf, fillers }: CompiledEndpoint, patterns: readonly RoutePattern[]): string | undefined {
    const foreign = this.#foreign.find((route) => mayTake(route, patterns, answeredBy(leaf)));
    if (foreign !== undefined) return `the route '${String(foreign.path)}' may take its requests`;
    const viewer = nativeViewerOf(leaf, this.root);
    if (viewer !== undefined) return `'${viewer}' may look at Fastify's request`;
    const filler = fillers.find(({ constructor }) => !blindFillers.has(constructor));
    if (filler !== undefined) return `'${filler.constructor.name}' may look at Fastify's request`;
    return this.#reasonAgainstAll();
  }

  /** True if a route that is none of our endpoints may take a request. */
  hasOthers(method: string, path: readonly string[]): boolean {
    const segments = path.map((literal) => ({ literal }));
    return this.#foreign.some((route) => mayTake(route, [{ segments }], [method]));
  }

  readonly begin = (): void => {
    // Fastify sets no header before somebody sees the request.
  };

  #reasonAgainstAll(): string | undefined {
    const options = symbolMember(this.#instance, 'fastify.options');
    if (options === undefined) return 'Fastify does not tell its options';
    const told = tellingOptions.find((name) => Boolean(Reflect.get(options, name)));
    if (told !== undefined) return `Fastify has the option '${told}'`;
    const routing: unknown = Reflect.get(options, 'routerOptions');
    if (Reflect.get(Object(routing) as object, 'querystringParser') !== undefined)
      return "Fastify has the option 'querystringParser'";
    if (valueUnder(this.#instance, 'fastify.replySerializerDefault') !== null)
      return 'Fastify may have a serializer of replies';
    const changed = defaults.find(([key, name]) => nameUnder(this.#instance, key) !== name);
    if (changed !== undefined) return `Fastify may have a function of yours (${changed[0]})`;
    if (!isSilent(this.#instance.log)) return 'Fastify logs requests';
    if (this.#middleware.length > this.#nests) return 'middleware stands before it';
    return this.#hookOfOthers();
  }

  #hookOfOthers(): string | undefined {
    const hooks = symbolMember(this.#instance, 'fastify.hooks');
    if (hooks === undefined) return 'Fastify does not tell its hooks';
    for (const name of hookNames)
      for (const hook of Reflect.get(hooks, name) as readonly Hook[])
        if (!isOwn(hook) && !this.#isIdle(hook))
          return `Fastify has the hook ${name} (${hook.name || 'a function'})`;
    return undefined;
  }

  /** True for a hook of Nest's adapter that does nothing. Middleware behind one of them is counted. */
  #isIdle(hook: Hook): boolean {
    if (hook.name === 'runMiddie') return this.#knowsMiddleware;
    const text = String(hook);
    if (idleHooks.some((member) => text.includes(`this.${member}`))) return true;
    return adapterHooks.some(
      (member) => text.includes(`this.${member}`) && Reflect.get(this.adapter, member) === undefined,
    );
  }

  get #knowsMiddleware(): boolean {
    return symbolMember(this.#instance, 'fastify-middie-middlewares') !== undefined;
  }

  /** Looked at for each request, so the symbol is looked for once. */
  get #middleware(): readonly unknown[] {
    this.#middlewareKey ??= keyUnder(this.#instance, 'fastify-middie-middlewares');
    if (this.#middlewareKey === undefined) return [];
    return Reflect.get(this.#instance, this.#middlewareKey) as readonly unknown[];
  }

  #watchRoutes(): void {
    // Routes that are there before anybody could watch may take anything.
    if (!/^\(empty tree\)\s*$/.test(this.#instance.printRoutes()))
      this.#foreign.push({ path: '*', methods: undefined });
    const methods = this.adapter as unknown as Record<string, (...parameters: unknown[]) => unknown>;
    for (const method of httpMethods) {
      const name = method.toLowerCase();
      const register = methods[name]?.bind(this.adapter);
      if (register === undefined) continue;
      methods[name] = (path: unknown, ...rest: unknown[]): unknown => {
        if (typeof path === 'string' && leafOf(rest.at(-1)) !== undefined) this.#take(method, path);
        return register(path, ...rest);
      };
    }
    const hook = markOwn(({ url, method, constraints }: FastifyRoute) => {
      // Ours are registered once, and without constraints: another of the same path may take requests of some hosts.
      const isOurs = (one: string): boolean => this.#own.delete(`${one} ${url}`) && constraints === undefined;
      const foreign = [method].flat().filter((one) => !isOurs(one));
      if (foreign.length > 0) this.#foreign.push({ path: url, methods: new Set(foreign) });
    });
    this.#instance.addHook('onRoute', hook);
  }

  /** Fastify makes a route for HEAD of each for GET. */
  #take(method: string, path: string): void {
    this.#own.add(`${method} ${path}`);
    if (method === 'GET') this.#own.add(`HEAD ${path}`);
  }

  #watchMiddleware(): void {
    const adapter = this.adapter as unknown as { createMiddlewareFactory: Factory };
    const make = adapter.createMiddlewareFactory.bind(this.adapter);
    adapter.createMiddlewareFactory = async (method) => {
      const register = await make(method);
      return (path, callback) => {
        const before = this.#middleware.length;
        register(path, callback);
        this.#nests += this.#middleware.length - before;
      };
    };
  }
}

type Factory = (method: unknown) => Promise<(path: string, callback: object) => void>;

function keyUnder(instance: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(instance).find((symbol) => symbol.description === description);
}

function valueUnder(instance: object, description: string): unknown {
  const key = keyUnder(instance, description);
  return key === undefined ? undefined : Reflect.get(instance, key);
}

function nameUnder(instance: object, description: string): unknown {
  return Reflect.get(Object(valueUnder(instance, description)) as object, 'name');
}

/** The member of an instance under a symbol, which its package does not export. */
function symbolMember(instance: object, description: string): object | undefined {
  const member = valueUnder(instance, description);
  return typeof member === 'object' && member !== null ? member : undefined;
}

/** True for the logger that Fastify has where none is wanted. */
function isSilent({ info, level }: Readonly<Record<string, unknown>>): boolean {
  return level === undefined && /^function\s*\w*\s*\(\)\s*\{\s*\}$/.test(String(info));
}
