import { of, Task } from '../contract/parted.shop.js';
import type { Subject } from '../support/contract.js';

/** Writes of tenants, and what was said of them. */
export class Acknowledged {
  readonly #created = new Set<string>();
  /** The rank that was acknowledged, by record. */
  readonly #ranks = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  #updates = 0;
  #isOver = false;

  constructor(private readonly subject: Subject) {}

  /** The number of writes. */
  get count(): number {
    return this.#created.size + this.#updates;
  }

  get refused(): readonly string[] {
    return [...this.#refused.keys()];
  }

  /** Creates records of a tenant and updates each, one request after the other, until it is told to end. */
  async write(tenant: string, from: number, urls: readonly string[], kind = ''): Promise<void> {
    const send = async (method: 'post' | 'patch', url: string, body: object): Promise<boolean> => {
      const { status } = await this.subject.request()[method](url).set(of(tenant)).send(body);
      if (status < 300) return true;
      const key = [kind, method, url.replace(/\d+$/, ':id'), status].join(' ').trim();
      this.#refused.set(key, (this.#refused.get(key) ?? 0) + 1);
      return false;
    };
    for (let id = from; !this.#isOver; id += 1) {
      const url = urls[id % urls.length] ?? '';
      const key = `${tenant} ${id}`;
      if (await send('post', url, { id, name: key })) this.#created.add(key);
      if (await send('patch', `${url}/${id}`, { rank: id })) {
        this.#updates += 1;
        this.#ranks.set(key, id);
      }
    }
  }

  end(): void {
    this.#isOver = true;
  }

  /** What was acknowledged and is not there. */
  async lost(): Promise<readonly string[]> {
    const stored = await this.subject.em().find(Task, {});
    const ranks = new Map(stored.map(({ tenant, id, rank }) => [`${tenant} ${id}`, rank]));
    const gone = [...this.#created].filter((key) => !ranks.has(key));
    const old = [...this.#ranks]
      .filter(([key, rank]) => ranks.get(key) !== rank)
      .map(([key]) => `rank of ${key}`);
    return [...gone, ...old];
  }

  toString(): string {
    const refused = JSON.stringify([...this.#refused]);
    return `${this.#created.size} creates and ${this.#updates} updates acknowledged; refused: ${refused}`;
  }
}
