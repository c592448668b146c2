import type { CanaryKeys } from '../../shared/contract/collection.ts';

/** A deployment as the checks see it: an address, and the keys of the workspace of its canary. */
export type Deployment = { readonly url: string; readonly keys: CanaryKeys };

/** What was seen, and whether it is what the service was made for. */
export type Finding = { readonly holds: boolean; readonly saw: string };

/** The response, from the function or from API Gateway before it. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The code of the error envelope; null of any other body. */
  readonly code: string | null;
  readonly milliseconds: number;
};

type Question = {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

/** Asks once, without trying again. Answers status 0 if the connection ended without an answer. */
export async function ask(url: string, { method = 'GET', token, headers = {}, body }: Question = {}): Promise<Answer> {
  const start = performance.now();
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - start);
    return { status: response.status, headers: response.headers, text, code: codeOf(text), milliseconds };
  } catch (error) {
    const text = error instanceof Error ? String(error.cause ?? error) : '';
    return { status: 0, headers: new Headers(), text, code: null, milliseconds: Math.round(performance.now() - start) };
  }
}

function codeOf(text: string): string | null {
  try {
    const { code } = JSON.parse(text).detail;
    return typeof code === 'string' ? code : null;
  } catch {
    // No JSON, or no envelope.
    return null;
  }
}

/** An answer in short: its status, and its code where it is a refusal. */
export const inShort = ({ status, code, milliseconds }: Answer): string =>
  `${status === 0 ? 'no answer' : status}${code === null ? '' : ` ${code}`} in ${milliseconds} ms`;
