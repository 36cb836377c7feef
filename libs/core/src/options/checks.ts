import { otherCopy } from './other.copy.js';
import type { OptionCheck, OptionChecks } from './option.check.js';
import { didYouMean } from './nearest.name.js';
import { isClass, shown } from './shown.value.js';

/** A check by a question. @param allowed what is allowed, in words */
export function check(allowed: string, isAllowed: (value: unknown) => boolean): OptionCheck {
  return {
    allowed,
    complaint: (value) => (isAllowed(value) ? undefined : refusedFor(allowed, value)),
  };
}

/** A check that one of others is content with. */
export function either(allowed: string, ...checks: readonly OptionCheck[]): OptionCheck {
  return {
    allowed,
    complaint: (value) => {
      const problems = checks.map((one) => one.complaint(value));
      if (problems.includes(undefined)) return undefined;
      // Who gives a list with one wrong entry wants to know which.
      return problems.find((one) => one?.startsWith(entry) === true) ?? refusedFor(allowed, value);
    },
  };
}

function refusedFor(allowed: string, value: unknown): string {
  return `${refused(value)}; allowed: ${allowed}`;
}

/** The beginning of a complaint about one entry of a list. */
const entry = 'entry ';

/** A list whose members are checked one by one. @param members what they are, e.g. `column names` */
export function listOf(members: string, member: OptionCheck, least = 0): OptionCheck {
  const allowed = least === 0 ? `a list of ${members}` : `a list of ${members}, which is not empty`;
  return {
    allowed,
    complaint: (value) => {
      if (!Array.isArray(value)) return refusedFor(allowed, value);
      if (value.length < least) return `the list is empty; allowed: ${member.allowed}`;
      // Not entries(), which would leave out holes: [first, , third].
      for (let index = 0; index < value.length; index += 1) {
        const problem = entryComplaint(value[index], member);
        if (problem !== undefined) return `${entry}${index + 1}: ${problem}`;
      }
      return undefined;
    },
  };
}

/** An object whose members have names of the user's. @param allowed what it is, in words, e.g. `an object of tokens of providers` */
export function mapOf(allowed: string, member: OptionCheck): OptionCheck {
  return {
    allowed,
    complaint: (value) => {
      if (!isRecord(value)) return `${refused(value)}; allowed: ${allowed}`;
      for (const [name, one] of Object.entries(value)) {
        const problem = entryComplaint(one, member);
        if (problem !== undefined) return `'${name}': ${problem}`;
      }
      return undefined;
    },
  };
}

/** An object with options of its own. */
export function objectWith(checks: OptionChecks, required: readonly string[] = []): OptionCheck {
  const names = Object.keys(checks);
  const allowed = `an object with ${names.join(', ')}`;
  return {
    allowed,
    complaint: (value) => {
      if (!isRecord(value)) return `${refused(value)}; allowed: ${allowed}`;
      const missing = required.find((name) => Reflect.get(value, name) === undefined);
      if (missing !== undefined) return `'${missing}' is required`;
      for (const [name, one] of Object.entries(value)) {
        const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
        if (known === undefined)
          return `'${name}' is unknown${didYouMean(name, names)}; allowed: ${names.join(', ')}`;
        const problem = one === undefined ? undefined : known.complaint(one);
        if (problem !== undefined) return `'${name}': ${problem}`;
      }
      return undefined;
    },
  };
}

export function oneOfTexts(...texts: readonly string[]): OptionCheck {
  const allowed = texts.join(', ');
  return {
    allowed,
    complaint: (value) => {
      if (typeof value !== 'string') return `${refused(value)}; allowed: ${allowed}`;
      if (texts.includes(value)) return undefined;
      return `'${value}' is unknown${didYouMean(value, texts)}; allowed: ${allowed}`;
    },
  };
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER, unit = ''): OptionCheck {
  const of = unit === '' ? '' : ` of ${unit}`;
  const to = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  return check(
    `a whole number${of} from ${least}${to}`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  );
}

/** An instance of a class, or of one that extends it. @param example how one is made, e.g. `new Get({ … })` */
export function instanceOf(
  allowed: string,
  type: abstract new (...parameters: never[]) => object,
  example: string,
): OptionCheck {
  return {
    allowed,
    complaint: (value) => {
      if (value instanceof type) return undefined;
      const reason = otherCopy(value, type) ?? refused(value);
      return `${reason}; allowed: ${allowed}, ${example}`;
    },
  };
}

/** An object, no list, that has these functions, whichever class made it. */
export function objectThat(allowed: string, ...functions: readonly string[]): OptionCheck {
  return check(allowed, (value) => has(value, functions));
}

/** Any number but NaN and the infinite ones. */
export const finiteNumber = check('a number', Number.isFinite);
/** Accepts every value: another place judges it. */
export const anything = check('anything', () => true);
/** Accepts no value. */
export const never = check('nothing', () => false);
export const boolean = check('true, false', (value) => typeof value === 'boolean');
export const text = check('a text', (value) => typeof value === 'string');
export const filledText = check('a text that is not empty', isFilled);
export const callable = check('a function', (value) => typeof value === 'function' && !isClass(value));
export const name = check('the name of a column', isFilled);
export const names = listOf('column names', name);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has a prototype that has none itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True if the value is an object, no list and no class, with these functions. */
export function has(value: unknown, functions: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return functions.every((member) => typeof Reflect.get(value, member) === 'function');
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function entryComplaint(value: unknown, member: OptionCheck): string | undefined {
  const problem = member.complaint(value);
  if (problem === undefined || value !== undefined) return problem;
  return `${problem}. Files that import each other in a circle see undefined: look at the imports`;
}

function refused(value: unknown): string {
  return `${shown(value)} is not allowed`;
}
