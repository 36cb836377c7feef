import { ConfigurationError } from '../wire/configuration.error.js';

type Segment = { readonly literal: string } | { readonly parameter: string };

/** Path parameters by name, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

const noParameters: PathParameters = Object.freeze({});
const parameterForms = /^(?::(?<colon>[A-Za-z_]\w*)|\{(?<braces>[A-Za-z_]\w*)\})$/;
const literalForm = /^[\w.~@$&=,;'-]+$/;

/** A path with named parameters, `/cities/:id` or `/cities/{id}/` (contract: Routing rules). Slashes at the ends do not matter. */
export class RoutePattern {
  static readonly empty = new RoutePattern([]);

  private constructor(readonly segments: readonly Segment[]) {}

  /** @throws ConfigurationError for a segment that is neither a plain word nor one parameter */
  static parse(owner: string, url: string): RoutePattern {
    return new RoutePattern(
      url
        .split('/')
        .filter((part) => part !== '')
        .map((part) => segmentOf(owner, url, part)),
    );
  }

  /** A path that Nest puts in front of ours: what is no parameter in it is a literal, whatever its characters. */
  static ofPrefix(path: string): RoutePattern {
    const parts = path.split('/').filter((part) => part !== '');
    return new RoutePattern(parts.map((part) => parameterOf(part) ?? { literal: part }));
  }

  get parameterNames(): string[] {
    return this.segments.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
  }

  /** The parameters, each with the place of its segment. */
  get places(): readonly (readonly [name: string, place: number])[] {
    return this.segments.flatMap((segment, place) =>
      'parameter' in segment ? [[segment.parameter, place] as const] : [],
    );
  }

  /** The pattern without the names of its parameters: patterns of one shape match the same paths. */
  get shape(): string {
    return this.segments.map((part) => ('parameter' in part ? ':' : part.literal)).join('/');
  }

  join(other: RoutePattern): RoutePattern {
    return new RoutePattern([...this.segments, ...other.segments]);
  }

  /** The parameters when this pattern matches the beginning of a path; undefined when it does not. */
  matchStart(path: readonly string[]): PathParameters | undefined {
    if (path.length < this.segments.length) return undefined;
    let parameters: [string, string][] | undefined;
    let index = 0;
    for (const segment of this.segments) {
      const text = path[index++] ?? '';
      if ('parameter' in segment) (parameters ??= []).push([segment.parameter, text]);
      else if (segment.literal !== text) return undefined;
    }
    return parameters === undefined ? noParameters : Object.fromEntries(parameters);
  }

  /** True if every path that `other` matches begins with a match of this pattern. */
  coversStartOf(other: RoutePattern): boolean {
    return this.segments.every((segment, index) => {
      const rival = other.segments[index];
      if (rival === undefined) return false;
      return 'parameter' in segment || ('literal' in rival && rival.literal === segment.literal);
    });
  }

  covers(other: RoutePattern): boolean {
    return this.segments.length === other.segments.length && this.coversStartOf(other);
  }

  /** The pattern of the paths that both match; undefined when no path does. Parameters keep this pattern's names. */
  overlap(other: RoutePattern): RoutePattern | undefined {
    if (this.segments.length !== other.segments.length) return undefined;
    const shared: Segment[] = [];
    for (const [index, segment] of this.segments.entries()) {
      const rival = other.segments[index] ?? segment;
      if ('literal' in segment && 'literal' in rival && segment.literal !== rival.literal) return undefined;
      shared.push('literal' in segment ? segment : 'literal' in rival ? rival : segment);
    }
    return new RoutePattern(shared);
  }

  /** Without slashes at the ends, as messages show it: `cities/:id`. */
  get text(): string {
    return this.toString().slice(1);
  }

  /** Gives the path as Nest's routers and OpenAPI's reader take it: `/cities/:id`. */
  toString(): string {
    return `/${this.segments.map((part) => ('parameter' in part ? `:${part.parameter}` : part.literal)).join('/')}`;
  }
}

function parameterOf(part: string): { readonly parameter: string } | undefined {
  const groups = parameterForms.exec(part)?.groups;
  const parameter = groups?.['colon'] ?? groups?.['braces'];
  return parameter === undefined ? undefined : { parameter };
}

function segmentOf(owner: string, url: string, part: string): Segment {
  const parameter = parameterOf(part);
  if (parameter !== undefined) return parameter;
  if (literalForm.test(part)) return { literal: part };
  throw new ConfigurationError(
    owner,
    'url',
    `'${part}' in '${url}' is neither a plain path segment nor :name or {name}`,
  );
}

/** A path that {@link canonicalPath} would leave as it is. */
const canonicalForm = /^(?:\/[\w.~@$&=,;'-]+)+$/;

/** A request's path, decoded once as UTF-8. */
export interface RequestPath {
  /** Without empty ones. A malformed segment stays as it came. */
  readonly segments: readonly string[];
  readonly isMalformed: boolean;
  /** True if it is spelt as {@link canonicalPath} spells it. */
  readonly isCanonical: boolean;
}

export function requestPath(text: string): RequestPath {
  if (canonicalForm.test(text))
    return { segments: text.slice(1).split('/'), isMalformed: false, isCanonical: true };
  let isMalformed = false;
  const segments = text
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      if (!segment.includes('%')) return segment;
      try {
        return decodeURIComponent(segment);
      } catch {
        isMalformed = true;
        return segment;
      }
    });
  return { segments, isMalformed, isCanonical: false };
}

/** The one spelling of a path that every platform's router reads alike. */
export function canonicalPath(segments: readonly string[]): string {
  return `/${segments.map((segment) => (literalForm.test(segment) ? segment : encodeURIComponent(segment))).join('/')}`;
}
