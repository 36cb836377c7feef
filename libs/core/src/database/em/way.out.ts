/** Says why what stands outside of the transaction must not be asked now; undefined where it may. */
export type ReasonAgainst = () => Error | undefined;

/** The ways of an entity manager to the database, its own statements aside. */
interface Doors {
  /** The methods that ask the database: by themselves, unless they are given a transaction. */
  readonly asking: ReadonlySet<PropertyKey>;
  /** The methods among them that give no promise. */
  readonly prompt: ReadonlySet<PropertyKey>;
}

type Method = (...values: readonly unknown[]) => unknown;

/** The doors of a connection of MikroORM's. */
export const connectionDoors: Doors = {
  asking: new Set([
    'begin',
    'callRoutine',
    'execute',
    'executeDump',
    'getClient',
    'getNativeClient',
    'stream',
    'transactional',
  ]),
  prompt: new Set(['getClient', 'stream']),
};

/** The doors of a driver of MikroORM's. */
export const driverDoors: Doors = {
  asking: new Set([
    'count',
    'countVirtual',
    'createEntityManager',
    'createQueryBuilder',
    'execute',
    'find',
    'findOne',
    'findVirtual',
    'loadFromPivotTable',
    'lockPessimistic',
    'nativeClone',
    'nativeDelete',
    'nativeInsert',
    'nativeInsertMany',
    'nativeUpdate',
    'nativeUpdateMany',
    'stream',
    'streamVirtual',
    'syncCollections',
  ]),
  prompt: new Set(['createEntityManager', 'createQueryBuilder', 'stream', 'streamVirtual']),
};

/**
 * Gives the connection or driver, but what it asks of the database stays within a transaction, or is refused for the
 * reason that there is.
 *
 * @param through what another method gives instead, by its name
 */
export function wayOut<T extends object>(
  inner: T,
  { asking, prompt }: Doors,
  reasonAgainst: ReasonAgainst,
  through: Readonly<Record<string, Method>> = {},
): T {
  return new Proxy(inner, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(through, name)) return through[name];
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as Method;
      if (!asking.has(name)) return method;
      return (...values: readonly unknown[]): unknown => {
        const reason = values.some(isWithin) ? undefined : reasonAgainst();
        if (reason === undefined) return method(...values);
        if (prompt.has(name)) throw reason;
        return Promise.reject(reason);
      };
    },
  });
}

/** True if a value is a transaction, or options that name one, or the session to begin one with. */
function isWithin(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isTransaction(value) || Reflect.get(value, 'sessionContext') !== undefined) return true;
  const transaction: unknown = Reflect.get(value, 'ctx');
  return typeof transaction === 'object' && transaction !== null && isTransaction(transaction);
}

function isTransaction(value: object): boolean {
  return Reflect.get(value, 'isTransaction') === true;
}
