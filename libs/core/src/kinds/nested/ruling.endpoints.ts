import type { KindContext, RulingEndpoint } from '../../endpoint/kind.context.js';
import { Public } from '../../access/authentication.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { nestedOption, type RelatedShape } from './related.shape.js';

/** The endpoints by whose rules related records are written, by what they do. */
export type Rulers = Readonly<Partial<Record<'create' | 'update' | 'delete', RulingEndpoint>>>;

/**
 * Finds the endpoints that `through` names: those at that path, or below it by a key. Beside the endpoint first, then further
 * out. None where it names nothing.
 *
 * @throws ConfigurationError where there are none, or several, and for what nobody but the endpoint itself can do
 */
export function rulersOf(context: KindContext, { name, option, relation }: RelatedShape): Rulers {
  const { through } = option;
  if (through === undefined) return {};
  const { meta } = relation.target();
  const refuse = (problem: string): never => {
    throw new ConfigurationError(context.owner, nestedOption, `'${name}': ${problem}`);
  };
  const about = context
    .rulers()
    .filter(({ entity, rules }) => entity?.class === meta.class && rules !== undefined);
  for (const path of pathsFrom(context, through)) {
    const found = about.filter((ruler) => isAt(ruler, path));
    if (found.length === 0) continue;
    for (const ruler of found) refuseUnruling(context, ruler, refuse);
    const repeated = found.find((one) => found.some((other) => other !== one && other.rules === one.rules));
    if (repeated !== undefined)
      return refuse(`through '${through}' leads to several endpoints like ${repeated.context.owner}`);
    return Object.fromEntries(found.map((ruler) => [ruler.rules, ruler])) as Rulers;
  }
  return refuse(`no Create, Update or Delete of ${meta.className} is at '${through}', which through names`);
}

/** The paths that a text may mean, from the nearest out. */
function pathsFrom({ pattern }: KindContext, through: string): readonly string[] {
  const around = pattern.toString().split('/').slice(1);
  const own = through.split('/').filter((part) => part !== '');
  return around.map((_, index) => `/${[...around.slice(0, around.length - index - 1), ...own].join('/')}`);
}

/** True if an endpoint is at a path, or finds its record by one more segment. */
function isAt({ context: { pattern }, rules }: RulingEndpoint, path: string): boolean {
  const segments = pattern.toString().split('/');
  const last = segments.at(-1) ?? '';
  return rules === 'create'
    ? segments.join('/') === path
    : last.startsWith(':') && segments.slice(0, -1).join('/') === path;
}

/** Refuses an endpoint whose rules are more than its options, or for requests that cannot be a part of these. */
function refuseUnruling(
  { database, settings, names }: KindContext,
  { context, options, authentication, rules }: RulingEndpoint,
  refuse: (problem: string) => never,
): void {
  const { owner } = context;
  const parameters = context.pattern.parameterNames.length - (rules === 'create' ? 0 : 1);
  if (parameters > 0) refuse(`${owner} has parameters in its path, for which a body has no values`);
  if (context.database !== database) refuse(`${owner} is on another database`);
  if (authentication !== settings.authentication && authentication.constructor !== Public)
    refuse(`${owner} has another authentication; allowed: the same instance, or Public`);
  const around = ['guards', 'interceptors'].find((one) => Reflect.get(options, one) !== undefined);
  if (around !== undefined) refuse(`${owner} has ${around}, which only its own requests go through`);
  if (context.names.external !== names.external) refuse(`${owner} has other names on the wire`);
}

/**
 * Refuses to write records past rules that somebody has for them.
 * @throws ConfigurationError
 */
export function refuseRuled(context: KindContext, { name }: RelatedShape, model: Model): void {
  const { className, class: entity } = model.meta;
  const refuse = (problem: string): never => {
    throw new ConfigurationError(
      context.owner,
      nestedOption,
      `'${name}': ${problem}: name the endpoint by whose rules they are written with through`,
    );
  };
  if (context.hides(model)) refuse(`filters or rules hide ${className} records`);
  for (const ruler of context.rulers()) {
    if (ruler.entity?.class !== entity) continue;
    const { authentication, context: other } = ruler;
    if (authentication !== context.settings.authentication && authentication.constructor !== Public)
      refuse(`${other.owner} has another authentication`);
    if (other.settings.authorizations.some((rule) => !context.settings.authorizations.includes(rule)))
      refuse(`${other.owner} has an authorization that this endpoint has not`);
    if (ruler.context.hides(model)) refuse(`${ruler.context.owner} hides ${className} records`);
    const option = narrowing.find((one) => Reflect.get(ruler.options, one) !== undefined);
    if (option !== undefined) refuse(`${ruler.context.owner} has rules for ${className} records (${option})`);
  }
}

/** The options by which an endpoint says which records there are, or what becomes of them. */
const narrowing = [
  'where',
  'joins',
  'parent',
  'columnOverrides',
  'inputValidationCallable',
  'beforeSave',
  'afterSave',
  'beforeDelete',
  'afterDelete',
  'afterCommit',
];
