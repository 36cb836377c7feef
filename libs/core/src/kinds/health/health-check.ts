import type { InjectionToken, Type } from '@nestjs/common';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { RequestContext } from '../../access/request.context.js';
import type { DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type { EndpointOptions } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { PlainReply } from '../../endpoint/reply.js';
import { Shutdown } from '../../endpoint/shutdown.js';
import { emptyObject } from '../../model/json.schema.js';
import { atMost } from '../../limits/bounded.wait.js';
import { casingSuffix } from '../record/record.description.js';
import { Unhealthy } from '../../wire/refusals.js';
import { boolean, callable, check, listOf, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { token } from '../../endpoint/options/endpoint.checks.js';

/** Parameters of {@link HealthCheck}. */
export interface HealthCheckOptions extends EndpointOptions {
  /** Providers of Nest to build, by their tokens; those that live as long as the application are only looked up. */
  readonly dependencyInjectionNames?: readonly InjectionToken[];
  /** Classes to build anew on each call; Nest gives their constructors what they inject. */
  readonly classesToBuild?: readonly Type[];
  /** Functions to call, e.g. indicators of Terminus; what they give is ignored. They get the context of the request. */
  readonly callables?: readonly ((context: RequestContext) => unknown)[];
  /** The time that each check may take, in milliseconds. Default 2,000. */
  readonly checkTimeout?: number;
  /**
   * True to fail as soon as the service is told to stop, although requests are still served: for the check by which a
   * load balancer decides where requests go. Default false.
   */
  readonly failsOnShutdown?: boolean;
}

const constructable = check(
  'a class',
  (value) => typeof value === 'function' && Object.hasOwn(value, 'prototype'),
);

/** One thing that must not fail. */
interface Check {
  readonly name: string;
  readonly run: (request: EndpointRequest) => unknown;
}

/** Tells whether everything it builds and calls works (contract: HealthCheck). Always public. */
export class HealthCheck extends Endpoint<HealthCheckOptions> {
  static override readonly optionChecks: OptionChecks = {
    dependencyInjectionNames: listOf('tokens of providers', token),
    classesToBuild: listOf('classes', constructable),
    callables: listOf('functions', callable),
    checkTimeout: wholeNumber(1, undefined, 'milliseconds'),
    failsOnShutdown: boolean,
  } satisfies ChecksOf<Omit<HealthCheckOptions, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;
  override readonly isPublic = true;
  override readonly isVital = true;
  override readonly isBatchable = false;

  /** With nothing to build and nothing to call, it tells that the process lives; nothing may keep it from that. */
  override readonly isImmediate: boolean =
    [this.options.dependencyInjectionNames, this.options.classesToBuild, this.options.callables].flatMap(
      (listed) => listed ?? [],
    ).length === 0;

  override compile(context: KindContext): DescribedKind {
    const checks = [...this.#checks(context)];
    const limit = this.options.checkTimeout ?? 2000;
    const name = `EmptyAnswer${casingSuffix(context)}`;
    return {
      handle: async (request) => {
        const outcomes = await Promise.all(checks.map((check) => failureOf(check, request, limit)));
        const failures = outcomes.filter((failure) => failure !== undefined);
        if (failures.length > 0)
          throw new Unhealthy({ cause: new AggregateError(failures, messageOf(failures)) });
        return new PlainReply({});
      },
      describe: () => ({
        verb: 'check',
        summary: 'Tell whether the service works',
        description: 'Answers 200 as long as everything that is looked at works.',
        queryParameters: 'any',
        answer: { kind: 'envelope', name, data: emptyObject },
      }),
    };
  }

  *#checks(context: KindContext): Generator<Check> {
    const { dependencyInjectionNames = [], classesToBuild = [], callables = [] } = this.options;
    const { providers } = context;
    if (this.options.failsOnShutdown === true)
      yield {
        name: 'shutdown',
        run: async (request) => refuseShutdown(await providers.find(Shutdown, request)),
      };
    for (const token of dependencyInjectionNames)
      yield { name: nameOf(token), run: (request) => providers.find(token, request) };
    for (const type of classesToBuild) yield { name: type.name, run: () => providers.build(type) };
    for (const call of callables)
      yield {
        name: call.name || 'a callable',
        run: async (request) => {
          await request.enterDatabase();
          return call(request.context());
        },
      };
  }
}

/**
 * Checks side by side, so that a slow one does not hide another; one that does not end in time has failed. All of them have the same
 * time: what is not over by then is stopped, or each look would take one more connection of a pool that is stuck.
 */
async function failureOf(
  { name, run }: Check,
  request: EndpointRequest,
  limit: number,
): Promise<Error | undefined> {
  try {
    await atMost(limit, Promise.resolve(request).then(run), () => {
      const late = new Error(`no answer within ${limit} ms`);
      // With row level security, the transaction of the request ends with it.
      request.cancellation.cancel(new Unhealthy({ cause: new Error(`${name}: ${late.message}`) }));
      throw late;
    });
    return undefined;
  } catch (cause) {
    return new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function refuseShutdown(shutdown: unknown): void {
  if (shutdown instanceof Shutdown && shutdown.hasBegun) throw new Error('the service is about to stop');
}

function messageOf(failures: readonly Error[]): string {
  return failures.map(({ message }) => message).join('; ');
}

function nameOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
