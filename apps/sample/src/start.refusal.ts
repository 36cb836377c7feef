/** A reason not to start that the person at the keyboard can mend; its message is all that is printed. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
