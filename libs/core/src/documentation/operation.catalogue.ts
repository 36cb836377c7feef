import type { HttpMethod } from '../endpoint/http.method.js';
import { EnvelopeSchemas } from '../endpoint/answers/envelope.schemas.js';
import type { EnvelopedAnswer, OperationDescription } from '../endpoint/description/operation.description.js';
import type { RootOptions } from '../endpoint/options/settings.js';
import type { DocumentedOutput, DocumentedTag } from '../endpoint/description/api.documentation.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { DocumentedOperation, OpenApiObject } from '../endpoint/description/open.api.js';
import type { Casing } from '../wire/casing.js';
import { wordsOf } from './operation.names.js';
import { OperationWriter, type DescribedEndpoint } from './operation.writer.js';
import { SchemaCatalogue } from './schema.catalogue.js';
import { TagRegister, type TaggedEndpoint } from './tag.register.js';

/** An endpoint that is asked what it takes and gives. */
export interface DescribableEndpoint extends TaggedEndpoint {
  /** Undefined for an endpoint that documents leave out. */
  readonly describe: () => OperationDescription | undefined;
}

/**
 * The operations of all endpoints of an application, and the schemas they refer to. It is made in steps, each of which does
 * a part of one endpoint; whoever asks does what is left of them.
 */
export class OperationCatalogue {
  /** Sentences about what cannot be documented. */
  readonly warnings = new Set<string>();
  readonly #schemas = new SchemaCatalogue((problem) => this.warnings.add(problem));
  readonly #operations = new Map<RouteLeaf, Map<HttpMethod, DocumentedOperation>>();
  readonly #tags = new TagRegister((problem) => this.warnings.add(problem));
  readonly #writer: OperationWriter;
  readonly #steps: Iterator<unknown>;

  constructor(endpoints: readonly DescribableEndpoint[], root: RootOptions) {
    this.#writer = new OperationWriter(this.#schemas, this.#tags, root);
    this.#steps = this.#making(endpoints);
  }

  /** Does the next step. @returns whether there was none left */
  advance(): boolean {
    return this.#steps.next().done === true;
  }

  /** Does all steps that are left. */
  finish(): this {
    while (!this.advance());
    return this;
  }

  /** Tags by their names. */
  get tags(): ReadonlyMap<string, DocumentedTag> {
    return this.#tags.entries;
  }

  /** Schemas by the names that operations refer to. */
  get schemas(): ReadonlyMap<string, OpenApiObject> {
    return this.#schemas.entries;
  }

  /** Security schemes by the names that operations refer to. */
  get securitySchemes(): ReadonlyMap<string, OpenApiObject> {
    return this.#writer.securitySchemes;
  }

  /** The names that authentications gave them, by those that operations refer to. */
  get securityNames(): ReadonlyMap<string, string> {
    return this.#writer.securityNames;
  }

  /** The operation of an endpoint with one of its methods; undefined where documents leave it out. */
  operation(leaf: RouteLeaf, method: HttpMethod): DocumentedOperation | undefined {
    return this.#operations.get(leaf)?.get(method);
  }

  /** The schemas of a success of an endpoint, without the envelope around it. */
  outputOf(
    { endpoint, pattern }: RouteLeaf,
    { data, paging }: EnvelopedAnswer,
    casing: Casing,
  ): Pick<DocumentedOutput, 'data' | 'pagination'> {
    const place = { owner: `${endpoint.kind} '${pattern.text}'`, hint: wordsOf(pattern) };
    const pagination = new EnvelopeSchemas(casing).pagination(paging);
    return {
      data: asJson(this.#schemas.written(data, place)),
      pagination: asJson(this.#schemas.written(pagination, place)),
    };
  }

  *#making(endpoints: readonly DescribableEndpoint[]): Generator<undefined> {
    const described: DescribedEndpoint[] = [];
    for (const endpoint of endpoints) {
      described.push(...this.#described(endpoint));
      yield;
    }
    for (const endpoint of inOrderOfNames(described)) {
      this.#operations.set(endpoint.leaf, this.#written(endpoint));
      yield;
    }
  }

  #described({ describe, ...endpoint }: DescribableEndpoint): DescribedEndpoint[] {
    const description = this.#unlessBroken(endpoint.leaf, describe);
    return description ? [{ ...endpoint, description }] : [];
  }

  #written(endpoint: DescribedEndpoint): Map<HttpMethod, DocumentedOperation> {
    const { leaf } = endpoint;
    const operations = leaf.endpoint.requestMethods.flatMap((method) => {
      const operation = this.#unlessBroken(leaf, () => asJson(this.#writer.write(endpoint, method)));
      return operation === undefined ? [] : [[method, operation] as const];
    });
    return new Map(operations);
  }

  /** An endpoint that cannot be documented is left out: what it says of itself may be the user's own. */
  #unlessBroken<T>({ endpoint: { kind }, pattern }: RouteLeaf, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.warnings.add(`${kind} '${pattern.text}' is not in documents: ${reason}`);
      return undefined;
    }
  }
}

/** The plain names go to what a Get shows and to what stands in its group: others show parts of a record. */
function inOrderOfNames(endpoints: readonly DescribedEndpoint[]): readonly DescribedEndpoint[] {
  const isGet = ({ description }: DescribedEndpoint): boolean => description.verb === 'get';
  const groups = new Set(endpoints.filter(isGet).map(({ leaf }) => leaf.groups.at(-1)));
  const rank = (endpoint: DescribedEndpoint): number => {
    if (isGet(endpoint)) return 0;
    return groups.has(endpoint.leaf.groups.at(-1)) ? 1 : 2;
  };
  return endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** @throws TypeError for what JSON cannot say */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
