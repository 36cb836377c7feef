import type { AnswerFormat } from '../../wire/answer.format.js';
import { EnvelopeWriter } from '../../wire/envelope.writer.js';
import { Answers, type AnswerPlace, type AnswerSchemas } from './answers.js';
import { EnvelopeSchemas } from './envelope.schemas.js';

/** The standard envelope: five keys around everything (contract: Standard response envelope). The default. */
export class StandardAnswers extends Answers {
  /** The status word tells. */
  override readonly needsErrorStatus = false;

  override format({ casing }: AnswerPlace): AnswerFormat {
    return new EnvelopeWriter(casing);
  }

  override schemas({ casing }: AnswerPlace): AnswerSchemas {
    return new EnvelopeSchemas(casing);
  }
}
