import type { DocumentedTag } from '../endpoint/description/api.documentation.js';
import type { InheritedSettings } from '../endpoint/options/settings.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { tagOf } from './operation.names.js';

/** An endpoint in its place, and what it works on. */
export interface TaggedEndpoint {
  readonly leaf: RouteLeaf;
  readonly settings: InheritedSettings;
  /** The class name of its entity; undefined where it works on none. */
  readonly modelName: string | undefined;
  /** The `comment` of its entity. */
  readonly modelComment: string | undefined;
}

/** A tag with what was said of it. */
interface KnownTag {
  readonly said: string | undefined;
  readonly comment: string | undefined;
  readonly isEntity: boolean;
}

/** The tags of an application, and what is said of each. */
export class TagRegister {
  readonly #tags = new Map<string, KnownTag>();

  /** @param warn takes a sentence about a tag of which two things are said */
  constructor(private readonly warn: (problem: string) => void) {}

  /** The tags by their names. A description of the user goes before the comment of an entity. */
  get entries(): ReadonlyMap<string, DocumentedTag> {
    return new Map(
      [...this.#tags].map(([name, { said, comment, isEntity }]) => [
        name,
        { description: said ?? comment, isEntity },
      ]),
    );
  }

  /** Gives the name of an endpoint's tag, and keeps what the endpoint or a group around it says of it. */
  nameOf({ leaf, settings: { tag }, modelName, modelComment }: TaggedEndpoint): string {
    const given = typeof tag === 'object' ? tag : { name: tag, description: undefined };
    const name = given.name ?? modelName ?? tagOf(leaf);
    const known = this.#tags.get(name);
    const { description } = given;
    if (description !== undefined && (known?.said ?? description) !== description)
      this.warn(`${leaf.owner} describes the tag '${name}' in other words than another endpoint`);
    const isEntity = name === modelName;
    this.#tags.set(name, {
      said: known?.said ?? description,
      comment: known?.comment ?? (isEntity ? modelComment : undefined),
      isEntity: isEntity || known?.isEntity === true,
    });
    return name;
  }
}
