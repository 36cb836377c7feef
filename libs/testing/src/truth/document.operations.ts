import type { OpenApiObject, OpenApiDocument } from '@nest-endpoints/openapi';

/** An operation of a document that a request may be for. */
export interface FoundOperation {
  readonly operation: OpenApiObject;
  /** The place in the document, as a JSON pointer. */
  readonly pointer: string;
  /** The texts that the path has for its parameters. */
  readonly pathParameters: ReadonlyMap<string, string>;
}

interface Template {
  readonly path: string;
  readonly segments: readonly string[];
  readonly item: OpenApiObject;
  /** The number of segments that are words. The path with the most words is tried first (OpenAPI: Path Templating). */
  readonly words: number;
}

/** Finds the operations of a document by the paths of requests. */
export class DocumentOperations {
  readonly #templates: readonly Template[];

  constructor({ paths }: OpenApiDocument) {
    this.#templates = Object.entries(paths)
      .map(([path, item]) => {
        const segments = segmentsOf(path);
        return { path, segments, item, words: segments.filter((one) => nameOf(one) === undefined).length };
      })
      .sort((a, b) => b.words - a.words);
  }

  /** The operations whose paths match, the likeliest first. */
  find(method: string, path: string): FoundOperation[] {
    const asked = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const sent = segmentsOf(path);
    return this.#templates.flatMap(({ path: template, segments, item }) => {
      const operation = Object.hasOwn(item, asked) ? (item[asked] as OpenApiObject) : undefined;
      const pathParameters = operation === undefined ? undefined : matched(segments, sent);
      if (operation === undefined || pathParameters === undefined) return [];
      return [{ operation, pathParameters, pointer: `/paths/${escaped(template)}/${asked}` }];
    });
  }
}

/** A member's name as a JSON pointer has it (RFC 6901, 3), in the fragment of a URI. */
export function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** The name of a segment that is a parameter: `{id}`. */
function nameOf(segment: string): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1];
}

function matched(
  template: readonly string[],
  sent: readonly string[],
): ReadonlyMap<string, string> | undefined {
  if (template.length !== sent.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, segment] of template.entries()) {
    const text = decoded(sent[index] ?? '');
    const name = nameOf(segment);
    if (text === undefined) return undefined;
    if (name !== undefined) parameters.set(name, text);
    else if (text !== segment) return undefined;
  }
  return parameters;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
