import * as v from 'valibot';
import { anyId, paging } from './fields.ts';
import type { ProblemCode } from './problems.ts';
import type { DeclaredKind, Role, TokenScope } from './vocabulary.ts';

/** The Lambda functions that serve routes, one a capability, each with its own role. */
export const httpFunctions = [
  'collect',
  'ingest',
  'uploads',
  'queries',
  'diff',
  'export',
  'policy',
  'access',
  'agent',
  'codehost',
  'webhooks',
  'system',
  'mcp',
] as const;
export type HttpFunction = (typeof httpFunctions)[number];

type Schema = v.GenericSchema<unknown, unknown>;
type Fields = v.GenericSchema<Record<string, unknown>, unknown>;

export type Access =
  /** A project key in the body: C-ERROR-7. */
  | { readonly kind: 'project_key' }
  | { readonly kind: 'public' }
  /** The host's signature of the body, which the implementation checks. */
  | { readonly kind: 'signature' }
  /** A bearer token; the workspace is not named by the request. */
  | { readonly kind: 'signed_in'; readonly scope: TokenScope }
  | {
      readonly kind: 'member';
      readonly scope: TokenScope;
      readonly role: Role;
      /** Where `workspace_id` stands. `query_or_token`: a workspace-bound token may leave it out. */
      readonly workspace: 'query' | 'body' | 'query_or_token';
      /** Refuses personal access tokens with `session_required`. */
      readonly session?: true;
    };

/** One JSON value, duplicate keys refused, validated by `schema`; `gzip` where a compressed body is taken. */
export type JsonBody<Value = unknown> = {
  readonly kind: 'json';
  readonly schema: v.GenericSchema<unknown, Value>;
  /** As received. */
  readonly maxBytes: number;
  readonly gzip?: true;
  /** A request without a body is one with an empty object. */
  readonly optional?: true;
  readonly maxInflatedBytes?: number;
  readonly example?: unknown;
  /** Numbers keep the digits that were sent, because the service answers them again (C-ARTIFACT-7). */
  readonly exact?: true;
  /** Holds a declared document, which is read an item at a time. */
  readonly document?: DeclaredKind;
};

export type DocumentBody<Value = unknown> = JsonBody<Value> & { readonly document: DeclaredKind };

export type Body =
  | JsonBody
  /** Bytes that the handler reads itself; `schema` describes the JSON that they hold. */
  | {
      readonly kind: 'bytes';
      readonly schema?: Schema;
      readonly maxBytes: number;
      readonly gzip?: true;
      /** What other media types hold. */
      readonly otherForms?: Readonly<Record<string, Schema>>;
      readonly example?: unknown;
    };

/** The general code of a check before the implementation, and the code that the family of routes says instead. */
type FamilyCodes = Readonly<
  Partial<Record<'invalid_json' | 'body_too_large' | 'unsupported_content_encoding', ProblemCode>>
>;

export type Reply =
  /** `alternative`: the media type of the bytes that the reply may hold instead of the JSON. */
  | { readonly description: string; readonly schema: Schema; readonly alternative?: string; readonly example?: unknown }
  | {
      readonly description: string;
      readonly mediaType: string;
      readonly content?: Schema;
      /** Beside those of every answer. */
      readonly headers?: readonly string[];
    }
  | { readonly description: string };

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As API Gateway writes it: `/v1/things/{thing_id}`. */
  readonly path: string;
  readonly aliases?: readonly string[];
  /** The paths that the description has, if senders also write a final slash. */
  readonly documentedPaths?: readonly string[];
  readonly function: HttpFunction;
  readonly summary: string;
  readonly access: Access;
  /** Its read units count as those of the scope `read` do (C-LIMIT-12). */
  readonly readsGraph?: true;
  /** Of the path: `servedBy` adds their schema. */
  readonly params?: Fields;
  readonly query?: Fields;
  readonly headers?: Fields;
  readonly body?: Body;
  readonly replies: Readonly<Record<number, Reply>>;
  /** Codes beside those of the checks that every route has. */
  readonly problems?: readonly ProblemCode[];
  readonly familyCodes?: FamilyCodes;
  /** The path that a 401 names, so that a client finds where to get a token (RFC 9728). */
  readonly resourceMetadata?: string;
  /** The reply is streamed as it is made. */
  readonly stream?: true;
};

export type FunctionRoutes = Readonly<Record<string, Omit<Route, 'function' | 'params'>>>;

export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Param in Name]: string } & ParamsOf<Rest>
  : unknown;

/** These are UUIDs. Any other id may be any text. */
const uuids: ReadonlySet<string> = new Set(['comparison_id', 'delivery_id', 'gap_id', 'provider_instance_id']);

function paramsOf(path: string): { readonly params?: Fields } {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const schemas = names.map((name) => [name, uuids.has(name) ? v.pipe(v.string(), v.uuid()) : anyId]);
  return names.length === 0 ? {} : { params: v.object(Object.fromEntries(schemas)) };
}

/** Any member of the workspace that the query names, with a token that may read. */
export const viewerAccess = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
/** An editor of the workspace that the body names. */
export const editorAccess = { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' } as const;
/** An administrator of the workspace that the query names. */
export const adminAccess = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;

/** What only names a workspace: a query, the query of a list that has pages, and a body. */
export const WorkspaceQuery = v.object({ workspace_id: anyId });
export const PageQuery = v.object({ workspace_id: anyId, ...paging });
export const WorkspaceBody = v.strictObject({ workspace_id: anyId });

export const servedBy = <const Name extends HttpFunction, const Table extends FunctionRoutes>(
  name: Name,
  table: Table,
) =>
  Object.fromEntries(
    Object.entries(table).map(([id, route]) => [id, { ...route, ...paramsOf(route.path), function: name }]),
  ) as {
    readonly [Id in keyof Table]: Table[Id] & { readonly function: Name; readonly params?: Fields };
  };

/** Every code that a route may answer: what its checks refuse, and what the route lists itself. */
export function problemsOf(route: Route): readonly ProblemCode[] {
  const checks = [...accessProblems(route.access), ...bodyProblems(route.body), ...fieldProblems(route)];
  const family: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = route.familyCodes ?? {};
  const all = [...checks, ...(route.problems ?? []), 'internal_error', ...unavailability(route.access)] as const;
  return [...new Set(all.map((code) => family[code] ?? code))];
}

function accessProblems(access: Access): readonly ProblemCode[] {
  switch (access.kind) {
    case 'member':
    case 'signed_in':
      return [
        'unauthorized',
        'workspace_token_mismatch',
        'pats_disabled',
        ...('session' in access ? (['session_required'] as const) : []),
        'insufficient_scope',
        'insufficient_workspace_role',
        'rate_limited',
      ];
    case 'signature':
      return ['unauthorized'];
    case 'project_key':
    case 'public':
      return [];
  }
}

function bodyProblems(body: Body | undefined): readonly ProblemCode[] {
  if (body === undefined) return [];
  return [
    'unsupported_media_type',
    'unsupported_content_encoding',
    'invalid_content_length',
    'body_too_large',
    ...(body.kind === 'json' ? (['invalid_json'] as const) : []),
    ...(body.kind === 'json' && body.gzip ? (['invalid_compression'] as const) : []),
  ];
}

/** Callers may name parameters that a route does not have (C-ERROR-14), and paths that cannot be decoded (C-ERROR-17). */
const fieldProblems = ({ access: { kind }, params, query, headers, body }: Route): readonly ProblemCode[] => [
  ...(kind === 'member' || kind === 'signed_in' || query || headers || body?.kind === 'json'
    ? (['validation_error'] as const)
    : []),
  ...(params ? (['validation_error', 'not_found'] as const) : []),
];

/** Collection says by its own code that it is unavailable. */
const unavailability = ({ kind }: Access): readonly ProblemCode[] => (kind === 'project_key' ? [] : ['unavailable']);
