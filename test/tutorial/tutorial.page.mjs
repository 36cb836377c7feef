import { readPage } from '../docs/page.mjs';
import { commandsIn, shownAnswer } from '../docs/sample.requests.mjs';

/**
 * @typedef {{ kind: 'file', path: string, text: string }
 *   | { kind: 'command', command: string }
 *   | { kind: 'request', command: string, answer: { status?: string, body?: string } }
 *   | { kind: 'output', lines: string[] }} Step
 * @typedef {object} Section
 * @property {string} title
 * @property {(Step & { line: number })[]} steps
 */

/**
 * The steps of the page, in its order. A block below a line with nothing but a bold file name is a file. One of a shell
 * has commands and requests; what stands below the last request is its answer. A block of text is what was printed.
 * @param {string} path
 * @returns {Promise<Section[]>}
 */
export async function readTutorial(path) {
  const { blocks, lines } = await readPage(path);
  const sections = [];
  for (const [index, block] of blocks.entries()) {
    const before = lines.filter(({ line }) => line < block.line);
    const endBefore = index === 0 ? 0 : endOf(blocks[index - 1]);
    const above = before.findLast(({ line }) => line > endBefore)?.text ?? '';
    const title = before.findLast(({ text }) => text.startsWith('## '))?.text.slice('## '.length) ?? '';
    if (sections.at(-1)?.title !== title) sections.push({ title, steps: [] });
    const steps = stepsOf(block, above, blocks[index + 1]);
    sections.at(-1).steps.push(...steps.map((step) => ({ ...step, line: block.line })));
  }
  return sections;
}

/** The line of its last fence. @param {import('../docs/page.mjs').Block} block */
function endOf({ text, line }) {
  return line + text.split('\n').length;
}

/**
 * @param {import('../docs/page.mjs').Block} block
 * @param {string} above
 * @param {import('../docs/page.mjs').Block | undefined} next
 * @returns {Step[]}
 */
function stepsOf(block, above, next) {
  const { language, text, status, line } = block;
  const [, path] = /^\*\*`([^`]+)`\*\*$/.exec(above) ?? [];
  if (path !== undefined) return [{ kind: 'file', path, text: `${text}\n` }];
  if (language === 'text') return [{ kind: 'output', lines: text.split('\n') }];
  if (language === 'json') return [];
  if (language !== 'sh') throw new Error(`line ${line}: a block of ${language} without the name of a file`);
  const commands = commandsIn(text);
  return commands.map((command) => {
    if (!command.startsWith('curl ')) return { kind: 'command', command };
    const answer = command === commands.at(-1) ? { status, ...shownAnswer(next) } : {};
    return { kind: 'request', command, answer };
  });
}
