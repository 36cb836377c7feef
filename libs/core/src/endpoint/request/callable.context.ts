import type { Type } from '@nestjs/common';
import type { RequestContext } from '../../access/request.context.js';
import type { Identity } from '../../model/registered.identity.js';
import type { InjectMap } from './injection.js';

/** A token with the type of what it stands for: classes say so themselves, texts and symbols do with {@link tokenOf}. */
export type TokenOf<T> = (string | symbol) & { readonly provides?: T };

/**
 * Says what a token that is no class stands for.
 *
 * @example inject: { cache: tokenOf<Cache>(CACHE_MANAGER) }
 */
export function tokenOf<T>(token: string | symbol): TokenOf<T> {
  return token;
}

/** The providers of an `inject` option. */
export type Injected<Inject extends InjectMap> = string extends keyof Inject
  ? unknown
  : { readonly [Name in keyof Inject]: Provided<Inject[Name]> };

type Provided<Token> =
  Token extends Type<infer T>
    ? T
    : Token extends { readonly prototype: infer T }
      ? T
      : Token extends { readonly provides?: infer T }
        ? T
        : unknown;

/** The names of the parameters in a path: `'/near/:latitude/{longitude}'` → `'latitude' | 'longitude'`. */
export type PathParameterNames<Url extends string> = Url extends `${infer Part}/${infer Rest}`
  ? PathParameterName<Part> | PathParameterNames<Rest>
  : PathParameterName<Url>;

type PathParameterName<Part extends string> = Part extends `:${infer Name}`
  ? Name
  : Part extends `{${infer Name}}`
    ? Name
    : never;

/**
 * The argument of a function that answers requests.
 *
 * @typeParam Who the identity. Default: what the application has declared; a function may say a narrower one:
 * `CallableContext & { authorizationData: Admin }`
 */
export type CallableContext<
  Url extends string = string,
  Data = Readonly<Record<string, unknown>> | null,
  Path = unknown,
  Query = unknown,
  Inject extends InjectMap = InjectMap,
  Who = Identity,
> = Omit<RequestContext, 'queryParameters' | 'authorizationData'> & {
  /** The result of the endpoint's authentication, e.g. the claims of a token; undefined on public endpoints. */
  readonly authorizationData: Who;
  /** The body: what the input rules made of it; without rules the object that was sent, or null without a body. */
  readonly requestData: Data;
  /** The parameters of the query string: what `querySchema` made of them, or texts. */
  readonly queryParameters: unknown extends Query ? RequestContext['queryParameters'] : Query;
} & Injected<Inject> &
  (unknown extends Path ? Readonly<Record<PathParameterNames<Url>, string>> : Readonly<Path>);
