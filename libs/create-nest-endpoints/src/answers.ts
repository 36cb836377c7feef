import { createInterface } from 'node:readline';
import { Questions } from './questions.js';
import { Refusal } from './refusal.js';
import { usage, type Words } from './words.js';

/** All that has to be known before something is made. */
export interface Answers {
  readonly directory: string;
  readonly install: boolean;
  readonly git: boolean;
  /** True for an application without the help desk. */
  readonly isEmpty: boolean;
}

/** The streams of a process. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/**
 * The answers that the words of the command line give. What they leave open is asked at a terminal, and has its default
 * elsewhere.
 * @throws Refusal where nobody can be asked for the directory
 */
export async function answersFrom(words: Words, { stdin, stdout }: Terminal): Promise<Answers> {
  if (words.mayAsk && stdin.isTTY && stdout.isTTY) return asked(words, { stdin, stdout });
  const { directory, install = true, git = true, isEmpty } = words;
  if (directory === undefined) throw new Refusal(`The directory is missing.\n\n${usage}`, 2);
  return { directory, install, git, isEmpty };
}

async function asked(words: Words, { stdin, stdout }: Terminal): Promise<Answers> {
  const defaultDirectory = words.isEmpty ? 'app' : 'helpdesk';
  const questions = new Questions(createInterface({ input: stdin, output: stdout }));
  try {
    return {
      directory:
        words.directory ?? ((await questions.ask(`Directory (${defaultDirectory}): `)) || defaultDirectory),
      install: words.install ?? (await questions.askWhether('Install the packages?')),
      git: words.git ?? (await questions.askWhether('Begin a git repository?')),
      isEmpty: words.isEmpty,
    };
  } finally {
    questions.close();
  }
}
