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

type ReplyOf<R extends Route> = {
  [Status in keyof R['replies'] & number]: { readonly status: Status; readonly headers?: Headers } & Content<
    R['replies'][Status]
  >;
}[keyof R['replies'] & number];

type Implementation<R extends Route> = (request: RequestOf<R>) => Promise<ReplyOf<R>>;

export type Implementations<T extends RouteTable> = { readonly [Name in keyof T]: Implementation<T[Name]> };
