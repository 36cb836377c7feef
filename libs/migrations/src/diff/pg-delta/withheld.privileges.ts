import type { Fact, FactBase, StableId } from '@supabase/pg-delta';
import type { ComparisonRules } from '../schema.diff.tool.js';
import type { DeltaLibrary } from './delta.library.js';

/** The letter by which default privileges know each kind of object. */
const letters: Partial<Record<StableId['kind'], string>> = {
  aggregate: 'f',
  domain: 'T',
  function: 'f',
  materializedView: 'r',
  procedure: 'f',
  schema: 'n',
  sequence: 'S',
  table: 'r',
  type: 'T',
  view: 'r',
};

/**
 * Gives both schemas with the privileges that new objects would get and that an object has not, as none. Where a plan has to make
 * the object anew, it takes them away then.
 */
export function withWithheldPrivileges(
  library: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  rules: ComparisonRules,
): { readonly current: FactBase; readonly target: FactBase } {
  const { encodeId, buildFactBase } = library;
  const defaults = current.facts().flatMap(({ id, payload }) => {
    if (id.kind !== 'defaultPrivilege' || id.role !== rules.role || id.grantee === rules.role) return [];
    return (payload['privileges'] as readonly string[]).length === 0 ? [] : [id];
  });
  if (defaults.length === 0) return { current, target };
  const withheld = current.facts().flatMap(({ id }) => {
    const schema = 'schema' in id ? id.schema : undefined;
    const ofKind = defaults.filter(({ objtype }) => objtype === letters[id.kind]);
    return target.has(id)
      ? ofKind
          .filter((one) => one.schema === null || one.schema === schema)
          .map(({ grantee }): Fact => noPrivileges(id, grantee))
      : [];
  });
  const added = [...new Map(withheld.map((fact) => [encodeId(fact.id), fact])).values()].filter(
    ({ id }) => !current.has(id) && !target.has(id),
  );
  const extended = (schema: FactBase): FactBase =>
    buildFactBase([...schema.facts(), ...added], [...schema.edges]);
  return { current: extended(current), target: extended(target) };
}

function noPrivileges(id: StableId, grantee: string): Fact {
  return {
    id: { kind: 'acl', target: id, grantee },
    parent: id,
    payload: { privileges: [], grantable: [] },
  };
}
