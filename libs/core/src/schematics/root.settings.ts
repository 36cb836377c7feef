/** The settings of an application that a test without a token notices. */
export interface RootSettings {
  /** True if all endpoints want an identity. */
  readonly isGuarded: boolean;
  /** True if answers are in the standard envelope. */
  readonly hasEnvelope: boolean;
}

/** Signs that something decides which the object of `forRoot` does not say. */
const elsewhere = /\bAPP_(?:GUARD|INTERCEPTOR|FILTER|PIPE)\b|EndpointsModule\.forRootAsync\b/;

/**
 * Reads the settings of the whole application from the text of its root module.
 *
 * @returns undefined where the text does not tell: then nobody knows what a request will be answered
 */
export function rootSettings(text: string): RootSettings | undefined {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*$/gm, '');
  const start = /\bEndpointsModule\.forRoot\(\s*/.exec(code);
  if (start === null || elsewhere.test(code)) return undefined;
  const said = argumentAt(code, start.index + start[0].length);
  if (!/^(?:\{[\s\S]*\})?\s*,?\s*$/.test(said) || said.includes('...')) return undefined;
  const has = (option: string): boolean => new RegExp(`\\b${option}\\b\\s*[:,}]`).test(said);
  const isGuarded = has('authentication');
  // Rules without an identity refuse whom they like.
  if (!isGuarded && has('authorization')) return undefined;
  return { isGuarded, hasEnvelope: !has('answers') };
}

/** The text up to the parenthesis that closes what is open at a position. */
function argumentAt(code: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < code.length; end += 1) {
    if (code[end] === '(') depth += 1;
    else if (code[end] === ')' && (depth -= 1) === 0) break;
  }
  return code.slice(start, end);
}
