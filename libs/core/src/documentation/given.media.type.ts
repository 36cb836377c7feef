import type { AnswerDescription } from '../endpoint/description/operation.description.js';
import type { InheritedSettings } from '../endpoint/options/settings.js';
import { headerLine, typeIn } from '../wire/header.lines.js';

/** Gives a raw answer the media type that `responseHeaders` give it: another one, maybe, where a function of the user's makes them. */
export function ofGivenType(
  answer: AnswerDescription,
  { responseHeaders }: Pick<InheritedSettings, 'responseHeaders'>,
): AnswerDescription {
  if (answer.kind !== 'raw' || answer.takesType !== true) return answer;
  if (typeof responseHeaders === 'function') return { ...answer, content: { ...answer.content, '*/*': {} } };
  const given = typeIn(responseHeaders.map(headerLine));
  if (given === undefined) return answer;
  const [mediaType = given] = given.split(';');
  const [schema = {}] = Object.values(answer.content);
  return { ...answer, content: { [mediaType.trim()]: schema } };
}
