import type { RequestContext } from '../../access/request.context.js';
import type { InheritedSettings } from '../../endpoint/options/settings.js';
import type { HeaderLine, HeaderLines } from '../../wire/answer.js';
import type { AnswerFormat } from '../../wire/answer.format.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { PathOf } from '../../endpoint/versions/deprecation.js';
import { LimitHeaders } from '../../endpoint/limits/limit.headers.js';
import { answerPlace } from '../../endpoint/answers/answer.place.js';
import {
  headerLine,
  isContentType,
  ownLines,
  problemIn,
  replacedLines,
  typeIn,
} from '../../wire/header.lines.js';

/** The headers of a raw answer. */
interface RawHeaders {
  readonly headers: HeaderLines;
  readonly contentType: string | undefined;
}

/** The style of an endpoint's answers, errors included: how bodies are written, and the headers on every answer. */
export class AnswerStyle {
  readonly format: AnswerFormat;
  /** The headers, when they do not depend on the request. */
  fixedHeaders: HeaderLines | undefined;
  /** {@link fixedHeaders} where the answer has an entity tag beside them, which scripts may read. */
  taggedHeaders: HeaderLines | undefined;
  /** {@link fixedHeaders} where the answer has a `Location` beside them. */
  placedHeaders: HeaderLines | undefined;
  /** {@link fixedHeaders} where the answer has both beside them. */
  taggedPlacedHeaders: HeaderLines | undefined;
  /** The media type that `responseHeaders` give raw answers, when they do not depend on the request; undefined for none. */
  fixedType: string | undefined;
  /** The headers that never depend on the request: of an answer for which nobody can be asked any more. */
  lastHeaders: HeaderLines = [];
  /** The lines of `securityHeaders`. */
  readonly #securityHeaders: HeaderLines;
  #deprecation: HeaderLines;

  /** The fixed headers beside those that the library gives, by their names. */
  readonly #beside = new Map<string, HeaderLines>();

  /**
   * @param variesByAccept whether clients may ask for another representation
   * @throws ConfigurationError for a format whose content type cannot be sent
   */
  constructor(
    readonly settings: InheritedSettings,
    private readonly variesByAccept = false,
  ) {
    const { securityHeaders } = settings;
    this.format = formatOf(settings);
    this.#securityHeaders = ownLines(securityHeaders.flatMap(({ headers }) => headers));
    this.#deprecation = settings.deprecation?.headers() ?? [];
    this.#fix();
  }

  /** Has answers lead to endpoints of the application, whose paths are known once routes are. */
  link(pathOf: PathOf): void {
    const { deprecation } = this.settings;
    if (deprecation?.needsPaths !== true) return;
    this.#deprecation = deprecation.headers(pathOf);
    this.#fix();
  }

  /** Makes the lists that answers share. */
  #fix(): void {
    const { responseHeaders } = this.settings;
    this.#beside.clear();
    this.lastHeaders = Object.freeze(this.#whole([]));
    if (typeof responseHeaders === 'function') return;
    const lines = responseHeaders.map(headerLine);
    this.fixedType = typeIn(lines);
    this.fixedHeaders = Object.freeze(this.#whole(lines));
    this.taggedHeaders = this.#headersBeside('ETag', this.fixedHeaders);
    this.placedHeaders = this.#headersBeside('Location', this.fixedHeaders);
    this.taggedPlacedHeaders = this.#madeBeside(['ETag', 'Location'], this.fixedHeaders);
  }

  /** The headers of one answer. @throws TypeError for a line that is not `key: value` */
  async headers(context: () => RequestContext): Promise<HeaderLines> {
    return (await this.rawHeaders(context)).headers;
  }

  /**
   * The headers of one raw answer, and the media type that they give that of a function of the user's; undefined for none. All that the
   * library writes has a type of its own, whatever they say: a refusal may repeat what a client sent.
   *
   * @throws TypeError for a line that is not `key: value`
   */
  async rawHeaders(context: () => RequestContext): Promise<RawHeaders> {
    const { responseHeaders } = this.settings;
    if (this.fixedHeaders !== undefined || typeof responseHeaders !== 'function')
      return { headers: this.fixedHeaders ?? [], contentType: this.fixedType };
    const lines = (await responseHeaders(context())).map(headerLine);
    const problem = problemIn(lines);
    if (problem !== undefined) throw new TypeError(`responseHeaders: ${problem}`);
    return { headers: this.#whole(lines), contentType: typeIn(lines) };
  }

  /**
   * The headers of every answer and those of this one, which scripts of other origins may read, too.
   *
   * @param own replace others of the same name, unless they are another server's
   * @throws TypeError for a line that cannot be sent
   */
  joined(headers: HeaderLines, own: HeaderLines, isForwarded = false): HeaderLines {
    if (own.length === 0) return headers;
    const problem = problemIn(own);
    if (problem !== undefined) throw new TypeError(problem);
    const [line] = own;
    const isUsual = own.length === 1 && headers === this.fixedHeaders && !isForwarded;
    if (isUsual && line !== undefined && isReplaced(line[0].toLowerCase()))
      return [...this.#headersBeside(line[0], headers), line];
    return this.#joined(headers, own, isForwarded);
  }

  /** The headers of every answer. Scripts of other origins may read those of a deprecation. @param given the user's own */
  #whole(given: HeaderLines): HeaderLines {
    const lines = [...this.#securityHeaders, ...ownLines(given).filter((line) => !isContentType(line))];
    const all = this.variesByAccept ? merged(lines, [['Vary', 'Accept']]) : lines;
    const told = this.#deprecation.length === 0 ? all : this.#joined(all, this.#deprecation, false);
    const { limits, securityHeaders } = this.settings;
    if (limits.length === 0) return told;
    const { exposed } = new LimitHeaders(limits);
    return merged(
      told,
      securityHeaders.flatMap((one) => one.exposingHeaders?.(exposed) ?? []),
    );
  }

  /** The headers that stand beside one that the library gives: worked out once, when it is first asked for. */
  #headersBeside(name: string, headers: HeaderLines): HeaderLines {
    const known = this.#beside.get(name);
    if (known !== undefined) return known;
    const made = this.#madeBeside([name], headers);
    this.#beside.set(name, made);
    return made;
  }

  #madeBeside(names: readonly string[], headers: HeaderLines): HeaderLines {
    const own = names.map((name): HeaderLine => [name, '']);
    return Object.freeze(this.#joined(headers, own, false).slice(0, -names.length));
  }

  #joined(headers: HeaderLines, own: HeaderLines, isForwarded: boolean): HeaderLines {
    const lines = ownLines(own);
    const exposed = lines.map(([name]) => name).filter((name) => exposable.has(name.toLowerCase()));
    const exposing =
      exposed.length === 0
        ? []
        : this.settings.securityHeaders.flatMap((one) => one.exposingHeaders?.(exposed) ?? []);
    const usual = exposing.length === 0 ? headers : merged(headers, exposing);
    return isForwarded ? replacedLines(lines, usual) : replacedLines(usual, lines);
  }
}

/** Headers of single answers that tell a client something it may need; no script of another origin reads them unasked. */
const exposable: ReadonlySet<string> = new Set([
  'deprecation',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'retry-after',
  'sunset',
  'x-consistency',
  'x-total-count',
]);

/** True for one of {@link exposable} that replaces others of its name: links add up. */
function isReplaced(name: string): boolean {
  return name !== 'link' && exposable.has(name);
}

function formatOf({ answers, externalCasing }: InheritedSettings): AnswerFormat {
  const format = answers.format(answerPlace(externalCasing));
  const { contentType, refusalType } = format;
  const problem = problemIn([
    ['contentType', contentType],
    ['refusalType', refusalType],
  ]);
  if (problem !== undefined) throw new ConfigurationError(answers.constructor.name, 'format', problem);
  return format;
}

/** A list with the entries of another that it has not. */
function listed(list: string, more: string): string {
  const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim());
  const known = new Set(entriesOf(list).map((entry) => entry.toLowerCase()));
  const added = entriesOf(more).filter((entry) => !known.has(entry.toLowerCase()));
  return [list, ...added].join(', ');
}

/** Lists of names add up: the user's own may expose others. */
function merged(headers: HeaderLines, lists: HeaderLines): HeaderLines {
  const added = new Map(lists.map(([name, value]) => [name.toLowerCase(), value]));
  const joined = headers.map(([name, value]): HeaderLine => {
    const more = added.get(name.toLowerCase());
    return [name, more === undefined ? value : listed(value, more)];
  });
  const known = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...joined, ...lists.filter(([name]) => !known.has(name.toLowerCase()))];
}
