import { check, either, filledText, isRecord, objectWith, oneOfTexts } from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';
import { RoutePattern } from '../route.pattern.js';
import type { DeprecationOptions } from './deprecation.options.js';

/** A date, or a date with a time and its zone: a time without one means another moment on each machine. */
const dateForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The characters of a url (RFC 3986, 2). Others could end the link that it stands in. */
const urlForm = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

const date = check("a date of ISO 8601, e.g. '2027-06-30' or '2027-06-30T12:00:00Z'", isDate);

const target = check(
  'a url, or an endpoint or group of the application',
  (value) =>
    isUrl(value) || (Object(value) as { readonly pattern?: unknown }).pattern instanceof RoutePattern,
);

const checks = {
  since: date,
  sunset: date,
  link: target,
  successor: target,
  reason: filledText,
  afterSunset: oneOfTexts('serve', 'gone'),
} as const satisfies ChecksOf<DeprecationOptions>;

const described = objectWith(checks, ['since']);

const allowed = either(
  `false, or ${described.allowed}`,
  check('', (value) => value === false || isRecord(value)),
);

/** The check of `deprecated`. */
export const deprecation: OptionCheck = {
  allowed: allowed.allowed,
  complaint: (value) => {
    if (!isRecord(value)) return allowed.complaint(value);
    return described.complaint(value) ?? contradiction(value as unknown as DeprecationOptions);
  },
};

function contradiction({ since, sunset, afterSunset }: DeprecationOptions): string | undefined {
  if (sunset === undefined)
    return afterSunset === 'gone' ? "'sunset' is required where afterSunset is 'gone'" : undefined;
  if (Date.parse(sunset) >= Date.parse(since)) return undefined;
  return `'sunset': '${sunset}' is before since, '${since}'`;
}

/** No day that a month has not: Date would take the next one. */
function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !dateForm.test(value) || Number.isNaN(Date.parse(value))) return false;
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && urlForm.test(value) && URL.canParse(value, 'http://localhost');
}
