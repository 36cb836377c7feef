import { BoundedMemory } from './bounded.memory.js';

/** The parameters that say where a page begins. */
export type PagePosition = Readonly<Record<string, unknown>>;

/**
 * The cursors of pages that were read, by the number of records before the page behind them: whoever turns pages by their numbers
 * goes on where the page before ended. A deep page costs what the first one does then, and nothing is repeated or missed.
 */
export class PageMemory {
  readonly #positions = new BoundedMemory<PagePosition>();

  /** @param list the address and the parameters of the list, without those of the page */
  keep(list: string, start: number, position: PagePosition): void {
    this.#positions.put(placeOf(list, start), position);
  }

  /** The cursor of the page that begins behind so many records; undefined where none is known. */
  of(list: string, start: number): PagePosition | undefined {
    return this.#positions.get(placeOf(list, start));
  }

  /** Forgets a cursor that the service does not take. */
  forget(list: string, start: number): void {
    this.#positions.delete(placeOf(list, start));
  }
}

function placeOf(list: string, start: number): string {
  return `${String(start)}\n${list}`;
}
