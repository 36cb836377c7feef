import { createRequire } from 'node:module';
import { optional } from '../../options/missing.package.js';

type Class = abstract new (...parameters: never[]) => object;

/** The facts of class-transformer's `Expose`. */
interface Exposed {
  readonly name?: string;
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

interface TransformerStorage {
  findTypeMetadata(target: Class, property: string): { readonly typeFunction?: () => unknown } | undefined;
  findExposeMetadata(target: Class, property: string): { readonly options?: Exposed } | undefined;
}

const require = createRequire(import.meta.url);

/** The file in which class-transformer keeps what its decorators say. */
const storagePath = 'class-transformer/cjs/storage.js';

/** Reads the type from class-transformer's `Type`; undefined without it, or without the package. */
export function transformedType(type: Class, property: string): unknown {
  return storage()?.findTypeMetadata(type, property)?.typeFunction?.();
}

/** The name under which clients send a property: that of class-transformer's `Expose`, and without one its own. */
export function sentName(type: Class, property: string): string {
  const exposed = storage()?.findExposeMetadata(type, property)?.options;
  const isForClients = exposed?.toPlainOnly !== true || exposed.toClassOnly === true;
  return isForClients ? (exposed?.name ?? property) : property;
}

function storage(): TransformerStorage | undefined {
  const file = optional(
    () => require(storagePath) as { readonly defaultMetadataStorage: TransformerStorage },
  );
  return file?.defaultMetadataStorage;
}
