import type * as v from 'valibot';
import type { WorkspaceId } from '../contract/ids.ts';
import type { ParamsOf, Route } from '../contract/route.ts';
import type { Caller } from '../domain/workspaces/access/authenticate.ts';

export type RouteTable = Readonly<Record<string, Route>>;

type None = Readonly<Record<string, never>>;
type FieldsOf<R, Place extends string> = R extends { readonly [P in Place]: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : None;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type RequestOf<R extends Route> = {
  readonly requestId: string;
  readonly now: Date;
  readonly params: ParamsOf<R['path']>;
  readonly query: FieldsOf<R, 'query'>;
  readonly headers: FieldsOf<R, 'headers'>;
  /** The validated JSON of a `json` body. */
  readonly body: R extends {
    readonly body: { readonly kind: 'json'; readonly schema: infer S extends v.GenericSchema };
  }
    ? v.InferOutput<S>
    : null;
  /** Of all that the document in the body holds; the body has as much of it as is read. */
  readonly documentDigest: R extends { readonly body: { readonly document: string } } ? string : null;
  /** The body as it was received, compressed where it came so. */
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The address of the service, without a final slash. */
  readonly base: string;
  readonly authorization: string | null;
  readonly contentEncoding: 'gzip' | null;
  readonly caller: R extends { readonly access: { readonly kind: 'member' | 'signed_in' } } ? Caller : null;
  /** The workspace that the caller was let into. */
  readonly workspace: R extends { readonly access: { readonly kind: 'member' } } ? WorkspaceId : null;
};

type Headers = Readonly<Record<string, string>>;
type Bytes = { readonly bytes: string | Uint8Array | AsyncIterable<string | Uint8Array> };
type Content<Declared> = Declared extends { readonly schema: infer S extends v.GenericSchema }
  ?
      | { readonly body: DeepReadonly<v.InferOutput<S>> }
      | (Declared extends { readonly alternative: string } ? Bytes : never)
  : Declared extends { readonly mediaType: string }
    ? Bytes
    : unknown;

type StatusOf<R extends Route> = keyof R['replies'] & number;

type ReplyOf<R extends Route> = {
  [Status in StatusOf<R>]: { readonly status: Status; readonly headers?: Headers } & Content<R['replies'][Status]>;
}[StatusOf<R>];

type IsOne<Status, All = Status> = Status extends unknown ? ([All] extends [Status] ? true : false) : never;

/** The only reply of a route, if it is JSON or has no content; of any other route never. */
type PlainReply<R extends Route> =
  IsOne<StatusOf<R>> extends true
    ? Exclude<R['replies'][StatusOf<R>], { readonly mediaType: string } | { readonly alternative: string }>
    : never;

/** Of a plain reply only the JSON, since the contract has its status; of other routes a whole reply. */
type ResultOf<R extends Route> = [PlainReply<R>] extends [never]
  ? Promise<ReplyOf<R>>
  : PlainReply<R> extends { readonly schema: infer S extends v.GenericSchema }
    ? Promise<DeepReadonly<v.InferOutput<S>>>
    : Promise<void>;

type Implementation<R extends Route> = (request: RequestOf<R>) => ResultOf<R>;

export type Reply = {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly bytes?: Bytes['bytes'];
};

/** The reply for an implementation's result: see `ResultOf`. */
export function replyOf({ replies }: Route, result: unknown): Reply {
  const [[status, only] = [], ...others] = Object.entries(replies);
  const isPlain = only && others.length === 0 && !('mediaType' in only) && !('alternative' in only);
  return isPlain ? { status: Number(status), body: result } : (result as Reply);
}

export type Implementations<T extends RouteTable> = { readonly [Name in keyof T]: Implementation<T[Name]> };
