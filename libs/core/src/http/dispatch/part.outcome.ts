import type { RefusalFacts } from '../../wire/answer.format.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { Pagination } from '../../wire/pagination.js';
import type { RequestFigures } from '../observation/request.figures.js';

interface Success {
  readonly statusCode: number;
  /** The JSON text of the data. */
  readonly data: string;
  readonly pagination: Pagination | undefined;
  readonly entityTag: string | undefined;
}

interface Refused {
  readonly facts: RefusalFacts & { readonly headers: HeaderLines };
  readonly error: unknown;
}

/** Outcome of a request that is a part of another one, before it is written in a format: the whole has one of its own. */
export class PartOutcome {
  success: Success | undefined;
  refused: Refused | undefined;

  /**
   * @param whole the figures of the whole request; undefined where nobody wants to know
   * @param isAlone true if observers hear of it as of any request
   * @param isRepeated true if limits have counted it before
   */
  constructor(
    readonly whole: RequestFigures | undefined,
    readonly isAlone = false,
    readonly isRepeated = false,
  ) {}
}
