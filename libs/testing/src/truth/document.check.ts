import { envelopeOf } from '@nest-endpoints/core/internal';
import type { OpenApiDocument, OpenApiObject } from '@nest-endpoints/openapi';
import { DocumentOperations, escaped, type FoundOperation } from './document.operations.js';
import type { Exchange } from './exchange.js';
import { RequestCheck } from './request.check.js';
import { SchemaValidator } from './schema.validator.js';

/** The result of a check. */
export interface Verdict {
  /** True if the document has an operation for the request; others are not judged. */
  readonly isDocumented: boolean;
  /** Sentences about what the document does not tell. */
  readonly problems: readonly string[];
}

const undocumented: Verdict = { isDocumented: false, problems: [] };

/** Compares requests and answers with the document that describes them. */
export class DocumentCheck {
  readonly #operations: DocumentOperations;
  readonly #answers: SchemaValidator;
  readonly #requests: RequestCheck;

  constructor(document: OpenApiDocument) {
    this.#operations = new DocumentOperations(document);
    this.#answers = new SchemaValidator(document);
    this.#requests = new RequestCheck(document);
  }

  /**
   * Every answer must be described, and so must every request that was accepted.
   * @param withRequest whether the request is judged, too
   */
  judge(exchange: Exchange, withRequest = true): Verdict {
    const { method, target, status } = exchange;
    const found = this.#operations.find(method, pathOf(target));
    const verdicts = found.map((operation) => this.#problems(operation, exchange, withRequest));
    const best = verdicts.find((problems) => problems.length === 0) ?? verdicts[0];
    if (best === undefined) return undocumented;
    return {
      isDocumented: true,
      problems: best.map((problem) => `${method} ${target} → ${status}: ${problem}`),
    };
  }

  #problems(found: FoundOperation, exchange: Exchange, withRequest: boolean): string[] {
    const problems = this.#answerProblems(found, exchange);
    return withRequest && isSuccess(exchange)
      ? [...problems, ...this.#requests.problems(found, exchange)]
      : problems;
  }

  #answerProblems({ operation, pointer }: FoundOperation, exchange: Exchange): string[] {
    const { method, status, contentType, body } = exchange;
    const responses = operation['responses'] as Readonly<Record<string, OpenApiObject>>;
    const key = Object.hasOwn(responses, String(status)) ? String(status) : 'default';
    const response = Object.hasOwn(responses, key) ? responses[key] : undefined;
    if (response === undefined) return ['the document has no such status'];
    if (method === 'HEAD') return body === '' ? [] : ['an answer to HEAD has a body'];
    const mediaType = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const content = (response['content'] ?? {}) as OpenApiObject;
    const range = [mediaType, mediaType.replace(/\/.*/, '/*'), '*/*'].find((one) =>
      Object.hasOwn(content, one),
    );
    if (range === undefined) return body === '' ? [] : [`the document has no '${mediaType}' there`];
    const value = /[/+]json$/.test(mediaType) ? parsed(body) : body;
    if (value === undefined) return ['the body is not JSON'];
    return this.#answers.problems(`${pointer}/responses/${key}/content/${escaped(range)}/schema`, value);
  }
}

/** Input errors may have the status of a success, so the envelope decides where there is one. */
function isSuccess({ status, body }: Exchange): boolean {
  if (status < 200 || status > 299) return false;
  return envelopeOf(parsed(body))?.isSuccess ?? true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target;
}
