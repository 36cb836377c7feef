import { recase, type Casing } from '../../wire/casing.js';
import type { AnswerPlace } from './answers.js';

/** Makes the place of answers in a casing. */
export function answerPlace(casing: Casing): AnswerPlace {
  return { casing, word: (name) => recase(name, 'snake_case', casing) };
}
