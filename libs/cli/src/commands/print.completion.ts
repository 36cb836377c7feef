import type { MountedEndpoint } from '@nest-endpoints/core/internal';
import { listedOptions } from '../command-line/command.option.js';
import { columnsOf, isParameter, partsOf } from '../request/operation.at.js';
import type { CommandContext } from './command.context.js';

/** The shells that a script can be printed for. */
export const shells = ['bash', 'zsh'] as const;

/**
 * Prints a script that knows the words of this application as they are now. Completing then starts no application. Bash
 * and zsh read the same script; zsh through its `bashcompinit`.
 */
export async function printCompletion(context: CommandContext, [shell]: readonly string[]): Promise<boolean> {
  const { name, output } = context;
  const program = name.split(' ')[0] ?? name;
  const lines = [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_nest_endpoints() {',
    '  local word words="" key="" current="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    // A word that is no path, such as the file of the module, stands before the first one.
    '    [[ "$word" == -* || ( -z "$key" && "$word" == *.*js ) ]] || key="$key/$word"',
    '  done',
    '  case "$key" in',
    ...casesOf(context).map(([pattern, words]) => `    ${pattern}) words=${quoted(words.join(' '))} ;;`),
    '  esac',
    `  [[ "$current" == -* ]] && words="$words ${listedOptions.map(({ name: option }) => `--${option}`).join(' ')}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    `complete -o default -F _nest_endpoints ${quoted(program)}`,
  ];
  await output.write(`${lines.join('\n')}\n`);
  return true;
}

/** Finds what may follow each beginning of a path: its next segments, and the parameters of what answers there. */
function casesOf({
  application,
}: CommandContext): readonly (readonly [pattern: string, words: readonly string[]])[] {
  const own = ['routes', 'schema', 'schemas', 'mcp', 'changes', 'completion'];
  const cases = new Map<string, Set<string>>([['', new Set(own)]]);
  const wordsAt = (parts: readonly string[]): Set<string> => {
    const key = parts.map((part) => `/${part}`).join('');
    const words = cases.get(key) ?? new Set<string>();
    cases.set(key, words);
    return words;
  };
  for (const endpoint of application.endpoints) {
    const parts = partsOf(endpoint.path);
    for (const [depth, part] of parts.entries())
      if (!isParameter(part)) wordsAt(parts.slice(0, depth)).add(part);
    const words = wordsAt(parts);
    for (const name of namesOf(endpoint)) words.add(`--${name}=`);
    for (const name of columnsOf(application, endpoint).keys()) words.add(`--${name}=`);
  }
  const ordered = [...cases].toSorted(([a], [b]) => a.split('{').length - b.split('{').length);
  return ordered.map(([key, words]) => [patternOf(key), [...words].filter(isPlain)]);
}

function namesOf({ operation }: MountedEndpoint): readonly string[] {
  return (operation?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
}

/** True if a shell takes the word as one plain word. Others are left to be typed. */
function isPlain(word: string): boolean {
  return /^[\w.=-]+$/.test(word);
}

function patternOf(key: string): string {
  return partsOf(key).reduce((text, part) => `${text}/${isParameter(part) ? '*' : quoted(part)}`, '') || `''`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
