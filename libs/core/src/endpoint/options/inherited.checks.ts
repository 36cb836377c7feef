import { authentication } from '../../access/authentication.check.js';
import { authorization } from '../../access/authorization.check.js';
import { securityHeaders } from '../../access/security.header.check.js';
import {
  boolean,
  filledText,
  instanceOf,
  listOf,
  oneOfTexts,
  text,
  wholeNumber,
} from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';
import { isClass } from '../../options/shown.value.js';
import { casings } from '../../wire/casing.js';
import { headerLine, problemIn } from '../../wire/header.lines.js';
import { Answers } from '../answers/answers.js';
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

/** The checks of what members of a group inherit. */
export const inheritedChecks = {
  responseHeaders,
  securityHeaders,
  authentication,
  timeout: milliseconds,
  stallTimeout: milliseconds,
  authorization,
  tag: filledText,
  hidden: boolean,
  internalCasing: oneOfTexts(...casings),
  externalCasing: oneOfTexts(...casings),
  answers: instanceOf('answers, whose class extends Answers', Answers, 'e.g. new PlainAnswers()'),
} as const satisfies ChecksOf<InheritedOptions>;
