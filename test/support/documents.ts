import { EndpointGroup } from '@nest-endpoints/core';
import { Schema, type OpenApiDocument } from '@nest-endpoints/openapi';
import type { ApplicationOptions } from './application.js';

/** What documents need for linters to have nothing to say. */
export const licensed = {
  info: {
    title: 'Library',
    version: '1.0.0',
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  },
} as const;

/** A group that serves its document at `/schema`. */
export const documented = (
  endpoints: NonNullable<ApplicationOptions['endpoints']>,
  options: Partial<ConstructorParameters<typeof Schema>[0]> = {},
) =>
  new EndpointGroup({
    endpoints: [new Schema({ url: 'schema', schemaConfiguration: licensed, ...options }), ...endpoints],
  });

/** A part of a document, whose shape the test knows. */
export type Part = ReturnType<JSON['parse']>;

/** One operation of a document. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Part }[];
  readonly requestBody?: { required: boolean; content: Part };
  readonly responses: Readonly<Record<string, { content: Part; headers?: Part }>>;
  readonly security: readonly object[];
}

/** The operation of a method at a path. */
export const operationAt = (document: OpenApiDocument, method: string, path: string): Operation => {
  const operation = document.paths[path]?.[method] as Operation | undefined;
  if (!operation)
    throw new Error(`The document has no ${method} ${path}: ${Object.keys(document.paths).join()}`);
  return operation;
};

/** Every operation of a document. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);

/** A schema of a document, behind its reference if it is one. */
export const schemaIn = (document: OpenApiDocument, schema: { $ref?: string }): Part => {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return (document.components as Part).schemas[name];
};

/** The schema of a JSON request body. */
export const bodyIn = (document: OpenApiDocument, { requestBody }: Operation): Part =>
  schemaIn(document, requestBody?.content['application/json'].schema ?? {});

/** The schema of `data` in the envelope of an answer. */
export const dataIn = (document: OpenApiDocument, { responses }: Operation, status = '200'): Part => {
  const envelope = schemaIn(document, responses[status]?.content['application/json'].schema);
  return schemaIn(document, envelope.properties.data ?? envelope.properties.Data);
};
