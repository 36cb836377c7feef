import type { AnswerFormat } from '../../wire/answer.format.js';
import { PlainWriter } from '../../wire/plain.writer.js';
import { Answers, type AnswerPlace, type AnswerSchemas } from './answers.js';
import { plainSchemas } from './plain.schemas.js';

/**
 * Plain answers: the data alone, without an envelope. A page tells of those around it in `Link` (RFC 8288) and of the total in
 * `X-Total-Count`. Errors are problem details (RFC 9457), input errors by JSON pointer in `errors`.
 *
 * @example
 * EndpointsModule.forRoot({ answers: new PlainAnswers() })
 */
export class PlainAnswers extends Answers {
  override readonly linksPages = true;

  override format({ word }: AnswerPlace): AnswerFormat {
    return new PlainWriter(word);
  }

  override schemas(): AnswerSchemas {
    return plainSchemas;
  }
}
