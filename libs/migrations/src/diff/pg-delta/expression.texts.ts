import type { Fact, FactKind } from '@supabase/pg-delta';

/** Names of attributes, each with what its text is where PostgreSQL reads it as it is written. */
type Texts = Readonly<Record<string, RegExp>>;

/** A query, or a condition: no text of one is known to be read as it is written. */
const never = /(?!)/;

/** A constant, a word such as CURRENT_DATE, or a function of nothing but a sequence. */
const constant =
  /^(?:-?[\d.]+|true|false|CURRENT_\w+|'(?:[^']|'')*'(?:::[^:]+)?|[\w."]+\((?:'(?:[^']|'')*'::regclass)?\))$/;

/** A list of columns alone: of an index behind its method, of a partitioned table behind its strategy. */
const columns = /^(?:.* USING )?\w+ \([^()]*\)$/s;

/** Arguments of a routine without a default, or with a constant for one. */
const simpleArguments =
  /^(?!.* DEFAULT (?!(?:-?[\d.]+|true|false|NULL|'(?:[^']|'')*')(?:::[\w ]+)?(?:, |$)))/s;

const none: Texts = {};
const routine: Texts = { def: /^(?!.*BEGIN ATOMIC)/s, argSignature: simpleArguments };

/** The texts of expressions and queries that each kind of fact has. Every kind is here, so that none is forgotten. */
const textsOfKinds: Readonly<Record<FactKind, Texts>> = {
  acl: none,
  aggregate: none,
  collation: none,
  column: { generatedExpr: never },
  comment: none,
  constraint: { def: /^(?!CHECK|EXCLUDE)/ },
  default: { expr: constant },
  defaultPrivilege: none,
  domain: { default: constant },
  eventTrigger: none,
  extension: none,
  extensionIntent: none,
  fdw: none,
  foreignTable: none,
  function: routine,
  index: { def: columns },
  language: none,
  materializedView: { def: never },
  membership: none,
  policy: { usingExpr: never, checkExpr: never },
  procedure: routine,
  publication: none,
  publicationRel: { where: never },
  publicationSchema: none,
  role: none,
  rule: { def: never },
  schema: none,
  securityLabel: none,
  sequence: none,
  server: none,
  subscription: none,
  table: { partitionKey: columns },
  trigger: { def: /^(?!.* WHEN \()/s },
  type: none,
  typeAttribute: none,
  userMapping: none,
  view: { def: never },
};

/** True for what has a text that PostgreSQL writes from an expression or a query, which is more than a constant or a name. */
export function holdsExpression({ id, payload }: Fact): boolean {
  return Object.entries(textsOfKinds[id.kind]).some(([name, plain]) => {
    const text = payload[name];
    return typeof text === 'string' && !plain.test(text);
  });
}

/** Gives the attributes of a fact that are texts of expressions and queries. */
export function expressionsOf({ id, payload }: Fact): Fact['payload'] {
  return Object.fromEntries(
    Object.keys(textsOfKinds[id.kind]).flatMap((name) => {
      const text = payload[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
