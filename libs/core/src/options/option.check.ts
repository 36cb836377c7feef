/** A check of one option: what may stand there, and what is wrong with what stands there. */
export interface OptionCheck {
  /** The allowed values, in words, e.g. `true, false`. */
  readonly allowed: string;
  /** The problem with a value, as the end of a sentence that begins with the option; undefined where there is none. */
  complaint(value: unknown): string | undefined;
}

/** The options of a kind: their names, and what each may hold. Whatever is not here is no option. */
export type OptionChecks = Readonly<Record<string, OptionCheck>>;

/** The checks of every option of an interface. An option that is added to the interface must be added to its table. */
export type ChecksOf<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck };
