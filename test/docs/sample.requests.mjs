// Sends every `curl` of the pages to the sample, as a reader would who starts at the top of each page, and compares what
// comes with what the page shows. Placeholders in a request stand for what an earlier answer had: `<id>`, `<ETag>`.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { differences } from './answer.differences.mjs';

const repo = join(import.meta.dirname, '../..');
const shownAddress = 'http://127.0.0.1:3000';
const languages = ['sh', 'bash'];

/**
 * @param {import('./page.mjs').Page[]} pages
 * @param {string} url the address of the running sample
 * @param {Record<string, string>} variables what pages take from the environment
 */
export async function sendRequests(pages, url, variables) {
  const problems = [];
  let count = 0;
  for (const page of pages) {
    const known = new Map();
    for (const [index, block] of page.blocks.entries()) {
      if (!languages.includes(block.language) || !/\bcurl\b/.test(block.text)) continue;
      if (block.directives.has('not run')) continue;
      const at = `${relative(repo, page.path)}:${block.line}`;
      const expected = { status: block.status, ...shownAnswer(page.blocks[index + 1]) };
      const commands = commandsIn(block.text).filter((command) => /(^|\s)curl /.test(command));
      for (const command of commands) {
        count += 1;
        const answer = await sent(command, url, known, variables);
        for (const problem of judged(
          answer,
          command === commands.at(-1) ? expected : { status: block.directives.get('any') },
        ))
          problems.push(`${at}: ${command.split('\n')[0]}\n  ${problem}`);
      }
    }
  }
  return { count, problems };
}

/** The block behind a request, where it shows the answer. */
export function shownAnswer(next) {
  if (next?.language === 'json') return { body: next.text };
  const isMessage = next?.language === 'text' && next.text.startsWith('HTTP/1.1 ');
  return isMessage ? { message: next.text } : {};
}

/** Commands may go over several lines, in quotes and with a backslash at the end. */
export function commandsIn(text) {
  const commands = [];
  let command = '';
  for (const line of text.split('\n')) {
    if (command === '' && (line.startsWith('#') || line.trim() === '')) continue;
    command += (command === '' ? '' : '\n') + line;
    const quotes = command.replaceAll(/\\./gs, '').match(/'/g)?.length ?? 0;
    if (line.endsWith('\\') || quotes % 2 === 1) continue;
    commands.push(command);
    command = '';
  }
  return commands;
}

async function sent(command, url, known, variables) {
  const filled = command
    .replaceAll(shownAddress, url)
    .replaceAll(/<([\w-]+)>/g, (placeholder, name) => known.get(name.toLowerCase()) ?? placeholder);
  const folder = await mkdtemp(join(tmpdir(), 'nest-endpoints-docs-'));
  try {
    const script = `curl() { command curl -sS -D '${folder}/head' -o '${folder}/body' "$@"; }\n${filled}\n`;
    const env = { PATH: process.env.PATH, HOME: folder, ...variables };
    await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env, timeout: 60_000 });
    const head = await readFile(join(folder, 'head'), 'utf8');
    const whole = await bodyIn(folder);
    // With -i the head is there twice.
    return remembered(head, whole.startsWith(head) ? whole.slice(head.length) : whole, known);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An answer to HEAD and an empty one leave no file. */
export async function bodyIn(folder) {
  return readFile(join(folder, 'body'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

export function remembered(head, body, known) {
  const [statusLine = '', ...lines] = head.trim().split(/\r?\n/);
  const headers = new Map(
    lines.map((line) => [line.split(':')[0].toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  for (const [name, value] of headers) known.set(name, value.replace(/^"(.*)"$/, '$1'));
  const id = parsed(body)?.data?.id;
  if (id !== undefined) known.set('id', String(id));
  return { status: statusLine.split(' ')[1], statusLine, headers, body };
}

export function* judged(answer, { status, body, message }) {
  if (answer.failure !== undefined) return yield answer.failure;
  const told = message === undefined ? status : message.split(' ')[1];
  const isSuccess = /^[23]/.test(answer.status);
  if (told === undefined ? !isSuccess : !told.split(' ').includes(answer.status))
    return yield `answered ${answer.status} instead of ${told ?? 'a success'}: ${answer.body.slice(-300)}`;
  if (body !== undefined) for (const one of differences(JSON.parse(body), parsed(answer.body))) yield one;
  if (message !== undefined) yield* differentHeaders(message, answer);
}

/** Only the headers that the page shows, in any order. */
function* differentHeaders(message, { headers }) {
  for (const line of message.split('\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    const actual = headers.get(name.toLowerCase());
    if (actual !== value) yield `the header ${name} is ${actual} instead of ${value}`;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
