/**
 * The items of an array as PostgreSQL writes it (PostgreSQL documentation, 8.15.6): texts, null, and the items of arrays
 * in it. The time it takes grows with the length of the text and with nothing else.
 *
 * @throws SyntaxError for anything else
 */
export function itemsOf(text: string): unknown[] {
  return new ArrayText(text).items();
}

class ArrayText {
  #at: number;
  #quote = 0;
  #escape = 0;

  constructor(private readonly text: string) {
    // Bounds that do not begin at 1 stand before the items: `[2:3]={a,b}`.
    this.#at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  }

  items(): unknown[] {
    const outer: unknown[][] = [];
    let items: unknown[] | undefined;
    while (this.#at < this.text.length) {
      const char = this.text[this.#at];
      if (char === '{') {
        const inner: unknown[] = [];
        items?.push(inner);
        if (items !== undefined) outer.push(items);
        items = inner;
      } else if (items === undefined) break;
      else if (char === '}') {
        const around = outer.pop();
        if (around === undefined) return this.#whole(items);
        items = around;
      } else if (char !== ',') {
        items.push(char === '"' ? this.#quoted() : this.#bare());
        continue;
      }
      this.#at += 1;
    }
    throw new SyntaxError('The database gave a text that is no array');
  }

  #whole(items: unknown[]): unknown[] {
    if (this.#at === this.text.length - 1) return items;
    throw new SyntaxError('The database gave an array with something behind it');
  }

  #bare(): string | null {
    const from = this.#at;
    while (this.#at < this.text.length && !',}'.includes(this.text.charAt(this.#at))) this.#at += 1;
    const item = this.text.slice(from, this.#at);
    return item === 'NULL' ? null : item;
  }

  #quoted(): string {
    let item = '';
    let from = ++this.#at;
    for (;;) {
      // Each is looked for once: what has been found is good until it is passed.
      if (this.#quote < this.#at) this.#quote = this.#next('"');
      if (this.#escape < this.#at) this.#escape = this.#next('\\');
      if (this.#quote < this.#escape) {
        item += this.text.slice(from, this.#quote);
        this.#at = this.#quote + 1;
        return item;
      }
      if (this.#escape === Infinity) throw new SyntaxError('The database gave an array without its end');
      item += this.text.slice(from, this.#escape);
      from = this.#escape + 1;
      this.#at = from + 1;
    }
  }

  #next(char: string): number {
    const found = this.text.indexOf(char, this.#at);
    return found === -1 ? Infinity : found;
  }
}
