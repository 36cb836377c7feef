import { isDeeperThan } from '../../request/json.body.js';
import { longestLine, tooLong, type ImportLine, type LineReader } from './import.line.js';
import { utf8Chunks } from './utf8.chunks.js';

const byteOrderMark = '\uFEFF';

/** Makes the reader of a body that has an object of JSON on each line. @param depth to which values may be nested */
export function ndjsonReader(depth: number): LineReader {
  return async function* (chunks) {
    let rest = '';
    let count = 0;
    const linesOf = (texts: readonly string[]): ImportLine[] =>
      texts.flatMap((text) => {
        count += 1;
        return text.trim() === '' ? [] : lineOf(count, text, depth);
      });
    let isFirst = true;
    for await (const chunk of utf8Chunks(chunks)) {
      const text = chunk.toString('utf8');
      const bare = isFirst && text.startsWith(byteOrderMark) ? text.slice(1) : text;
      isFirst = false;
      const end = bare.lastIndexOf('\n');
      if (end === -1) rest += bare;
      else {
        const texts = (rest + bare.slice(0, end)).split('\n');
        rest = bare.slice(end + 1);
        yield linesOf(texts);
      }
      if (rest.length > longestLine) throw tooLong(count + 1);
    }
    yield linesOf([rest]);
  };
}

function lineOf(line: number, text: string, depth: number): ImportLine {
  const problem = (why: string): ImportLine => ({
    line,
    size: text.length,
    members: undefined,
    problem: why,
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem('the line is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('the line must be a JSON object');
  if (isDeeperThan(value, depth)) return problem(`the line must not be nested deeper than ${depth} levels`);
  return { line, size: text.length, members: new Map(Object.entries(value)) };
}
