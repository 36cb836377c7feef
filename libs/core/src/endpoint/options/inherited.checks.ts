import { authentication } from '../../access/authentication.check.js';
import { authorization } from '../../access/authorization.check.js';
import { limitsCheck } from '../../access/limits/limit.check.js';
import { securityHeaders } from '../../access/security.header.check.js';
import {
  boolean,
  check,
  filledText,
  instanceOf,
  isRecord,
  listOf,
  objectWith,
  oneOfTexts,
  text,
  wholeNumber,
} from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';
import { isClass } from '../../options/shown.value.js';
import { casings } from '../../wire/casing.js';
import { headerLine, problemIn } from '../../wire/header.lines.js';
import { Answers } from '../answers/answers.js';
import { deprecation } from '../versions/deprecation.check.js';
import type { InheritedOptions } from './endpoint.options.js';

const headerLines = listOf("headers, each 'key: value', or a function that gives one", text);

const responseHeaders: OptionCheck = {
  allowed: headerLines.allowed,
  complaint: (value) => {
    if (typeof value === 'function' && !isClass(value)) return undefined;
    return headerLines.complaint(value) ?? problemIn((value as readonly string[]).map(headerLine));
  },
};

const milliseconds = wholeNumber(0, undefined, 'milliseconds');

const describedTag = objectWith({ name: filledText, description: filledText }, ['name', 'description']);

const named = check(
  `${filledText.allowed}, or ${describedTag.allowed}`,
  (value) => filledText.complaint(value) === undefined,
);

/** The check of a tag. */
const tag: OptionCheck = {
  allowed: named.allowed,
  complaint: (value) => (isRecord(value) ? describedTag : named).complaint(value),
};

/** The checks of what members of a group inherit. */
export const inheritedChecks = {
  responseHeaders,
  securityHeaders,
  authentication,
  timeout: milliseconds,
  stallTimeout: milliseconds,
  authorization,
  tag,
  hidden: boolean,
  inBatches: boolean,
  deprecated: deprecation,
  limits: limitsCheck,
  internalCasing: oneOfTexts(...casings),
  externalCasing: oneOfTexts(...casings),
  answers: instanceOf('answers, whose class extends Answers', Answers, 'e.g. new PlainAnswers()'),
} as const satisfies ChecksOf<InheritedOptions>;
