/** A reason to make nothing, in words for whoever typed the command. */
export class Refusal extends Error {
  /** 2: the command cannot be meant as it was typed. 1: it can, but not carried out. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
