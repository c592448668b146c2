export type ToThread =
  | {
      readonly kind: 'invoke';
      readonly id: string;
      readonly event: unknown;
      readonly deadline: number;
      readonly trace: string | null;
    }
  /** The last chunk of a streamed reply was taken, or its reader has gone. */
  | { readonly kind: 'taken'; readonly id: string; readonly gone: boolean };

export type ResponseHead = { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };

export type FromThread =
  | { readonly kind: 'head'; readonly id: string; readonly head: ResponseHead }
  | { readonly kind: 'chunk'; readonly id: string; readonly chunk: Uint8Array }
  | { readonly kind: 'done'; readonly id: string; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: string; readonly error: string };

export type ThreadData = {
  readonly file: string;
  readonly name: string;
  readonly arn: string;
  readonly memoryMiB: number;
};
