import type { InjectionToken, Type } from '@nestjs/common';
import type { Announcements } from '../announcements.js';

/** Providers of Nest that functions of a configuration get: their tokens by the names they get there. */
export type InjectMap = Readonly<Record<string, InjectionToken>>;

/** A request, as far as providers that Nest makes for each request ask for it. */
export interface NativeRequest {
  /** The platform's own request object. */
  readonly native: unknown;
}

/** The providers of one `inject` option. */
export interface Injection {
  /** The providers by name; those that Nest makes for each request are made for this one. */
  valuesFor(
    request: NativeRequest,
  ): Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
}

/** The source of providers. */
export interface Providers {
  readonly announcements: Announcements;
  /** A provider by its token, made for this request where Nest does so. @throws when no module provides it */
  find(token: InjectionToken, request: NativeRequest): Promise<unknown>;
  /** A new instance of a class, with what its constructor injects. */
  build(type: Type): Promise<unknown>;
  /**
   * The providers of an option. They are looked up when the application starts, when all of them exist.
   *
   * @param taken what the functions get under names of its own, beside what all functions get
   * @throws ConfigurationError at start-up, for a token that no module provides; at once for a name that is taken
   */
  injection(owner: string, option: string, inject: InjectMap, taken?: readonly string[]): Injection;
  /** Runs a check when the application starts, once every provider exists; an error of it stops the start. */
  whenReady(check: () => void | Promise<void>): void;
  /** Runs a check after all those of {@link whenReady}: one that asks other endpoints what they say of themselves. */
  whenAllReady(check: () => void | Promise<void>): void;
}
