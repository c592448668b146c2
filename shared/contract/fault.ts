/**
 * An error of the project's own, for what should not happen: a stable code, and a message that may be logged because
 * it never holds a value that a caller sent. What a caller did wrong is a `Problem`.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
