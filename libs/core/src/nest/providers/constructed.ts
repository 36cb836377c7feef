import 'reflect-metadata';
import type { ForwardReference, InjectionToken, Type } from '@nestjs/common';
import {
  OPTIONAL_DEPS_METADATA,
  PARAMTYPES_METADATA,
  PROPERTY_DEPS_METADATA,
  SELF_DECLARED_DEPS_METADATA,
} from '@nestjs/common/constants.js';

/** A token as `@Inject()` and TypeScript leave it on a class; a `forwardRef` says it when it is asked. */
type Declared = InjectionToken | ForwardReference<() => InjectionToken>;
type Find = (token: InjectionToken) => Promise<unknown>;

/**
 * Makes an instance of a class. Its constructor and properties get what they inject from any module of the application.
 * Nest itself would look in one module, and a class that is only listed belongs to none.
 */
export async function constructed(type: Type, find: Find): Promise<object> {
  const optional = new Set(listed(OPTIONAL_DEPS_METADATA, type) as number[]);
  const parameters = [...(listed(PARAMTYPES_METADATA, type) as Declared[])];
  for (const { index, param } of listed(SELF_DECLARED_DEPS_METADATA, type) as DeclaredParameter[])
    parameters[index] = param;
  const values = parameters.map((declared, index) => {
    const found = find(tokenOf(declared));
    return optional.has(index) ? found.catch(() => undefined) : found;
  });
  const instance = new type(...(await Promise.all(values))) as object;
  for (const { key, type: declared } of listed(PROPERTY_DEPS_METADATA, type) as DeclaredProperty[])
    Reflect.set(instance, key, await find(tokenOf(declared)));
  return instance;
}

interface DeclaredParameter {
  readonly index: number;
  readonly param: Declared;
}

interface DeclaredProperty {
  readonly key: string;
  readonly type: Declared;
}

function tokenOf(declared: Declared): InjectionToken {
  return typeof declared === 'object' && 'forwardRef' in declared ? declared.forwardRef() : declared;
}

function listed(key: string, type: Type): readonly unknown[] {
  return (Reflect.getMetadata(key, type) as readonly unknown[] | undefined) ?? [];
}
