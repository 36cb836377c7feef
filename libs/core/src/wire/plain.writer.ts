import { STATUS_CODES } from 'node:http';
import { jsonContentType, type HeaderLine, type HeaderLines } from './answer.js';
import type { AnswerFormat, PageSource, RefusalFacts } from './answer.format.js';
import { jsonString } from './json.text.js';
import { PageLinks } from './page.links.js';
import type { Pagination } from './pagination.js';

/** The content type of problem details (RFC 9457, 3), with the charset that Fastify would add. */
const problemContentType = 'application/problem+json; charset=UTF-8';

/** Writes successes as nothing but their data, and refusals as problem details (RFC 9457). */
export class PlainWriter implements AnswerFormat {
  readonly contentType = jsonContentType;
  readonly refusalType = problemContentType;
  readonly #links: PageLinks;

  /** @param word cases a word of the contract */
  constructor(word: (name: string) => string) {
    this.#links = new PageLinks(word);
  }

  success(data: string): string {
    return data;
  }

  pageHeaders(page: Pagination, request: PageSource): HeaderLines {
    const { number_results: total } = page;
    const link = this.#links.of(page, request);
    const links: readonly HeaderLine[] = link === '' ? [] : [['Link', link]];
    return total === undefined ? links : [...links, ['X-Total-Count', String(total)]];
  }

  /** The members and their order are those of the RFC; `errors` is ours. */
  refusal({ statusCode, status, message, inputErrors, hasWholeNames, placeSteps }: RefusalFacts): string {
    const title = STATUS_CODES[statusCode] ?? 'Error';
    const detail = message === '' || message === title ? '' : `,"detail":${jsonString(message)}`;
    let errors = '';
    for (const [name, text] of inputErrors) {
      const pointer = pointerTo(name, hasWholeNames ? (placeSteps ?? 0) : Infinity);
      errors += `${errors === '' ? '' : ','}${jsonString(pointer)}:${jsonString(text)}`;
    }
    const members = status === 'input_errors' ? `,"errors":{${errors}}` : '';
    return `{"type":"about:blank","title":${jsonString(title)},"status":${statusCode}${detail}${members}}`;
  }
}

/**
 * The JSON pointer to an input (RFC 6901, 3): `/name`. The empty one means the input as a whole.
 * @param placeSteps the number of steps before a name that is one member, whatever its characters
 */
function pointerTo(name: string, placeSteps: number): string {
  if (name === '') return '';
  const all = name.split('.');
  const rest = all.slice(placeSteps);
  const steps = [...all.slice(0, placeSteps), ...(rest.length === 0 ? [] : [rest.join('.')])];
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
