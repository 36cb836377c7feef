import { expect, test } from '@jest/globals';
import { PlainAnswers, StandardAnswers } from '@nest-endpoints/core';
import type { AnswerFormat, AnswerPlace } from '@nest-endpoints/core/kinds';
import { startUpError } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';

test('PlainAnswers beside an inputErrorsStatus of a success stop the start', async () => {
  const message = await startUpError(
    libraryWith([books({ answers: new PlainAnswers() })], { root: { inputErrorsStatus: 200 } }),
  );
  expect(message).toMatch(/^RestfulApi 'books': answers: PlainAnswers .*400 to 499, not 200$/);
});

test('A format whose content type cannot be sent stops the start', async () => {
  class Odd extends StandardAnswers {
    override format(place: AnswerPlace): AnswerFormat {
      const format = super.format(place);
      return {
        contentType: 'a\nb',
        refusalType: 'application/json',
        success: (data) => format.success(data),
        refusal: (facts) => format.refusal(facts),
      };
    }
  }
  expect(await startUpError(libraryWith([books({ answers: new Odd() })]))).toMatch(
    /^Odd: format: .*contentType: a\\nb/,
  );
});

test('Answers that are none stop the start, with an example of what they may be', async () => {
  for (const answers of ['plain', {}, PlainAnswers, null])
    expect(await startUpError(libraryWith([books()], { root: { answers } as object }))).toMatch(
      /^EndpointsModule.forRoot: answers: .*allowed: answers, whose class extends Answers, e.g. new PlainAnswers\(\)$/,
    );
});
