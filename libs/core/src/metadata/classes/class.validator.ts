import { createRequire } from 'node:module';
import type { Constraint } from '../constraint.keywords.js';
import { isInstalled } from '../../options/missing.package.js';

/** A defect that class-validator finds in one property. */
export interface Issue {
  readonly property: string;
  /** The object, or list, that has the property. */
  readonly target?: object;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly Issue[];
}

interface ValidationOptions {
  readonly skipMissingProperties: boolean;
  readonly stopAtFirstError: boolean;
  readonly whitelist?: boolean;
  readonly forbidNonWhitelisted?: boolean;
  readonly forbidUnknownValues?: boolean;
}

/** The part of class-validator that we use. The package may not be installed. */
export interface ClassValidator {
  getMetadataStorage(): {
    getTargetValidationMetadatas(
      target: object,
      schema: string,
      always: boolean,
      strictGroups: boolean,
    ): readonly (Constraint & { readonly constraintCls?: object })[];
    getTargetValidatorConstraints(target: object | undefined): readonly { readonly async: boolean }[];
  };
  validate(object: object, options: ValidationOptions): Promise<Issue[]>;
  validateSync(object: object, options: ValidationOptions): Issue[];
}

const require = createRequire(import.meta.url);
const packageName = 'class-validator';

let found: { readonly library: ClassValidator | undefined } | undefined;

/** The global in which class-validator keeps what its decorators say, for all its copies in a process. */
const storageName = 'classValidatorMetadataStorage';

/** Gives class-validator where some class has its decorators. Otherwise it has nothing to tell, and is not loaded. */
export function usedClassValidator(): ClassValidator | undefined {
  return Object.hasOwn(globalThis, storageName) ? classValidator() : undefined;
}

/** class-validator; undefined where it is not installed. */
export function classValidator(): ClassValidator | undefined {
  found ??= {
    library: isInstalled(require, packageName) ? (require(packageName) as ClassValidator) : undefined,
  };
  return found.library;
}
