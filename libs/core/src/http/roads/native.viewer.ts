import { CombinedAuthorization } from '../../access/combined.authorization.js';
import { Public } from '../../access/authentication.js';
import { Authorization, type AuthorizationRule } from '../../access/authorization.js';
import type { RootOptions } from '../../endpoint/options/settings.js';
import type { RouteLeaf } from '../../routing/route.tree.js';

/** Options whose values never see a request, whatever they are. */
const blind: ReadonlySet<string> = new Set([
  'modelClass',
  'securityHeaders',
  'observers',
  'columnOverrides',
  'outputSchema',
  'answers',
  'rowLevelSecurity',
  'schemaOf',
  'schemas',
  'limits',
]);

/** Options whose functions get the context of a request as their one parameter. */
const contextual: ReadonlySet<string> = new Set([
  'afterCommit',
  'afterDelete',
  'afterSave',
  'beforeDelete',
  'beforeSave',
  'inputValidationCallable',
  'outputMap',
  'toCall',
]);

/** The beginning of a function that takes nothing, or some members of its one parameter and no rest. */
const takesMembers = /^(?:async\s+)?(?:function\s*)?[\w$]*\s*\(\s*(?:\{([\w$\s,:]*)\}\s*)?\)/;

/**
 * The name of the first option by which a function of the user's may see the platform's own request; undefined where
 * there is none. An option that is not known for certain may.
 */
export function nativeViewerOf({ endpoint, groups }: RouteLeaf, root: RootOptions): string | undefined {
  const layers: readonly object[] = [root, ...groups.map(({ options }) => options), endpoint.options];
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer))
      if (!blind.has(name) && maySee(name, value)) return name;
  return undefined;
}

function maySee(name: string, value: unknown): boolean {
  if (name === 'authentication') return !isBlindAuthentication(value);
  if (name === 'authorization') return !isBlindRule(value as AuthorizationRule);
  return contextual.has(name) && typeof value === 'function' ? !isBlindFunction(value) : holdsCode(value);
}

/** True if a function takes members of the context by name, and not the request, as far as its text tells. */
function isBlindFunction(call: object): boolean {
  const text = Function.prototype.toString.call(call);
  const taken = takesMembers.exec(text);
  if (taken === null || /\barguments\b/.test(text)) return false;
  const [, members = ''] = taken;
  return members.split(',').every((member) => member.split(':')[0]?.trim() !== 'request');
}

/** True for a function, and for an object that may have one: all but lists, plain objects and plain values. */
function holdsCode(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsCode);
  if (Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.values(value).some(holdsCode);
}

function isBlindAuthentication(value: unknown): boolean {
  if (value === undefined) return true;
  const { constructor, seesRequest } = value as {
    readonly constructor: unknown;
    readonly seesRequest?: unknown;
  };
  return constructor === Public || seesRequest === false;
}

/** True if a rule says that it looks at no request, or its functions take too few parameters to be given one. */
function isBlindRule(rule: AuthorizationRule | undefined): boolean {
  if (rule === undefined) return true;
  if (rule instanceof CombinedAuthorization) return rule.rules.every(isBlindRule);
  if (!(rule instanceof Authorization)) return false;
  const known: AuthorizationRule = rule;
  if (known.seesRequest === false) return true;
  if (known.scopeOf !== undefined) return false;
  const filter = methodOf(rule, 'filterModel');
  const isUsual = filter === methodOf(Authorization.prototype, 'filterModel');
  return (isUsual || takesAtMost(filter, 2)) && takesAtMost(methodOf(rule, 'gate'), 1);
}

function methodOf(rule: object, name: 'gate' | 'filterModel'): unknown {
  return Reflect.get(rule, name);
}

/** True if a function looks at no more parameters than that, as far as its text tells. */
function takesAtMost(method: unknown, count: number): boolean {
  if (typeof method !== 'function') return false;
  if (method === methodOf(Authorization.prototype, 'gate')) return true;
  const text = String(method);
  const parameters = text.slice(text.indexOf('(') + 1, text.indexOf(')'));
  const isPlain = /^[\w$\s,]*$/.test(parameters) && !/\barguments\b/.test(text);
  return isPlain && method.length <= count;
}
