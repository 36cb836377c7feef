import type { ApiDocument } from './api.document.js';
import { resourceGroups, type ResourceGroup } from './resource.groups.js';
import { readResource, type KnownResource } from './resource.reader.js';

/** A resource that a name means, with the values of the parameters that stood in the name. */
export interface FoundResource {
  readonly resource: KnownResource;
  /** The values of path parameters, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The resources of a document by name. Each is read when it is first asked for: documents may be large. */
export class Resources {
  readonly #groups = new Map<string, ResourceGroup>();
  readonly #document: ApiDocument;
  readonly #read = new Map<string, KnownResource>();

  /** @param prefix the part of all paths that is the address of the service: `/api` */
  constructor(document: ApiDocument, prefix: string) {
    this.#document = document;
    for (const group of resourceGroups(document)) {
      const name = nameOf(group.path, prefix);
      // What is below the address comes before what is called alike elsewhere.
      if (!this.#groups.has(name) || isBelow(group.path, prefix)) this.#groups.set(name, group);
    }
  }

  /** All names, in the order of the document. */
  get names(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** All of them, in the order of the document. */
  get all(): readonly KnownResource[] {
    return this.names.flatMap((name) => this.find(name)?.resource ?? []);
  }

  /**
   * Finds the resource of a name: its path, with values in the place of parameters, or the end of a path that no other one
   * has.
   */
  find(wanted: string): FoundResource | undefined {
    const name = wanted.replace(/^\/+|\/+$/g, '');
    if (this.#groups.has(name)) return this.#found(name, {});
    for (const template of this.names) {
      const parameters = parametersIn(template, name);
      if (parameters !== undefined) return this.#found(template, parameters);
    }
    const [only, ...others] = this.names.filter((one) => one.endsWith(`/${name}`));
    return only === undefined || others.length > 0 ? undefined : this.#found(only, {});
  }

  #found(name: string, parameters: Readonly<Record<string, string>>): FoundResource | undefined {
    const group = this.#groups.get(name);
    if (group === undefined) return undefined;
    const resource = this.#read.get(name) ?? readResource(this.#document, group, name);
    this.#read.set(name, resource);
    return { resource, parameters };
  }
}

const isBelow = (path: string, prefix: string): boolean => path.startsWith(`${prefix}/`);

function nameOf(path: string, prefix: string): string {
  return (isBelow(path, prefix) ? path.slice(prefix.length) : path).replace(/^\//, '');
}

/** `trips/5/stops` is `trips/{trip_id}/stops` of the trip 5. */
function parametersIn(template: string, name: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split('/'), name.split('/')];
  if (wanted.length !== given.length || !template.includes('{')) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    const [, parameter] = /^\{(.+)\}$/.exec(part) ?? [];
    if (parameter !== undefined) parameters[parameter] = value;
    else if (part !== value) return undefined;
  }
  return parameters;
}
