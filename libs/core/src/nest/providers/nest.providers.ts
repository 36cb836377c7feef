import { Injectable, Scope, type OnModuleInit, type Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { contextNames } from '../../access/request.context.js';
import type { InjectMap, Injection, NativeRequest, Providers } from '../../endpoint/request/injection.js';
import { constructed } from './constructed.js';
import { EventAnnouncements } from './event.announcements.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

type Token = Parameters<ModuleRef['introspect']>[0];
type Values = Readonly<Record<string, unknown>>;

/** The providers of all modules of an application. */
@Injectable()
export class NestProviders implements Providers, OnModuleInit {
  readonly #injections: ProviderInjection[] = [];
  #areResolved = false;
  readonly #checks: (() => void | Promise<void>)[] = [];
  readonly #lastChecks: (() => void | Promise<void>)[] = [];

  constructor(
    private readonly modules: ModuleRef,
    readonly announcements: EventAnnouncements,
  ) {}

  injection(owner: string, option: string, inject: InjectMap, taken: readonly string[] = []): Injection {
    const names: readonly string[] = [...contextNames, ...taken];
    const wrong = Object.keys(inject).find((name) => names.includes(name));
    if (wrong !== undefined)
      throw new ConfigurationError(owner, option, `'${wrong}' is the name of something else there`);
    const injection = new ProviderInjection(this.modules, owner, option, inject);
    if (this.#areResolved) injection.resolve();
    else this.#injections.push(injection);
    return injection;
  }

  whenReady(check: () => void | Promise<void>): void {
    this.#checks.push(check);
  }

  whenAllReady(check: () => void | Promise<void>): void {
    this.#lastChecks.push(check);
  }

  async find(token: Token, request: NativeRequest): Promise<unknown> {
    if (this.modules.introspect(token).scope === Scope.DEFAULT)
      return this.modules.get(token, { strict: false });
    return madeFor(this.modules, token, request.native as object);
  }

  build(type: Type): Promise<unknown> {
    return constructed(type, (token) => this.find(token as Token, { native: {} }));
  }

  /** Looks everything up that endpoints asked for: all providers exist now. @throws ConfigurationError */
  async onModuleInit(): Promise<void> {
    for (const injection of this.#injections) injection.resolve();
    this.#areResolved = true;
    for (const check of this.#checks) await check();
    for (const check of this.#lastChecks) await check();
  }
}

/** A provider that Nest makes anew for each request, or for each use. */
function madeFor(modules: ModuleRef, token: Token, native: object): Promise<unknown> {
  const contextId = ContextIdFactory.getByRequest(native);
  modules.registerRequestByContextId(native, contextId);
  return modules.resolve(token as never, contextId, { strict: false });
}

class ProviderInjection implements Injection {
  /** The providers that live as long as the application. */
  #shared: Values = {};
  /** The names and tokens of those that Nest makes anew for each request or use. */
  #scoped: readonly (readonly [string, Token])[] = [];

  constructor(
    private readonly modules: ModuleRef,
    private readonly owner: string,
    private readonly option: string,
    private readonly inject: InjectMap,
  ) {}

  resolve(): void {
    const entries = Object.entries(this.inject) as [string, Token][];
    const isShared = new Map(entries.map(([name, token]) => [name, this.#isShared(name, token)]));
    const shared = entries.filter(([name]) => isShared.get(name) === true);
    this.#shared = Object.fromEntries(
      shared.map(([name, token]) => [name, this.modules.get<unknown>(token, { strict: false })]),
    );
    this.#scoped = entries.filter(([name]) => isShared.get(name) === false);
  }

  valuesFor(request: NativeRequest): Values | Promise<Values> {
    return this.#scoped.length === 0 ? this.#shared : this.#withScoped(request.native as object);
  }

  async #withScoped(native: object): Promise<Values> {
    const made = this.#scoped.map(async ([name, token]) => {
      return [name, await madeFor(this.modules, token, native)] as const;
    });
    return { ...this.#shared, ...Object.fromEntries(await Promise.all(made)) };
  }

  #isShared(name: string, token: Token): boolean {
    try {
      return this.modules.introspect(token).scope === Scope.DEFAULT;
    } catch (cause) {
      const known = typeof token === 'function' ? token.name : String(token);
      throw new ConfigurationError(
        this.owner,
        this.option,
        `'${name}': no module of the application provides ${known}`,
        { cause },
      );
    }
  }
}
