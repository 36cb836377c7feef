import type { Type } from '@nestjs/common';
import type {
  DocumentedOperation,
  OpenApiObject,
  ParameterObject,
} from '../../endpoint/description/open.api.js';
import { lazily } from '../providers/lazy.object.js';

/** The metadata that decorators of `@nestjs/swagger` leave on handlers and classes, under its own keys. */
const keys = {
  operation: 'swagger/apiOperation',
  parameters: 'swagger/apiParameters',
  responses: 'swagger/apiResponse',
  extraModels: 'swagger/apiExtraModels',
  schema: 'swagger/apiSchema',
  tags: 'swagger/apiUseTags',
  security: 'swagger/apiSecurity',
  excludeEndpoint: 'swagger/apiExcludeEndpoint',
  excludeController: 'swagger/apiExcludeController',
} as const;

/** The part of the documentation about one handler. */
export interface SwaggerSource {
  /** Undefined for a handler that documents leave out. */
  operation(): DocumentedOperation | undefined;
  /** The schemas that a part of a document refers to, by name. */
  schemasIn(part: unknown): ReadonlyMap<string, OpenApiObject>;
}

/**
 * Gives a handler the metadata that `SwaggerModule.createDocument` reads. It is filled in when that is called, so an
 * application without documents pays nothing and needs no `@nestjs/swagger`. Decorators of the user's own win.
 */
export function carrySwagger(handler: object, source: SwaggerSource): void {
  const own = (key: string): unknown => Reflect.getMetadata(key, handler);
  const define = (key: string, value: object): void => Reflect.defineMetadata(key, value, handler);
  const operation = own(keys.operation) ?? {};
  const [tags, security] = [own(keys.tags), own(keys.security)];
  define(
    keys.operation,
    lazily({}, (target) => Object.assign(target, headOf(source, { tags, security }), told(operation))),
  );
  const parameters = (own(keys.parameters) ?? []) as readonly ParameterObject[];
  define(
    keys.parameters,
    lazily<unknown[]>([], (target) => target.push(...parametersOf(source, parameters))),
  );
  const responses = own(keys.responses);
  define(
    keys.responses,
    lazily({}, (target) => Object.assign(target, source.operation()?.responses, responses)),
  );
  const models = (own(keys.extraModels) ?? []) as readonly unknown[];
  define(
    keys.extraModels,
    lazily<unknown[]>([], (target) => target.push(...modelsOf(source), ...models)),
  );
  if (own(keys.excludeEndpoint) === undefined)
    define(
      keys.excludeEndpoint,
      lazily({}, (target) => Object.assign(target, { disable: source.operation() === undefined })),
    );
}

/** Leaves a whole controller out of Swagger's documents. */
export function hideFromSwagger(controller: Type): void {
  Reflect.defineMetadata(keys.excludeController, [true], controller);
}

/** Leaves one handler out of Swagger's documents. */
export function hideHandlerFromSwagger({ value }: TypedPropertyDescriptor<never>): void {
  Reflect.defineMetadata(keys.excludeEndpoint, { disable: true }, value as unknown as object);
}

function headOf(
  source: SwaggerSource,
  decorated: { readonly tags: unknown; readonly security: unknown },
): OpenApiObject {
  const operation = source.operation();
  if (operation === undefined) return {};
  const { parameters: _parameters, responses: _responses, tags, security, ...head } = operation;
  return {
    ...head,
    ...(decorated.tags === undefined ? { tags } : {}),
    ...(decorated.security === undefined ? { security } : {}),
  };
}

/** An ApiOperation of the user's that says no summary has an empty one. */
function told(operation: object): OpenApiObject {
  return Object.fromEntries(Object.entries(operation).filter(([, value]) => value !== ''));
}

function parametersOf(source: SwaggerSource, own: readonly ParameterObject[]): ParameterObject[] {
  const documented = source.operation()?.parameters ?? [];
  const isOwn = (one: ParameterObject): boolean =>
    own.some((other) => other.name === one.name && other.in === one.in);
  return [...documented.filter((one) => !isOwn(one)), ...own];
}

/** Swagger knows named schemas as classes: one for each, which has nothing but the schema. */
function modelsOf(source: SwaggerSource): Type[] {
  return [...source.schemasIn(source.operation())].map(([name, schema]) => {
    const model = class {
      declare readonly schema: OpenApiObject;
    };
    const entry = { name };
    // Swagger rewrites what it is given for OpenAPI 3.1, so each document gets copies.
    for (const [keyword, value] of Object.entries(schema))
      Object.defineProperty(entry, keyword, { enumerable: true, get: (): unknown => structuredClone(value) });
    Reflect.defineMetadata(keys.schema, [entry], model);
    return model;
  });
}
