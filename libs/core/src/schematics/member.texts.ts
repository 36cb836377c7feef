/** A property of an entity, as its text says it. */
export interface MemberText {
  readonly name: string;
  /** `property`, `primaryKey`, `manyToOne`, `datetime`, … by what it is declared with. */
  readonly kind: string;
  /** The text of what is said of it. */
  readonly said: string;
}

/** Decorators of `@mikro-orm/decorators` that make a property. */
const kinds = /^(?:PrimaryKey|Property|Enum|Formula|ManyToOne|OneToOne|OneToMany|ManyToMany)$/;
/** The name of a class's property, what TypeScript says of its type, and its end. */
const declared = /^\s*(?:(?:readonly|declare|public|override)\s+)*(\w+)\s*[?!]?\s*(?::([^=;]*))?[=;]/;
/** A property and all that is said of it: up to the next one, on the same line or another. */
const defined = /\b(\w+):\s*(?:\(\)\s*=>\s*)?p\.(\w+)\([\s\S]*?(?=\b\w+:\s*(?:\(\)\s*=>\s*)?p\.|$)/g;

/** Reads the properties of an entity, of a class with decorators or of `defineEntity`. */
export function memberTexts(text: string): readonly MemberText[] {
  const definitions = [...text.matchAll(defined)].map(([said, name = '', kind = '']) => ({
    name,
    kind,
    said,
  }));
  return [...decoratedMembers(text), ...definitions];
}

function* decoratedMembers(text: string): Generator<MemberText> {
  let decorators: [name: string, said: string][] = [];
  for (const { index, 0: sign, 1: name = '' } of text.matchAll(/@(\w+)/g)) {
    const end = endOfCall(text, index + sign.length);
    decorators.push([name, text.slice(index, end)]);
    const rest = text.slice(end);
    if (/^\s*@/.test(rest)) continue;
    const said = decorators.map(([, one]) => one).join(' ');
    const [kind] = decorators.flatMap(([one]) => (kinds.test(one) ? [one] : []));
    const member = declared.exec(rest);
    decorators = [];
    if (kind === undefined || member === null) continue;
    const [, property = '', type = ''] = member;
    yield { name: property, kind: kind.charAt(0).toLowerCase() + kind.slice(1), said: `${said}: ${type}` };
  }
}

/** The end of the parentheses that begin at a position, or the position where there are none. */
function endOfCall(text: string, start: number): number {
  if (text[start] !== '(') return start;
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')' && (depth -= 1) === 0) return index + 1;
  }
  return text.length;
}
