/** What the service says of the page: `config.json`. */
export interface PageConfig {
  readonly title: string;
  /** The path of the OpenAPI document below the group of the page. */
  readonly schema: string;
  readonly resources?: readonly (string | ShownResource)[];
  readonly login?: 'token' | OidcLogin;
  /** The number of parts of the page's path from its group on. */
  readonly parts: number;
}

/** Records that the page is told to show. */
export interface ShownResource {
  readonly name: string;
  readonly label?: string;
  readonly columns?: readonly string[];
  readonly representation?: string;
  readonly references?: Readonly<Record<string, string>>;
}

export interface OidcLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope?: string;
}

/** The addresses that the page asks, told by its own. */
export interface PageAddresses {
  /** The address of the page, without the part behind the hash. */
  readonly page: string;
  /** The address of the service. */
  readonly service: string;
  /** The address of the OpenAPI document. */
  readonly schema: string;
}

/** Reads what stands beside the script. */
export async function readConfig(): Promise<PageConfig> {
  const response = await fetch(new URL('config.json', import.meta.url));
  if (!response.ok) throw new Error(`The page cannot be set up: ${response.status}`);
  return (await response.json()) as PageConfig;
}

/** The service stands where the parts of the page's path begin that it knows: what is before them is a proxy's. */
export function addressesOf({ parts, schema }: PageConfig): PageAddresses {
  const path = location.pathname.split('/').filter((part) => part !== '');
  const depth = Number(document.querySelector<HTMLMetaElement>('meta[name="admin-depth"]')?.content);
  const below = (left: number): string => `${location.origin}/${path.slice(0, left).join('/')}`;
  const group = below(path.length - parts).replace(/\/$/, '');
  return {
    page: below(path.length),
    service: below(path.length - depth).replace(/\/$/, ''),
    schema: `${group}/${schema.replace(/^\/+/, '')}`,
  };
}
