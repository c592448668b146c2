import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { answerOf, refusalOf } from '../../../local/codehost/fake-host.ts';
import type { HostState } from '../../../local/codehost/state.ts';
import { signatureHeader } from '../../../shared/domain/notifications/attempt-webhook.ts';

type Asked = {
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
  answer<T>(asked: object): Promise<T> | null {
    return 'url' in asked ? (this.fetch(asked as Asked) as Promise<T>) : null;
  }

  async fetch(asked: Asked): Promise<Response> {
    return asked.url === receiverUrl ? this.#receive(asked) : this.#askHost(asked);
  }

  #receive({ headers = {}, body = '' }: Asked): Response {
    if (this.isReceiverDown) return new Response(null, { status: 503 });
    const [, seconds = '', signature] = /^t=(\d+),v1=(.*)$/.exec(headers[signatureHeader] ?? '') ?? [];
    const expected = createHmac('sha256', this.#webhookSecret).update(`${seconds}.${body}`).digest('hex');
    this.received.push({ ...v.parse(Told, JSON.parse(body)), isSigned: signature === expected });
    return new Response(null, { status: 204 });
  }

  async #askHost({ url, method = 'GET', headers = {}, body = '' }: Asked): Promise<Response> {
    const asked = { method, url: new URL(url), headers: Object.fromEntries(new Headers(headers)), body };
    const { status, body: told, headers: more } = await answerOf(this.host, asked).catch(refusalOf);
    const text = Buffer.isBuffer(told) ? new Uint8Array(told) : told === undefined ? null : JSON.stringify(told);
    return new Response(text, { status, headers: { 'content-type': 'application/json; charset=utf-8', ...more } });
  }
}
