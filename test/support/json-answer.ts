export type Json = Readonly<Record<string, unknown>>;

type Reply = { readonly status: number; readonly body: unknown };

/** A reply as JSON, `{}` where it has no body, and the code of its error (C-ERROR-1), null if it is none. */
export function jsonAnswer<Body extends Json = Json>({ status, body }: Reply) {
  const text = String(body);
  const json = (text === '' ? {} : JSON.parse(text)) as Body;
  return { status, text, json, code: (json['detail'] as { code?: string } | undefined)?.code ?? null };
}
