import { Req, RequestMapping, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import type { CallableContext } from '../../endpoint/request/callable.context.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import { Callable, type CallableOptions, type DataOf } from '../../kinds/callable/callable.js';
import type { OptionChecks } from '../../options/option.check.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { Identity } from '../../model/registered.identity.js';
import { CasingInterceptor } from '../casing.interceptor.js';
import { EnvelopeFilter } from '../envelope.filter.js';
import { EnvelopeInterceptor } from '../envelope.interceptor.js';
import { addPreflight, nestMethods } from '../controller.factory.js';
import { hideHandlerFromSwagger } from '../documentation/swagger.metadata.js';
import { EndpointGuard } from '../endpoint.guard.js';
import { markQuery } from '../query.method.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { keepInstance, instanceOf } from './called.instance.js';
import { MethodInterceptor } from './method.interceptor.js';
import { addMethodEndpoint } from './method.endpoint.js';

type Method = (context: never) => unknown;

/** Parameters of {@link Endpoint}: those of a Callable, whose function is the method. */
export type EndpointMethodOptions<
  Url extends string,
  E extends object,
  Data,
  Path,
  Query,
  Inject extends InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
> = Omit<CallableOptions<Url, E, Data, Path, Query, Inject, Entity, Readable>, 'toCall'>;

/**
 * Makes a method of a controller of your own an endpoint: with the envelope, casing, input rules, authentication and
 * documentation that a Callable has. The method destructures its one argument, as the function of a Callable does.
 * Its path stands below the controller's.
 *
 * @example
 * class TripsController {
 *   constructor(private readonly trips: TripsService) {}
 *
 *   \@Endpoint({ url: 'next/:count', authentication: jwks })
 *   next({ count, authorizationData }: CallableContext<'next/:count'>) {
 *     return this.trips.next(authorizationData, count);
 *   }
 * }
 */
export function Endpoint<
  const Url extends string = string,
  E extends object = object,
  Data = unknown,
  Path = unknown,
  Query = unknown,
  const Inject extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
>(
  options: EndpointMethodOptions<Url, E, Data, Path, Query, Inject, Entity, Readable>,
): MethodEndpointDecorator<
  NoInfer<Url>,
  DataOf<NoInfer<Data>>,
  NoInfer<Path>,
  NoInfer<Query>,
  NoInfer<Inject>
> {
  return (prototype, key, descriptor) => {
    const method: Method | undefined = descriptor.value;
    if (typeof method !== 'function') throw new ConfigurationError('@Endpoint', key, 'is no method');
    const toCall = (context: { readonly request: unknown }): unknown =>
      method.call(instanceOf(context.request), context as never);
    const endpointAt = (url: string): Callable =>
      new MethodCallable({ ...(options as object), url, toCall } as CallableOptions);
    const endpoint = endpointAt(options.url ?? '');
    const path = endpoint.pattern.toString();
    const handlers = endpoint.requestMethods.map((name, index) => {
      const handler = index === 0 ? key : `${key}:${name.toLowerCase()}`;
      replace(prototype, handler);
      const mapped = { path, method: nestMethods[name] };
      RequestMapping(mapped)(prototype, handler, descriptorOf(prototype, handler));
      protect(prototype, handler, options);
      if (name === 'QUERY') markQuery(descriptorOf(prototype, handler));
      return handler;
    });
    hideHandlerFromSwagger(addPreflight(prototype, `${key}:options`, [path]));
    addMethodEndpoint(prototype, { url: options.url ?? '', endpointAt, handlers });
    // TypeScript puts this descriptor in place of what stands there now.
    Object.assign(descriptor, descriptorOf(prototype, key));
  };
}

/** A Callable for a decorated method. Nobody wrote a Callable, so that messages name the decorator. */
class MethodCallable extends Callable {
  static override readonly optionChecks: OptionChecks = {};

  override get kind(): string {
    return Callable.name;
  }

  override ownerAt(path: string): string {
    return `@Endpoint '${path}'`;
  }
}

/** Decorates methods that can be called with this context; they may say a narrower identity. */
type MethodEndpointDecorator<Url extends string, Data, Path, Query, Inject extends InjectMap> = <
  Who extends Identity = Identity,
>(
  prototype: object,
  key: string,
  descriptor: { value?: (context: CallableContext<Url, Data, Path, Query, Inject, Who>) => unknown },
) => void;

/** Replaces the method by what Nest calls: it tells which instance was meant, and leaves the rest to the interceptor. */
function replace(prototype: object, handler: string): void {
  const value = function (this: object, native: object): void {
    keepInstance(native, this);
  };
  Object.defineProperty(prototype, handler, { value, configurable: true, writable: true, enumerable: false });
  Req()(prototype, handler, 0);
}

function protect(
  prototype: object,
  handler: string,
  {
    guards = [],
    interceptors = [],
    decorators = [],
  }: Pick<CallableOptions, 'guards' | 'interceptors' | 'decorators'>,
): void {
  const descriptor = descriptorOf(prototype, handler);
  UseGuards(EndpointGuard, ...guards)(prototype, handler, descriptor);
  const around = [CasingInterceptor, EnvelopeInterceptor, ...interceptors, MethodInterceptor];
  UseInterceptors(...around)(prototype, handler, descriptor);
  UseFilters(EnvelopeFilter)(prototype, handler, descriptor);
  for (const decorate of decorators) decorate(prototype, handler, descriptor);
}

function descriptorOf(prototype: object, key: string): TypedPropertyDescriptor<never> {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
  if (descriptor === undefined) throw new TypeError(`There is no method '${key}'`);
  return descriptor as TypedPropertyDescriptor<never>;
}
