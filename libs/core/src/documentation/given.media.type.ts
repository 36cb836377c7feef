import type { AnswerDescription } from '../endpoint/description/operation.description.js';
import type { InheritedSettings } from '../endpoint/options/settings.js';
import { headerLine, typeIn } from '../wire/header.lines.js';

/** Gives a raw answer the media type that `responseHeaders` give it: any where a function of the user's may. */
export function ofGivenType(
  answer: AnswerDescription,
  { responseHeaders }: Pick<InheritedSettings, 'responseHeaders'>,
): AnswerDescription {
  if (answer.kind !== 'raw') return answer;
  const given = typeof responseHeaders === 'function' ? '*/*' : typeIn(responseHeaders.map(headerLine));
  if (given === undefined) return answer;
  const [mediaType = given] = given.split(';');
  const [schema, ...others] = Object.values(answer.content);
  return { ...answer, content: { [mediaType.trim()]: others.length === 0 ? (schema ?? {}) : {} } };
}
