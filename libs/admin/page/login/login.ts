/** The way in which people say who they are. */
export interface Login {
  /** The token that requests carry; undefined for none. @throws Error where nobody can tell now */
  token(): Promise<string | undefined>;
  /** The name of whoever has logged in. */
  name(): Promise<string | undefined>;
  /** Forgets who it was. It may leave the page. */
  leave(): Promise<void>;
  /** Leaves the page to log in elsewhere; undefined where the page itself asks for a token. */
  readonly goThere: (() => Promise<void>) | undefined;
  /** The reason why nobody could log in elsewhere; undefined where nobody has tried. */
  readonly problem: string | undefined;
  /** Takes a token that somebody has pasted. */
  readonly take: ((token: string) => void) | undefined;
}

/** Reads what a token says of its subject. Only to show it: nobody believes it but the service. */
export function subjectIn(token: string): string | undefined {
  try {
    const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    const { name, sub } = JSON.parse(new TextDecoder().decode(bytes)) as { name?: unknown; sub?: unknown };
    return [name, sub].find((one) => typeof one === 'string');
  } catch {
    return undefined;
  }
}
