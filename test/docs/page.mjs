// A page of the documentation as the checks see it: its fenced blocks, what HTML comments in front of them say, its
// headings and its links. Readers do not see the comments:
//   <!-- given … -->           what stands around the next block: code, with a line `…` where the block goes
//   <!-- file: name.ts … -->   the name under which other blocks of the page import this one, or code of that name
//   <!-- sample: path -->      the next block is this file of the repository, word for word
//   <!-- any: 201 409 -->      what requests of the next block may answer, but for the last, whose answer is shown
//   <!-- not run: reason -->   the requests of the next block are not sent
import { readFile } from 'node:fs/promises';

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} text
 * @property {number} line where its first line stands, from 1
 * @property {Map<string, string>} directives
 * @property {string | undefined} status `200` where the page says so between this block and the next
 */

/**
 * @typedef {object} Page
 * @property {string} path
 * @property {Block[]} blocks
 * @property {{ text: string, line: number }[]} lines what stands outside of blocks
 * @property {number} length in lines
 */

const directive = /^(given|file|sample|any|not run)(?::[ \t]*([^\n]*))?(?:\n([^]*))?$/;

/**
 * @param {string} path
 * @returns {Promise<Page>}
 */
export async function readPage(path) {
  return pageOf(path, await readFile(path, 'utf8'));
}

/**
 * @param {string} path
 * @param {string} content
 * @returns {Page}
 */
function pageOf(path, content) {
  const blocks = [];
  const lines = [];
  const files = [];
  let directives = new Map();
  for (const { kind, language, text, line } of piecesOf(path, content)) {
    if (kind === 'comment') {
      const [, name, value = '', code] = directive.exec(text) ?? [];
      if (name === undefined) continue;
      if (name === 'file' && code !== undefined) files.push({ name: value, text: code, line: line + 1 });
      else directives.set(name, code ?? value);
    } else if (kind === 'block') {
      blocks.push({ language, text, line, directives, status: undefined });
      directives = new Map();
    } else if (text.trim() !== '') {
      const [, status] = /^`([1-5]\d\d)`$/.exec(text.trim()) ?? [];
      if (status !== undefined && blocks.length > 0) blocks.at(-1).status = status;
      lines.push({ text, line });
    }
  }
  return { path, blocks, lines, files, length: content.trimEnd().split('\n').length };
}

/**
 * @param {string} path
 * @param {string} content
 */
function* piecesOf(path, content) {
  const lines = content.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const fence = /^( *)(`{3,})(\w*)/.exec(line);
    if (fence !== null) {
      const [, indent, ticks, language] = fence;
      const end = lines.findIndex((one, at) => at > index && one.trim() === ticks);
      if (end === -1) throw new Error(`${path}:${index + 1}: the block has no end`);
      const text = lines
        .slice(index + 1, end)
        .map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one))
        .join('\n');
      yield { kind: 'block', language, text, line: index + 2 };
      index = end;
    } else if (/^ *<!-- /.test(line)) {
      const end = lines.findIndex((one, at) => at >= index && one.endsWith('-->'));
      if (end === -1) throw new Error(`${path}:${index + 1}: the comment has no end`);
      const [indent] = /^ */.exec(line);
      const text = lines
        .slice(index, end + 1)
        .map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one))
        .join('\n');
      yield { kind: 'comment', text: text.slice('<!-- '.length, -'-->'.length).trimEnd(), line: index + 1 };
      index = end;
    } else {
      yield { kind: 'line', text: line, line: index + 1 };
    }
  }
}
