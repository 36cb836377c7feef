import type { EntityName, FilterQuery, ObjectQuery } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import type { CanActivate, NestInterceptor, Type } from '@nestjs/common';
import type { Authentication } from '../../access/authentication.js';
import type { AuthorizationRequest, AuthorizationRule } from '../../access/authorization.js';
import type { Limit } from '../../access/limits/limit.js';
import type { SecurityHeader } from '../../access/security.header.js';
import type { Answers } from '../answers/answers.js';
import type { ColumnDefinition } from '../../model/column.definition.js';
import type { BareColumns, Called, ColumnNameOf, ColumnsOf } from '../../model/column.name.js';
import type { IdentityFunction } from '../../model/registered.identity.js';
import type { SchemaSource } from '../../metadata/schema.source.js';
import type { AdjustedQuery } from '../../visibility/adjusted.query.js';
import type { Casing } from '../../wire/casing.js';
import type { HttpMethod } from '../http.method.js';
import type { DeprecationOptions } from '../versions/deprecation.options.js';
import type { RequestContext } from '../../access/request.context.js';
import type { ToolOptions } from './tool.options.js';
import type { WhereText } from './where.text.js';

/** Extra response headers, each `key: value`, or a function that gives them for a request. */
export type ResponseHeaders =
  readonly string[] | ((context: RequestContext) => readonly string[] | Promise<readonly string[]>);

/** Options that members of a group inherit when they do not set them. */
export interface InheritedOptions {
  /** Response headers on every answer, errors included. Default none. */
  readonly responseHeaders?: ResponseHeaders;
  /** Security headers on every answer; with them OPTIONS is answered too. Default none. */
  readonly securityHeaders?: readonly SecurityHeader[];
  /** The authentication: who may call. Default: public. */
  readonly authentication?: Authentication;
  /**
   * The time that an endpoint may take to answer, in milliseconds. Then the answer is 503, and what the request asked of
   * the database is given up. A stream that has begun to flow has no such limit. 0: no limit. Default 30,000.
   */
  readonly timeout?: number;
  /**
   * The time that a client may read nothing of an answer before its connection is cut, in milliseconds. One that reads
   * slowly is not cut. 0: no limit. Default 30,000.
   */
  readonly stallTimeout?: number;
  /** Rules after authentication. Default: none. */
  readonly authorization?: AuthorizationRule;
  /** Casing of the model's names. Default: that of its properties' own names; two casings stop the start. */
  readonly internalCasing?: Casing;
  /** Casing on the wire. Default `snake_case`. */
  readonly externalCasing?: Casing;
  /** The way in which answers are written. Default `new StandardAnswers()`: the standard envelope. */
  readonly answers?: Answers;
  /**
   * The tag under which generated documentation lists operations: its name, or its name with what it says of it. Default:
   * the name of the entity with the entity's `comment`, else the first word of the url.
   */
  readonly tag?: string | { readonly name: string; readonly description: string };
  /** True to leave operations out of generated documentation; they answer all the same. Default false. */
  readonly hidden?: boolean;
  /** False to keep endpoints out of every Batch. Default true, where the kind can take part. */
  readonly inBatches?: boolean;
  /**
   * The facts about endpoints that are not to be used any more, which all of their answers tell. False for what is not
   * deprecated in a group that is. HealthChecks never are. Default: not deprecated.
   */
  readonly deprecated?: DeprecationOptions | false;
  /**
   * The limits on how often endpoints are asked. They add up with those of the groups and of the application; `none` clears
   * them. HealthChecks take none from others. Default none.
   */
  readonly limits?: readonly Limit[] | 'none';
}

/** Their names, for kinds that hand them on to members. */
export const inheritedOptions = {
  responseHeaders: true,
  securityHeaders: true,
  authentication: true,
  timeout: true,
  stallTimeout: true,
  authorization: true,
  internalCasing: true,
  externalCasing: true,
  answers: true,
  tag: true,
  hidden: true,
  inBatches: true,
  deprecated: true,
  limits: true,
} as const satisfies Record<keyof InheritedOptions, true>;

/** Parameters of every kind of endpoint (contract: Parameters shared by endpoint kinds). */
export interface EndpointOptions extends InheritedOptions {
  /** The path, below those of the groups around it. Default: the group's own path. */
  readonly url?: string;
  /**
   * The version of Nest's under which it is, or several: of endpoints at one url, each has its own. The application says with
   * `enableVersioning` where versions stand; endpoints take part by URI. Default: none of its own.
   */
  readonly version?: string | readonly string[];
  /** The methods that are answered. Each kind has its default. */
  readonly requestMethods?: readonly HttpMethod[];
  /**
   * A summary of the operations in a few words, for generated documentation. Default: the kind and the name of the
   * entity.
   */
  readonly summary?: string;
  /** A description in sentences; Markdown is read. Default: what the kind does. */
  readonly description?: string;
  /**
   * The schema of the answer, where `outputMap` or a function of the user's own makes it. For the generated
   * documentation.
   */
  readonly outputSchema?: SchemaSource;
  /** The tool that the endpoint is for agents, or false for none. Read by `@nest-endpoints/mcp`. Default: of the operation. */
  readonly tool?: false | ToolOptions;
  /** Nest guards of your own, run after authentication and authorization. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Nest interceptors of your own. */
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Decorators to put on every handler of the endpoint, e.g. `Throttle(...)` or `Version('2')`. */
  readonly decorators?: readonly MethodDecorator[];
}

/** The part of a column path that a record shows it under: `country` of `country.name`. */
type Shown<Path extends string> = Path extends `${infer Relation}.${string}` ? Relation : Path;

/** The readable columns of a record, under their internal names; `_Entity` is only printed. */
type ShownRecord<_Entity, Readable extends string> = {
  readonly [Path in Readable as Shown<Path>]: unknown;
};

/** The argument of `outputMap`. */
export interface OutputContext<
  E extends object = object,
  Fields = ShownRecord<E, string>,
> extends RequestContext {
  /** The record's readable columns under their internal names. */
  readonly record: Fields;
  /** The entity behind it, loaded with the relations the readable columns name. */
  readonly entity: E;
}

/** Names by the name of the column; `_Entity` is only printed. */
type ExternalNamesOf<_Entity, Columns extends string> = { readonly [Name in Columns as Name]?: string };

/** Column definitions by the name of the column; `_Entity` is only printed, where a `Record` would print itself. */
type ColumnDefinitionsOf<_Entity, Columns extends string> = {
  readonly [Name in Columns as Name]?: ColumnDefinition;
};

/**
 * Parameters of kinds that work on a model. Here and below, `Entity` is what compiler messages call the entity; it is
 * left out where options are declared on their own.
 */
export interface ModelOptions<E extends object, Entity = E> extends EndpointOptions {
  /** The entity: a class, a schema, or what `defineEntity` gives. */
  readonly modelClass: EntityName<E>;
  /** Replaces parts of column definitions for this endpoint alone. Columns cannot be removed. */
  readonly columnOverrides?: ColumnDefinitionsOf<Called<Entity, NoInfer<E>>, BareColumns<NoInfer<E>>['own']>;
  /**
   * The parent that the path names: the relation to it, e.g. `ticket` with the url `tickets/:ticketId/comments`. Only its records
   * are there, and new ones are of it. A parent that is not there or not to be seen is Not Found. `comment.ticket` names two, the
   * nearest first. Default none.
   */
  readonly parent?: ColumnsOf<Entity, NoInfer<E>>['parents'];
  /** True to read text for Integer, Float, Boolean and Timestamp columns as such a value. Default false. */
  readonly transformInputTypes?: boolean;
  /**
   * The names of columns on this endpoint alone, as they are on the wire: `{ population: 'inhabitants' }`. They hold in bodies,
   * answers, sorts, searches, input errors and documents; casing leaves them as they are. Paths keep the names of the model.
   */
  readonly externalNames?: ExternalNamesOf<Called<Entity, NoInfer<E>>, BareColumns<NoInfer<E>>['own']>;
}

/** Parameters of kinds that answer with records. */
export interface ReadableOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
> extends ModelOptions<E, Entity> {
  /** The columns a record shows, in this order; `country.name` shows a parent's. */
  readonly readableColumnNames: readonly Readable[];
  /** Replaces the record in the answer by what it gives. Such endpoints load entities. */
  readonly outputMap?: (
    context: OutputContext<NoInfer<E>, ShownRecord<Called<Entity, NoInfer<E>>, NoInfer<Readable>>>,
  ) => unknown;
}

/** The argument of callables in `where` and `joins`. */
export interface QueryContext<E extends object = object> extends RequestContext {
  /** A query of MikroORM over the model, to be adjusted. Joined relations have the names of their paths' last parts. */
  readonly query: QueryBuilder<E>;
}

type Awaitable<T> = T | Promise<T>;

/** A function of `where`: it gives the adjusted query, or a filter object to add. */
type WhereFunction<E extends object> = (
  context: QueryContext<E>,
) => Awaitable<AdjustedQuery | FilterQuery<E>>;

/** An entry of `where`: `column operator value`, a filter object of MikroORM, or a function. */
export type WhereEntry<E extends object> = string | ObjectQuery<E> | WhereFunction<E>;

/**
 * An entry of `where` of a kind, about one of these columns. `Text` is the type of the strings that are there, `_Entity`
 * is only printed.
 */
type WhereEntryOf<_Entity, Columns extends string, E extends object, Text> =
  WhereText<Columns, E, Text> | ObjectQuery<E> | WhereFunction<E>;

/** An entry of `joins`: a relation path, `[INNER|LEFT] JOIN table [AS alias] ON a.x=b.y`, or a function. */
export type JoinEntry<E extends object> = string | ((context: QueryContext<E>) => Awaitable<AdjustedQuery>);

/** Parameters of kinds that look records up: which of them are there at all. */
export interface FilterOptions<E extends object, Entity = E, Text = string> {
  /** Conditions that hold whatever the client asks for; all of them must be met. */
  readonly where?: readonly WhereEntryOf<
    Called<Entity, NoInfer<E>>,
    BareColumns<NoInfer<E>>['paths'],
    NoInfer<E>,
    Text
  >[];
  /** Joins, which keep the records that meet them; a record is never repeated. */
  readonly joins?: readonly JoinEntry<NoInfer<E>>[];
}

/** The argument of a custom validation (contract: input_validation_callable). */
export interface ValidationContext<E extends object = object> extends RequestContext {
  /** The values that were sent, under internal names, types forced where asked. */
  readonly requestData: Readonly<Record<string, unknown>>;
  /** On Update the stored record; undefined on Create. */
  readonly record: E | undefined;
  /** The position of the record among those of the request, from 0; undefined where the request is about one. */
  readonly index?: number | undefined;
}

/** Messages by internal column name. One that is undefined is none; without any the input is valid. */
export type ValidationMessages = Readonly<Record<string, string | undefined>>;

/** Parameters of kinds that write records. */
export interface WriteableOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
> extends ReadableOptions<E, Entity, Readable> {
  /** The columns a client may set. */
  readonly writeableColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['own'][];
  /** Rules of your own, run once every value is of its column's type. */
  readonly inputValidationCallable?: (
    context: ValidationContext<NoInfer<E>>,
  ) => ValidationMessages | Promise<ValidationMessages>;
}

/** Parameters of kinds that create records. */
export interface IdempotencyOptions {
  /**
   * True to read an `Idempotency-Key`: a request that is sent again under its key gets the first answer, and nothing is
   * created twice. With `required` a request without one is a 400. Default false: the header means nothing.
   *
   * Keys are kept for `idempotencyKeyTime` in the table of `IdempotencyRecord`, which goes into `entities` of MikroORM.
   */
  readonly idempotency?: boolean | 'required';
  /** See {@link IdempotencySender}. Default: that of `forRoot`. */
  readonly idempotencySender?: IdempotencySender;
}

/**
 * A function that tells senders of requests with an `Idempotency-Key` apart, e.g. `({ tenant, sub }) => [tenant, sub]`.
 * Requests for which it gives the same are one sender's. It gives a text, a number, or a list or an object of such. Where
 * it gives nothing, or a list in which something is missing, the answer is a 500.
 *
 * Default: issuer and subject, the claims that the endpoint's rules look at, and the claims that fill columns of the
 * record. Where a rule does not say at which claims it looks: all claims but those that differ from one token to the
 * next.
 */
export type IdempotencySender = IdentityFunction<unknown, [request: AuthorizationRequest]>;

/** Parameters of kinds that change a record which is there. */
export interface PreconditionOptions {
  /**
   * True if a client must name by `If-Match` the version that it knows; without it the answer is a 428. Default false.
   * The entity needs a version property.
   */
  readonly preconditionRequired?: boolean;
}

/** Parameters of kinds that look one record up by a path parameter; `Lookup` is never where none is given. */
export interface LookupOptions<E extends object, Lookup extends string = never> {
  /** The unique column that the path parameter of the same name holds. Default: the id column. */
  readonly recordLookupColumnName?: [Lookup] extends [never] ? ColumnNameOf<E> : Lookup;
}
