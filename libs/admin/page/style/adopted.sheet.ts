import createCache, { type EmotionCache } from '@emotion/cache';

/**
 * A style sheet of emotion that a policy without inline styles allows: rules go into a sheet that the document adopts, never
 * into an element.
 */
class AdoptedSheet {
  readonly isSpeedy = true;
  readonly tags: readonly HTMLStyleElement[] = [];
  readonly ctr = 0;
  readonly nonce: string | undefined = undefined;
  before: Element | null = null;
  readonly key: string;
  readonly container: Node;
  #sheet: CSSStyleSheet | undefined;

  constructor({ key, container }: { readonly key: string; readonly container: Node }) {
    this.key = key;
    this.container = container;
  }

  insert(rule: string): void {
    const sheet = (this.#sheet ??= adopted());
    try {
      sheet.insertRule(rule, sheet.cssRules.length);
    } catch {
      // Rules for other browsers, which this one does not know.
    }
  }

  flush(): void {
    const { adoptedStyleSheets } = document;
    document.adoptedStyleSheets = adoptedStyleSheets.filter((one) => one !== this.#sheet);
    this.#sheet = undefined;
  }

  hydrate(): void {
    // Nothing is written on a server.
  }
}

function adopted(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  return sheet;
}

/** The cache that all styles of the page go through. */
export function adoptedCache(): EmotionCache {
  const cache = createCache({ key: 'admin' });
  const sheet = new AdoptedSheet({ key: cache.key, container: document.head });
  return Object.assign(cache, { sheet: sheet as unknown as EmotionCache['sheet'] });
}
