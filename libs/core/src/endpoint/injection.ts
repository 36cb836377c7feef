import type { InjectionToken } from '@nestjs/common';
import type { Announcements } from './announcements.js';

/** Providers of Nest that functions of a configuration get: their tokens by the names they get there. */
export type InjectMap = Readonly<Record<string, InjectionToken>>;

/** No providers at all: what is injected where `inject` is left out. */
export type NothingInjected = Readonly<Record<never, never>>;

/** The providers of an {@link InjectMap}: those with a class as their token have its type. */
export type Injected<I extends InjectMap> = {
  readonly [Name in keyof I]: I[Name] extends abstract new (...parameters: never) => infer Provider
    ? Provider
    : unknown;
};

/** The providers of one `inject` option. */
export interface Injection {
  /** The providers by name; those that Nest makes for each request are made for this one. */
  valuesFor(native: unknown): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
}

/** Where providers are found. */
export interface Providers {
  readonly announcements: Announcements;
  /**
   * The providers of an option. They are looked up when the application starts, when all of them exist.
   * @throws ConfigurationError at start-up, for a token that no module provides
   */
  injection(owner: string, option: string, inject: InjectMap): Injection;
}
