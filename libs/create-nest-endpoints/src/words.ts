import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

/** The text of `--help`. */
export const usage = `npm create nest-endpoints [directory] -- [flags]

Makes the help desk of the tutorial: tickets with comments, tokens, tenants, mails, migrations, tests, a Docker image.
The directory must be empty, or not be there. What no flag says is asked at a terminal; elsewhere the default holds.

  --empty                  the application without the help desk: tokens, migrations, tests, a Docker image
  --install, --no-install  whether npm installs the packages (default: yes)
  --git, --no-git          whether a git repository begins there (default: yes)
  -y, --yes                asks nothing
  -h, --help               this text
`;

/** The words of a command line, as they were typed. */
export interface Words {
  readonly isHelp: boolean;
  /** False where nothing is to be asked. */
  readonly mayAsk: boolean;
  readonly directory: string | undefined;
  readonly install: boolean | undefined;
  readonly git: boolean | undefined;
  readonly isEmpty: boolean;
}

const options = {
  empty: { type: 'boolean' },
  install: { type: 'boolean' },
  git: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the words of a command line. @throws Refusal for one that is none of ours */
export function readWords(args: readonly string[]): Words {
  const { values, positionals } = parsed(args);
  const [directory, ...others] = positionals;
  if (others.length > 0)
    throw new Refusal(`These are ${positionals.length} directories: ${positionals.join(', ')}`, 2);
  return {
    isHelp: values.help === true,
    mayAsk: values.yes !== true,
    directory,
    install: values.install,
    git: values.git,
    isEmpty: values.empty === true,
  };
}

function parsed(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal(`${cause.message}\n\n${usage}`, 2, { cause });
  }
}

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true; allowNegative: true }>> {
  return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
}
