/** An answer of the fake host: JSON, or bytes. */
export type HostAnswer = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A refusal, in the form of GitHub's REST interface. */
export class HostRefusal extends Error {
  readonly answer: HostAnswer;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.answer = {
      status,
      headers,
      body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
    };
  }
}

export const ok = (body: unknown, status = 200): HostAnswer => ({ status, body });

export const notFound = (): HostRefusal => new HostRefusal(404, 'Not Found');

/** The thing, or the host's 404. */
export function required<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}
