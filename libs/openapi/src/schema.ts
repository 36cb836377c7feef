import {
  ConfigurationError,
  Endpoint,
  type Compilation,
  type EndpointOptions,
  type Handler,
  type OpenApiObject,
} from '@nest-endpoints/core';
import { buildDocument, type DocumentOptions } from './open.api.builder.js';
import { isSchemaFormat, schemaFormats } from './schema.format.js';
import { ServedDocument } from './served.document.js';

/** Parameters of {@link Schema}. */
export interface SchemaOptions extends Omit<EndpointOptions, 'outputSchema'>, DocumentOptions {
  /** The path of the document, below that of the group. */
  readonly url: string;
}

/**
 * Answers an OpenAPI document of the group it stands in, and of everything below (contract: Schema): as JSON, or as
 * YAML for who asks with `Accept: application/yaml`. It is made once, when the application starts.
 */
export class Schema extends Endpoint<SchemaOptions> {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['url'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;

  /** Documents tell of endpoints, not of themselves. */
  override describe(): undefined {
    return undefined;
  }

  override compile({ owner, groups, documentation }: Compilation): Handler {
    if (groups.length === 0)
      throw new ConfigurationError(
        owner,
        'url',
        'a Schema documents its group: put it into an EndpointGroup',
      );
    checkDocumentOptions(owner, this.options);
    let made: { readonly routes: unknown; readonly served: ServedDocument } | undefined;
    // A prefix that is set late, or a module that is loaded late, makes other routes.
    const served = (): ServedDocument => {
      const { routes } = documentation;
      if (made?.routes !== routes)
        made = { routes, served: new ServedDocument(buildDocument(documentation, this.options, groups)) };
      return made.served;
    };
    documentation.whenReady(served);
    return (request) => Promise.resolve(served().reply(request.headers));
  }
}

/** @throws ConfigurationError for values that types refuse, but JavaScript does not */
export function checkDocumentOptions(
  owner: string,
  {
    schemaFormat,
    schemaConfiguration,
  }: { readonly schemaFormat?: unknown; readonly schemaConfiguration?: unknown },
): void {
  if (schemaFormat !== undefined && !isSchemaFormat(schemaFormat)) {
    const allowed = Object.keys(schemaFormats).join(', ');
    throw new ConfigurationError(
      owner,
      'schemaFormat',
      `'${String(schemaFormat)}' is unknown; allowed: ${allowed}`,
    );
  }
  if (schemaConfiguration !== undefined && !isJsonObject(schemaConfiguration))
    throw new ConfigurationError(owner, 'schemaConfiguration', 'must be an object that JSON can say');
}

function isJsonObject(value: unknown): value is OpenApiObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}
