import type { ApiOperation, ApiSchema } from './api.document.js';

/** A column of a resource. */
export interface ResourceColumn {
  /** The name on the wire, but for that of {@link Resource.ownId}; columns of parents are paths, `country.name`. */
  readonly name: string;
  /** The schema of its values: as they are written where they can be, else as they are shown. */
  readonly schema: ApiSchema;
  readonly isReadable: boolean;
  /** True if a record can be created with it. */
  readonly isCreatable: boolean;
  readonly isUpdatable: boolean;
  /** True if no record can be created without it. */
  readonly isRequired: boolean;
  readonly isSortable: boolean;
  /** The operators that conditions may compare it with, in the words of AdvancedSearch. */
  readonly operators: readonly string[];
  /** The values that it can have, where the document lists them. */
  readonly values: readonly unknown[] | undefined;
}

/** An operation with the place where it is. */
export interface ResourceCall {
  readonly method: string;
  /** The path as documents write it: `/cities/{id}`. */
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The actions on records that a client can ask for. */
export const actions = [
  ...(['list', 'search', 'get', 'create', 'update', 'delete'] as const),
  ...(['createMany', 'updateMany', 'deleteMany'] as const),
] as const;

/** An action on records. */
export type Action = (typeof actions)[number];

/** Records at one url, with what can be done with them. */
export interface Resource {
  /** The path from the root of the service on, without the slash in front: `cities`. */
  readonly name: string;
  /** The class name of the entity. */
  readonly model: string;
  /** The path of the list as documents write it. */
  readonly path: string;
  /** The member that records are called by; undefined where none is shown. */
  readonly key: string | undefined;
  /** The name that front ends have for a column `id` which is not the key; undefined where the key has this name. */
  readonly ownId: string | undefined;
  readonly columns: ReadonlyMap<string, ResourceColumn>;
  readonly calls: Readonly<Partial<Record<Action, ResourceCall>>>;
}
