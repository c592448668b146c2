import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { answerOf, refusalOf } from '../../../local/codehost/fake-host.ts';
import type { HostState } from '../../../local/codehost/state.ts';
import { signatureHeader } from '../../../shared/domain/notifications/attempt-webhook.ts';

type RecordedQuery = {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const Told = v.object({ id: v.string(), type: v.string(), summary: v.string() });
type Received = v.InferOutput<typeof Told> & { readonly isSigned: boolean };

export const receiverName = 'receiver.test';
/** Where the receiver of webhooks is; whatever else is asked is the code host. */
export const receiverUrl = `https://${receiverName}/hook`;

/** Whom the service asks over the Internet in one run: a receiver of webhooks, and a code host. */
export class OtherServices {
  readonly host: HostState;
  /** All that the receiver was sent and took. */
  readonly received: Received[] = [];
  /** Whether the receiver takes nothing. */
  isReceiverDown = false;
  readonly #webhookSecret: string;

  constructor(host: HostState, webhookSecret: string) {
    this.host = host;
    this.#webhookSecret = webhookSecret;
  }

  /** What is answered to a request that is no store's; null of any other. */
  answer<T>(request: object): Promise<T> | null {
    return 'url' in request ? (this.fetch(request as RecordedQuery) as Promise<T>) : null;
  }

  async fetch(request: RecordedQuery): Promise<Response> {
    return request.url === receiverUrl ? this.#receive(request) : this.#askHost(request);
  }

  #receive({ headers = {}, body = '' }: RecordedQuery): Response {
    if (this.isReceiverDown) return new Response(null, { status: 503 });
    const [, seconds = '', signature] = /^t=(\d+),v1=(.*)$/.exec(headers[signatureHeader] ?? '') ?? [];
    const expected = createHmac('sha256', this.#webhookSecret).update(`${seconds}.${body}`).digest('hex');
    this.received.push({ ...v.parse(Told, JSON.parse(body)), isSigned: signature === expected });
    return new Response(null, { status: 204 });
  }

  async #askHost({ url, method = 'GET', headers = {}, body = '' }: RecordedQuery): Promise<Response> {
    const query = { method, url: new URL(url), headers: Object.fromEntries(new Headers(headers)), body };
    const { status, body: reported, headers: more } = await answerOf(this.host, query).catch(refusalOf);
    const text = Buffer.isBuffer(reported)
      ? new Uint8Array(reported)
      : reported === undefined
        ? null
        : JSON.stringify(reported);
    return new Response(text, { status, headers: { 'content-type': 'application/json; charset=utf-8', ...more } });
  }
}
