import { optionChecks, type ChecksOf, type InheritedOptions } from '@nest-endpoints/core';

/** A login by OpenID Connect: the code flow with PKCE, for a public client. */
export interface AdminOidcLogin {
  /** The url of the identity provider, as its tokens name it. */
  readonly issuer: string;
  /** The id under which the provider knows the page. Its redirect url is the url of the page. */
  readonly clientId: string;
  /** The scopes to ask for, with spaces between them. Default `openid profile`. */
  readonly scope?: string;
  /** Further origins that the provider answers at, e.g. that of its token endpoint. Default that of the issuer alone. */
  readonly origins?: readonly string[];
}

/** Records that the page shows. */
export interface AdminResource {
  /** The path of the records, or an end of it that no other one has: `trips`. */
  readonly name: string;
  /** The heading. Default the name in words. */
  readonly label?: string;
  /** The columns of the list, by their names in answers: `title`, `city.name`. Default the first six that suit one. */
  readonly columns?: readonly string[];
  /** The column that a record is called by. Default `name`, `title` or the first text. */
  readonly representation?: string;
  /** The names of the records that columns refer to, by column, where names do not tell: `{ origin_id: 'cities' }`. */
  readonly references?: Readonly<Record<string, string>>;
}

/** Parameters of {@link AdminPage}. */
export interface AdminPageOptions extends Pick<
  InheritedOptions,
  'authentication' | 'authorization' | 'responseHeaders'
> {
  /** The path of the page; its last part must be a word. */
  readonly url: string;
  /** The title of the page. Default `Admin`. */
  readonly title?: string;
  /** The path of the OpenAPI document, from the group of the page on. Default `schema`. */
  readonly schema?: string;
  /** The records to show, in this order. Default all that the document lists. */
  readonly resources?: readonly (string | AdminResource)[];
  /** The way people say who they are: a token that they paste, or OpenID Connect. Default none. */
  readonly login?: 'token' | AdminOidcLogin;
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const issuer = optionChecks.check('a url of https (http for this machine alone) without a query', (value) => {
  const url = urlOf(value);
  if (url?.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname));
});

const origin = optionChecks.check(
  "an origin, e.g. 'https://login.example'",
  (value) => typeof value === 'string' && /^https?:/.test(value) && urlOf(value)?.origin === value,
);

const path = optionChecks.check("a path without a query, e.g. 'schema'", (value) => {
  if (typeof value !== 'string' || !/^[\w.~@$&=,;'/-]+$/.test(value)) return false;
  return !value.split('/').some((part) => part === '..' || part === '.') && !value.includes('//');
});

const oidc = optionChecks.objectWith(
  {
    issuer,
    clientId: optionChecks.filledText,
    scope: optionChecks.filledText,
    origins: optionChecks.listOf('origins', origin),
  } satisfies ChecksOf<AdminOidcLogin>,
  ['issuer', 'clientId'],
);

const resource = optionChecks.objectWith(
  {
    name: optionChecks.filledText,
    label: optionChecks.filledText,
    columns: optionChecks.names,
    representation: optionChecks.name,
    references: optionChecks.mapOf('an object of names of records', optionChecks.filledText),
  } satisfies ChecksOf<AdminResource>,
  ['name'],
);

/** The checks of the options that only an AdminPage has. */
export const adminChecks = {
  url: optionChecks.filledText,
  title: optionChecks.filledText,
  schema: path,
  resources: optionChecks.listOf('names of records, or objects with a name', {
    allowed: `a name, or ${resource.allowed}`,
    complaint: (value) => (typeof value === 'string' ? optionChecks.filledText : resource).complaint(value),
  }),
  login: {
    allowed: `'token', or ${oidc.allowed}`,
    complaint: (value) =>
      value === 'token'
        ? undefined
        : oidc.complaint(value)?.replace(/allowed: an/, "allowed: 'token', or an"),
  },
} as const satisfies ChecksOf<Omit<AdminPageOptions, keyof InheritedOptions>>;
